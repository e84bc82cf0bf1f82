"""Bakes of interaction tasks: the character's motion together with the motion of the objects."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.body import forward_direction
from ...core.body.skinned_mesh import rest_positions
from ...core.control.interaction.putting_down import find_put_down
from ...core.control.interaction.sequencer import InteractionSequencer
from ...core.control.interaction.task import InteractionTask, require_known_actions
from ...core.control.refine.back_rest import back_gap
from ...core.control.refine.interaction_refinement import RefinedInteraction, refine_interaction
from ...core.errors import FootfallError
from ...core.evaluation.quality import MeasureTrace, measure_traces
from ...core.features.interaction import CONTACT_JOINTS
from ...core.message import Message
from ...core.models.model_file import ControllerModel
from ...core.motion import Skeleton
from ...core.motion.contacts import FootContacts
from ...core.motion.proportions import scale_between
from ...core.motion.roles import FOOT_CONTACTS
from ...core.motion.rotations import Array, rotate
from ...core.scene.interaction_object import InteractionObject
from ...core.terrain.ground import Plane
from ..animation.bake_report import describe_bad, quality_rows, store_quality
from ..animation.fcurve_io.reader import scene_rate
from ..animation.layers import BakeSource, revert_companion, write_companion
from ..animation.output import BakeOutput, walk_start_frame, write_output
from ..controllers import library
from ..direct.bake import BakeResult, format_quality
from ..direct.staleness import store_inputs
from ..label.labels import write_labels
from ..rig.rig_report import plan_and_measure
from ..rig.skin import skin_of
from ..rig.sole_height import floor_height, sole_offset
from ..rig.store import calibrate_to_model, rig_map_of
from ..scene.declared_motion import require_usable
from ..scene.objects import SceneInteractionObject, read_interaction_object, read_obstacles
from ..ui.operator_base import require_editable, require_in_scene, require_present
from ..ui.translations import translate_interface
from .labels import labels_from_interaction
from .object_keys import attached_object_tracks, object_tracks
from .tasks import TYPES_WITH_OBJECT, TYPES_WITH_TARGET
from .touch_gaps import gap_traces

PLACE_USES = {
    "carry": Message("to place it"),
    "push": Message("to push it"),
    "lie": Message("to lie down"),
    "sit_ground": Message("to sit on the ground"),
}
"""Use of a place by the actions that do not just go there."""
GAP_SENTENCES: Final = {"seat_gap": Message("seat gap {gap}"), "palm_gap": Message("palm gap {gap}")}
"""Sentences of the report about gaps between skin and objects."""
UNREACHED_REST_M: Final = 0.15
"""Least distance, meters, of a seated back from its backrest that is reported."""
SOURCE: Final = BakeSource("INTERACTIONS")
MAX_FACING_ERROR_RAD: Final = np.radians(30.0)
"""Largest angle between an armature's -Y and the facing of its body at which -Y counts as the facing."""
LEAST_TOLD_M: Final = 0.01
"""Least correction by refinement that is reported, meters."""


class InteractionBake:
    """The bake of a character's interaction tasks; nothing in the file changes before :meth:`finish`.

    Args:
        armature: the character.
        context: the context.
        controller: the name of a controller and the controller, in place of the one that the settings name.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        context: bpy.types.Context,
        controller: tuple[str, ControllerModel] | None = None,
    ) -> None:
        settings, scene = armature.footfall, context.scene
        require_editable(armature, "Armature")
        if not settings.interaction_tasks:
            raise FootfallError("There are no tasks: add one")
        self.armature_name = armature.name_full
        wanted = [item.type for item in settings.interaction_tasks]
        self.controller, model = controller or library.load_interaction_controller(
            settings.interaction_controller_file, wanted
        )
        self.start_frame = walk_start_frame(armature, scene)
        self.rig_map = rig_map_of(armature)
        self.calibration = calibrate_to_model(armature, model)
        self.skin = skin_of(armature)
        self.floor_height = floor_height(armature)
        self.scale = scale_between(model.skeleton, self.calibration.target)
        self.objects, numbers = self._read_objects(settings.interaction_tasks, scene)
        errands = [
            self._make_task(item, number, scene)
            for item, number in zip(settings.interaction_tasks, numbers, strict=True)
        ]
        require_known_actions(errands, model.taught_goals, f"'{self.controller}'")
        place, yaw = _standing_pose(armature, self.calibration.target)
        self.sequencer = InteractionSequencer(
            model,
            [one.interaction_object for one in self.objects],
            errands,
            place / self.scale,
            yaw,
            seed=settings.seed,
        )

    def _read_objects(
        self, tasks: Sequence[bpy.types.PropertyGroup], scene: bpy.types.Scene
    ) -> tuple[list[SceneInteractionObject], list[int]]:
        """Return all objects of the scene, and the index of the object of each interaction task."""
        found: dict[str, int] = {}
        things: list[SceneInteractionObject] = []
        numbers = []
        for errand in tasks:
            if errand.type not in TYPES_WITH_OBJECT:
                numbers.append(-1)
                continue
            if errand.object is None:
                raise FootfallError("A task has no object: choose one")
            require_in_scene(errand.object, scene)
            require_usable(errand.object, errand.type, scene, self.start_frame)
            name = errand.object.name_full
            if name not in found:
                found[name] = len(things)
                things.append(read_interaction_object(errand.object, errand.type, self.scale, self.floor_height))
            numbers.append(found[name])
        taken = [errand.object for errand in tasks if errand.object is not None]
        return [*things, *read_obstacles(scene, taken, self.scale, self.floor_height)], numbers

    def _make_task(self, item: bpy.types.PropertyGroup, object_index: int, scene: bpy.types.Scene) -> InteractionTask:
        """Return an interaction task in meters of the controller."""
        place = direction = None
        if item.type in TYPES_WITH_TARGET:
            if item.target is None:
                what = PLACE_USES.get(item.type, Message("to go"))
                raise FootfallError("There is no target {what}: choose an empty or an object", what=what)
            require_in_scene(item.target, scene)
            if item.type == "carry" and item.target.type == "MESH":
                place, stand = self._placement_on(item.target, self.objects[object_index].interaction_object)
                return InteractionTask(item.type, object_index, place, stand_direction=stand)
            place, direction = _target_pose(item.target, self.floor_height, self.scale, on_floor=item.type != "carry")
        return InteractionTask(item.type, object_index, place, direction, duration=item.duration)

    def _placement_on(self, support: bpy.types.Object, box: InteractionObject) -> tuple[Array, Array]:
        """Return the position (3) of a box on an object, meters of the controller, and the bearer's side (2)."""
        surface = read_interaction_object(support, "", self.scale, self.floor_height).interaction_object
        others = [
            one.interaction_object.posed_collider for one in self.objects if one.interaction_object.name != box.name
        ]
        return find_put_down(surface, box, others)

    @property
    def fraction(self) -> float:
        """Approximate completed share: interaction tasks done."""
        return min(self.sequencer.task_index / len(self.sequencer.tasks), 0.99)

    def advance(self, frames: int) -> bool:
        """Generate some frames; return false when all interaction tasks are done."""
        return self.sequencer.advance(frames)

    def finish(self, scene: bpy.types.Scene) -> BakeResult:
        """Write the motion to the destination of the settings, and the objects' motion to actions of their own."""
        armature = require_present(self.armature_name, scene)
        present = {thing.name_full for thing in scene.objects}
        for one in (self.objects[task.object_index] for task in self.sequencer.tasks if task.object_index >= 0):
            if one.name not in present:
                raise FootfallError("'{name}' was deleted during the bake: nothing was baked", name=one.name)
        rise = sole_offset(self.calibration.target, armature)
        performed = refine_interaction(self.sequencer.recording, self.calibration, self.skin, rise)
        rate = scene_rate(scene)
        clip = performed.clip
        lifted = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.0, self.floor_height]))
        moved = lifted.resampled(rate)
        name = f"{armature.name}_{self.controller}"
        contacts = {
            role: np.interp(np.arange(len(moved)) / rate, np.arange(len(clip)) / clip.rate, column)
            for role, column in zip(CONTACT_JOINTS, performed.contacts.T, strict=True)
        }
        made = write_output(armature, self.rig_map, moved, self.start_frame, name, contacts, SOURCE, self.floor_height)
        things = self._write_object_keys(scene, armature, made, performed, len(moved), rate)
        if made.record.kind != "RANGE":
            scene.frame_end = max(scene.frame_end, self.start_frame + len(moved) - 1)
            labels = labels_from_interaction(performed, self.floor_height)
            write_labels(armature, made.record.action, labels.resampled(rate, len(moved)), self.start_frame)
        armature.footfall.baked_action = made.record.action
        armature.footfall.likeness_report = ""  # of walks
        found = measure_traces(
            lifted, FootContacts(performed.contacts[:, -len(FOOT_CONTACTS) :]), Plane(self.floor_height + rise)
        )
        found += self._gap_traces(armature, rate)
        rows = {
            row.measure: row for row in store_quality(armature, found, lifted.rate, self.start_frame, len(moved), rate)
        }
        floor = Plane(self.floor_height)
        feet = FootContacts(np.stack([contacts[role] for role in FOOT_CONTACTS], axis=-1))
        plan_and_measure(
            armature, scene, moved, feet, floor, self.calibration, self.sequencer.recording.model, self.start_frame
        )
        quality = format_quality({"skate_mean_cm_s": rows["foot_sliding"].mean} if "foot_sliding" in rows else {})
        armature.footfall.quality_summary = translate_interface(quality)
        armature.footfall.detour = ""
        store_inputs(armature, scene, "INTERACTIONS")
        said = [
            Message("Baked {len} frames", len=len(moved)),
            quality,
            *_moved_by_refinement(performed.max_corrections),
            *(Message(said, gap=rows[measure].value) for measure, said in GAP_SENTENCES.items() if measure in rows),
            *self._unreached_rests(performed),
            *things,
            describe_bad(quality_rows(armature)),
            *self._skipped_messages(),
            made.record.message,
            *made.warnings,
        ]
        return BakeResult(made.record.action, Message.joined("; ", (part for part in said if part)))

    def _gap_traces(self, armature: bpy.types.Object, rate: float) -> list[MeasureTrace]:
        """Return the gaps between the baked skin and the objects that it touches."""
        names = [one.name for one in self.objects]
        body = self.calibration.target
        return gap_traces(armature, body, self.sequencer.recording, names, self.start_frame, rate)

    @property
    def skipped_tasks(self) -> list[int]:
        """The numbers, from 1, of the interaction tasks that could not be done."""
        return [event.task_index + 1 for event in self.sequencer.events if event.kind == "gave up"]

    def _skipped_messages(self) -> list[str]:
        return [
            Message("Task {number} was skipped: the target cannot be reached", number=number)
            for number in self.skipped_tasks
        ]

    def _unreached_rests(self, performed: RefinedInteraction) -> Iterator[Message]:
        """Yield the seats whose backs are out of reach of a seated body."""
        recording = self.sequencer.recording
        for start, stop, number in recording.task_intervals():
            if recording.tasks[number].action != "sit" or recording.event_frame("reached", number) is None:
                continue
            frame, index = max(min(stop, len(performed.clip)) - 1, start), recording.tasks[number].object_index
            gap = back_gap(performed.clip, frame, performed.objects[frame][index], self.scale)
            if gap is not None and gap > UNREACHED_REST_M:
                yield Message(
                    "The backrest of '{name}' is {far} cm out of reach, because the seat is deeper than the thighs",
                    name=self.objects[index].interaction_object.name,
                    far=f"{100 * gap:.0f}",
                )

    def _write_object_keys(
        self,
        scene: bpy.types.Scene,
        armature: bpy.types.Object,
        made: BakeOutput,
        interaction: RefinedInteraction,
        count: int,
        rate: float,
    ) -> list[str]:
        """Write the keys of the objects that move, take those back that moved before; return a sentence for each."""
        said, moved = [], []
        at = np.minimum(
            np.round(np.arange(count) / rate * interaction.clip.rate).astype(int), len(interaction.objects) - 1
        )
        for number, one in enumerate(self.objects):
            frames = [interaction.objects[frame][number] for frame in at]
            if all(frame is frames[0] or _has_same_pose(frame, frames[0]) for frame in frames):
                continue
            thing = next(found for found in scene.objects if found.name_full == one.name)
            matrices = [one.scene_matrix(frame) for frame in frames]
            tracks = object_tracks(thing, matrices)
            held = self._is_held(number, at)
            if armature.footfall.attachment == "CHILD_OF" and held.any():
                hand = armature.pose.bones[self.rig_map.bones["hand.R"]]
                tracks = attached_object_tracks(thing, armature, hand, matrices, held, self.start_frame)
            write_companion(armature, made.record.action, thing, tracks, self.start_frame, f"{thing.name}_moved")
            moved.append(thing)
            said.append(Message("'{name}' moves", name=thing.name))
        said += [revert_companion(armature, thing) for thing in made.moved_before if thing not in moved]
        return said

    def _is_held(self, object_index: int, frames: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return whether (F) an object is held in a hand at frames (F) of the sequence."""
        held = np.zeros(len(self.sequencer.frames), dtype=bool)
        for event in self.sequencer.events:
            if event.kind in ("took", "put") and self.sequencer.tasks[event.task_index].object_index == object_index:
                held[event.frame :] = event.kind == "took"
        return held[frames]


def _has_same_pose(first: InteractionObject, second: InteractionObject) -> bool:
    return np.allclose(first.position, second.position, atol=1e-7) and np.allclose(
        first.rotation, second.rotation, atol=1e-7
    )


def _target_pose(obj: bpy.types.Object, floor_height: float, scale: float, on_floor: bool) -> tuple[Array, Array]:
    """Return the target position (3), meters of the controller, and direction (2) given by an object."""
    matrix = np.array(obj.matrix_world)
    position, front = matrix[:3, 3] - [0.0, 0.0, floor_height], matrix[:2, 1]
    if on_floor:
        position = position * [1.0, 1.0, 0.0]
    length = float(np.linalg.norm(front))
    return position / scale, front / length if length > 1e-6 else np.array([0.0, 1.0])


def _moved_by_refinement(corrections: Mapping[str, float]) -> list[Message]:
    """Return a sentence about the corrections (by role, m) by which refinement moved the network's hips and hands."""
    hands = max((far for role, far in corrections.items() if role != "hips"), default=0.0)
    far = {"hands": f"{100 * hands:.0f}", "hips": f"{100 * corrections.get('hips', 0.0):.0f}"}
    told = (hands > LEAST_TOLD_M, corrections.get("hips", 0.0) > LEAST_TOLD_M)
    if told == (True, True):
        return [Message("Reached its goals by moving the hands up to {hands} cm and the hips {hips} cm", **far)]
    if told == (True, False):
        return [Message("Reached its goals by moving the hands up to {hands} cm", hands=far["hands"])]
    if told == (False, True):
        return [Message("Reached its goals by moving the hips {hips} cm", hips=far["hips"])]
    return []


def _standing_pose(armature: bpy.types.Object, body: Skeleton) -> tuple[Array, float]:
    """Return the position (2) of an armature's object, meters, and its facing, radians.

    Rigs face along -Y of their object, except in some files, where the body shows the facing.
    """
    matrix = armature.matrix_world
    front = rotate(np.array(matrix.to_quaternion()[:]), np.array([0.0, -1.0, 0.0]))
    ahead = forward_direction(body, rest_positions(body))
    if float(front @ ahead) < np.cos(MAX_FACING_ERROR_RAD):
        front = ahead
    return np.array(matrix.translation[:2]), float(np.arctan2(-front[0], front[1]))

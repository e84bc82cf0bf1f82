"""Bakes of interaction tasks: the character's motion together with the motion of the objects."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

from ....core.actions import ACTION_TABLE
from ....core.body import forward_direction
from ....core.body.skinned_mesh import rest_positions
from ....core.control.interaction.putting_down import find_put_down
from ....core.control.interaction.sequencer import InteractionSequencer
from ....core.control.interaction.task import InteractionTask, require_known_actions
from ....core.control.performance import ObjectTrack, Performance
from ....core.control.refine.back_rest import back_gap
from ....core.control.refine.interaction_performance import interaction_performance
from ....core.control.refine.interaction_refinement import RefinedInteraction, refine_interaction
from ....core.errors import FootfallError
from ....core.evaluation.quality import MeasureTrace
from ....core.message import Message
from ....core.models.model_file import ControllerModel
from ....core.motion import Skeleton
from ....core.motion.proportions import scale_between
from ....core.motion.rotations import Array, rotate, unroll
from ....core.motion.signals import Mask
from ....core.scene.interaction_object import InteractionObject
from ....core.terrain.ground import Plane
from ...animation.fcurve_io.reader import scene_rate
from ...animation.layers import BakeSource, revert_companion, write_companion
from ...animation.output import BakeOutput, walk_start_frame
from ...animation.shown_frame import shown_at
from ...controllers import library
from ...rig.skin import skin_of
from ...rig.sole_height import floor_height, sole_offset
from ...rig.store import calibrate_to_model, rig_map_of
from ...scene.declared_motion import require_usable
from ...scene.objects import SceneInteractionObject, read_interaction_object, read_obstacles
from ...shot.bake_result import BakeResult
from ...shot.clock import BakeClock
from ...shot.write import BakeJob, EditedPerformance, write_performance
from ...ui.operator_base import require_editable, require_in_scene, require_present
from .object_keys import attached_object_tracks, object_tracks
from .properties import TYPES_WITH_OBJECT, TYPES_WITH_TARGET
from .touch_gaps import gap_traces

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
        seed_offset: added to the seed of the settings.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        context: bpy.types.Context,
        controller: tuple[str, ControllerModel] | None = None,
        seed_offset: int = 0,
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
        self.rise = sole_offset(self.calibration.target, armature)
        self.performed: RefinedInteraction | None = None
        self.scale = scale_between(model.skeleton, self.calibration.target)
        # A bake that is made again begins with its objects where they are at its start, not where it has put them.
        begins = self.start_frame if settings.baked_action is not None else scene.frame_current
        with shown_at(scene, begins):
            self.objects, numbers = self._read_objects(settings.interaction_tasks, scene)
            errands = [
                self._make_task(item, number, scene)
                for item, number in zip(settings.interaction_tasks, numbers, strict=True)
            ]
            place, yaw = _standing_pose(armature, self.calibration.target)
        require_known_actions(errands, model.taught_goals, f"'{self.controller}'")
        self.sequencer = InteractionSequencer(
            model,
            [one.interaction_object for one in self.objects],
            errands,
            place / self.scale,
            yaw,
            seed=settings.seed + seed_offset,
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
                task = ACTION_TABLE[item.type].task
                assert task is not None
                raise FootfallError("There is no target {what}: choose an empty or an object", what=task.purpose)
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
        self.post_process()
        performed = self.performed
        assert performed is not None

        def write_objects(output: BakeOutput, edited: EditedPerformance) -> list[str]:
            return self._write_object_keys(scene, armature, output, edited.shown)

        def touch_traces(edited: Performance) -> list[MeasureTrace]:
            return self._gap_traces(armature, edited)

        performance, job = self._performance(performed), self._job(armature)
        written = write_performance(armature, scene, performance, job, write_objects, touch_traces)
        rows = written.rows
        said = [
            Message("Baked {len} frames", len=len(written.clip)),
            *_moved_by_refinement(performed.max_corrections),
            *(Message(said, gap=rows[measure].value) for measure, said in GAP_SENTENCES.items() if measure in rows),
            *self._unreached_rests(performed),
            *written.notes,
            *self._skipped_messages(),
        ]
        return BakeResult(written.record.action, Message.joined("; ", (part for part in said if part)))

    def _job(self, armature: bpy.types.Object) -> BakeJob:
        """Return what the bake is of."""
        return BakeJob(
            SOURCE,
            f"{armature.name}_{self.controller}",
            self.start_frame,
            ground=Plane(self.floor_height),
            floor=self.floor_height,
            rig_map=self.rig_map,
            rise=self.rise,
            calibration=self.calibration,
            model=self.sequencer.recording.model,
        )

    def post_process(self) -> None:
        """Do the part of :meth:`finish` that does not change the file."""
        if self.performed is None:
            self.performed = refine_interaction(self.sequencer.recording, self.calibration, self.skin, self.rise)

    def _performance(self, performed: RefinedInteraction) -> Performance:
        """Return the refined interaction on soles of usual height, with the objects that move."""
        performance = interaction_performance(performed, self.floor_height).raised(-self.rise)
        return replace(performance, objects=tuple(self._object_tracks(performed)))

    def _object_tracks(self, interaction: RefinedInteraction) -> Iterator[ObjectTrack]:
        """Yield the motion of each object that moves."""
        states = interaction.objects
        for number, one in enumerate(self.objects):
            if all(frame[number] is states[0][number] for frame in states):
                continue
            places = [one.scene_matrix(frame[number]).decompose() for frame in states]
            positions, turns = (np.array([place[part][:] for place in places]) for part in (0, 1))
            track = ObjectTrack(one.name, positions, unroll(turns), self._is_held(number, len(states)))
            if track.moves:
                yield track

    def _gap_traces(self, armature: bpy.types.Object, edited: Performance) -> list[MeasureTrace]:
        """Return the gaps between the baked skin and the objects that it touches, at the frames of the bake."""
        names, rate = [one.name for one in self.objects], scene_rate(bpy.context.scene)
        clock = BakeClock(self.start_frame, rate, edited.clip.rate)
        return gap_traces(armature, self.calibration.target, self.sequencer.recording, names, edited, clock)

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
        self, scene: bpy.types.Scene, armature: bpy.types.Object, made: BakeOutput, shown: Performance
    ) -> list[str]:
        """Write the keys of the objects that move, take those back that moved before; return a sentence for each."""
        said, moved = [], []
        for track in shown.objects:
            thing = next(found for found in scene.objects if found.name_full == track.name)
            size = thing.matrix_world.decompose()[2]
            matrices = [
                Matrix.LocRotScale(place, Quaternion(turn), size)
                for place, turn in zip(track.positions.tolist(), track.rotations.tolist(), strict=True)
            ]
            tracks = object_tracks(thing, matrices)
            if armature.footfall.attachment == "CHILD_OF" and track.held.any():
                hand = armature.pose.bones[self.rig_map.bones["hand.R"]]
                tracks = attached_object_tracks(thing, armature, hand, matrices, track.held, self.start_frame)
            write_companion(armature, made.record.action, thing, tracks, self.start_frame, f"{thing.name}_moved")
            moved.append(thing)
            said.append(Message("'{name}' moves", name=thing.name))
        said += [revert_companion(armature, thing) for thing in made.moved_before if thing not in moved]
        return said

    def _is_held(self, object_index: int, frames: int) -> Mask:
        """Return whether (F) an object is held in a hand at frames of the sequence, from the first on."""
        held = np.zeros(frames, dtype=bool)
        for event in self.sequencer.events:
            if event.kind in ("took", "put") and self.sequencer.tasks[event.task_index].object_index == object_index:
                held[event.frame :] = event.kind == "took"
        return held


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

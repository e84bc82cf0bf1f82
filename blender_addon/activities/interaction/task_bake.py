"""The common part of bakes of tasks: tasks and objects of the scene, and keys of everything that moves."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

from ....core.actions import ACTION_TABLE
from ....core.body import forward_direction
from ....core.body.skinned_mesh import rest_positions
from ....core.control.interaction.putting_down import find_put_down
from ....core.control.interaction.task import InteractionTask
from ....core.control.performance import Performance
from ....core.control.refine.back_rest import back_gap
from ....core.control.shot.outcome import Act
from ....core.errors import FootfallError
from ....core.evaluation.quality import MeasureTrace
from ....core.message import Message
from ....core.models.model_file import ControllerModel
from ....core.motion import Skeleton
from ....core.motion.proportions import scale_between
from ....core.motion.rotations import Array, rotate
from ....core.scene.interaction_object import InteractionObject
from ....core.terrain.ground import Scene
from ...animation.fcurve_io.reader import scene_rate
from ...animation.layers import BakeSource, revert_companion, write_companion
from ...animation.layers.sources import SourceKind
from ...animation.output import BakeOutput, walk_start_frame
from ...controllers import library
from ...rig.skin import skin_of
from ...rig.sole_height import sole_offset
from ...rig.store import calibrate_to_model, rig_map_of
from ...scene.declared_motion import require_usable
from ...scene.objects import SceneInteractionObject, read_interaction_object, read_obstacles
from ...shot.bake_result import BakeResult
from ...shot.clock import BakeClock
from ...shot.write import BakeJob, EditedPerformance, write_performance
from ...ui.operator_base import require_editable, require_in_scene, require_present
from .object_keys import attached_object_tracks, object_tracks
from .properties import STRIKE, TYPES_WITH_BALL, TYPES_WITH_OBJECT, TYPES_WITH_TARGET
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


class TaskBake(ABC):
    """A bake of a character's tasks; nothing in the file changes before :meth:`finish`.

    Args:
        armature: the character.
        context: the context.
        controller: the name of an interaction controller and the controller, in place of that of the settings.
        again: whether the last bake keeps its frames.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """

    floor_height: float
    """Height, meters, world, of the floor over which tasks and objects are given."""
    start_height: float
    """Height, meters, world, of the ground on which the character begins."""
    is_level = True
    """True if the ground is level, so that the depth of feet in it goes unsaid."""
    inputs: SourceKind = "INTERACTIONS"
    """The kind of bake on whose inputs it depends."""

    def __init__(
        self,
        armature: bpy.types.Object,
        context: bpy.types.Context,
        controller: tuple[str, ControllerModel] | None = None,
        again: bool = False,
    ) -> None:
        settings, scene = armature.footfall, context.scene
        require_editable(armature, "Armature")
        if not settings.interaction_tasks:
            raise FootfallError("There are no beats: add one")
        self.armature_name = armature.name_full
        wanted = [item.type for item in settings.interaction_tasks if item.type not in (STRIKE, *TYPES_WITH_BALL)]
        self.controller, self.model = controller or library.load_interaction_controller(
            settings.interaction_controller_file, wanted
        )
        self.start_frame = walk_start_frame(armature, scene, SOURCE if again else None)
        self.rig_map = rig_map_of(armature)
        self.calibration = calibrate_to_model(armature, self.model)
        self.skin = skin_of(armature)
        self.rise = sole_offset(self.calibration.target, armature)
        self.scale = scale_between(self.model.skeleton, self.calibration.target)
        self.objects: list[SceneInteractionObject] = []
        self.spared: list[bpy.types.Object] = []  # ground that is no obstacle
        # A bake that is made again begins with its objects where they are at its start, not where it has put them.
        self.begins = self.start_frame if settings.baked_action is not None else scene.frame_current

    # --- The part of each bake

    @property
    @abstractmethod
    def fraction(self) -> float:
        """Approximate completed share."""

    @abstractmethod
    def advance(self, frames: int) -> bool:
        """Generate some frames; return false when nothing is left to do."""

    @abstractmethod
    def post_process(self) -> None:
        """Do the part of :meth:`finish` that does not change the file."""

    @abstractmethod
    def performance(self) -> Performance:
        """Return the motion on soles of usual height, with the objects that move in the scene."""

    @abstractmethod
    def acts(self) -> Sequence[Act]:
        """Return the tasks as they were done."""

    @abstractmethod
    def beat_spans(self) -> Iterator[tuple[int, int, int]]:
        """Yield the index of each beat that was done, with its first and last frame of the performance."""

    @property
    @abstractmethod
    def ground(self) -> Scene:
        """The ground on which it happens, meters, world."""

    @property
    @abstractmethod
    def skipped_tasks(self) -> list[int]:
        """The numbers, from 1, of the tasks that could not be done."""

    @abstractmethod
    def skipped_messages(self) -> list[Message]:
        """Return a sentence for each of these."""

    # --- Reading

    def read_objects(
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
                raise FootfallError("A beat has no object: choose one")
            require_in_scene(errand.object, scene)
            require_usable(errand.object, errand.type, scene, self.start_frame)
            name = errand.object.name_full
            if name not in found:
                found[name] = len(things)
                things.append(read_interaction_object(errand.object, errand.type, self.scale, self.floor_height))
            numbers.append(found[name])
        taken = [errand.object for errand in tasks if errand.object is not None]
        return [*things, *read_obstacles(scene, [*taken, *self.spared], self.scale, self.floor_height)], numbers

    def make_task(self, item: bpy.types.PropertyGroup, object_index: int, scene: bpy.types.Scene) -> InteractionTask:
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

    # --- Writing

    def finish(self, scene: bpy.types.Scene) -> BakeResult:
        """Write the motion to the destination of the settings, and the objects' motion to actions of their own."""
        armature = require_present(self.armature_name, scene)
        present = {thing.name_full for thing in scene.objects}
        for one in self.used_objects():
            if one.name not in present:
                raise FootfallError("'{name}' was deleted during the bake: nothing was baked", name=one.name)
        self.post_process()

        def write_objects(output: BakeOutput, edited: EditedPerformance) -> list[str]:
            return self._write_object_keys(scene, armature, output, edited.shown)

        def touch_traces(edited: Performance) -> list[MeasureTrace]:
            return self._gap_traces(armature, edited)

        written = write_performance(
            armature, scene, self.performance(), self._job(armature), write_objects, touch_traces
        )
        self._store_spans(armature.footfall.interaction_tasks, written.performance)
        rows = written.rows
        said = [
            Message("Baked {len} frames", len=len(written.clip)),
            *_moved_by_refinement(_largest_corrections(self.acts())),
            *(Message(said, gap=rows[measure].value) for measure, said in GAP_SENTENCES.items() if measure in rows),
            *self._unreached_rests(),
            *written.notes,
            *self.skipped_messages(),
        ]
        return BakeResult(written.record.action, Message.joined("; ", (part for part in said if part)))

    def _store_spans(self, items: Sequence[bpy.types.PropertyGroup], edited: Performance) -> None:
        """Store the scene's frames of each beat for the timeline."""
        clock = BakeClock(self.start_frame, scene_rate(bpy.context.scene), edited.clip.rate)
        skipped = self.skipped_tasks
        for number, item in enumerate(items, start=1):
            item.first_frame = item.last_frame = 0
            item.is_skipped = number in skipped
        for index, first, last in self.beat_spans():
            frames = [edited.frame_from(one) for one in (first, last)]
            if index >= len(items) or frames[0] is None or frames[1] is None:
                continue
            begin, end = clock.scene_frame(frames[0]), clock.scene_frame(frames[1])
            items[index].first_frame = items[index].first_frame or begin
            items[index].last_frame = end

    def used_objects(self) -> Iterator[SceneInteractionObject]:
        """Yield the objects of the tasks."""
        for act in self.acts():
            for task in act.recording.tasks:
                if task.object_index >= 0:
                    yield self.objects[act.objects[task.object_index]]

    def _job(self, armature: bpy.types.Object) -> BakeJob:
        """Return what the bake is of."""
        return BakeJob(
            SOURCE,
            f"{armature.name}_{self.controller}",
            self.start_frame,
            ground=self.ground,
            floor=self.start_height,
            rig_map=self.rig_map,
            rise=self.rise,
            calibration=self.calibration,
            model=self.model,
            is_level=self.is_level,
            inputs=self.inputs,
        )

    def _gap_traces(self, armature: bpy.types.Object, edited: Performance) -> list[MeasureTrace]:
        """Return the gaps between the baked skin and the objects that it touches, at the frames of the bake."""
        clock = BakeClock(self.start_frame, scene_rate(bpy.context.scene), edited.clip.rate)
        recordings = [
            (act.first, act.recording, [self.objects[one].name for one in act.objects]) for act in self.acts()
        ]
        return gap_traces(armature, self.calibration.target, recordings, edited, clock)

    def _unreached_rests(self) -> Iterator[Message]:
        """Yield the seats whose backs are out of reach of a seated body."""
        for act in self.acts():
            recording, refined = act.recording, act.refined
            for start, stop, number in recording.task_intervals():
                if recording.tasks[number].action != "sit" or recording.event_frame("reached", number) is None:
                    continue
                frame, index = max(min(stop, len(refined.clip)) - 1, start), recording.tasks[number].object_index
                gap = back_gap(refined.clip, frame, refined.objects[frame][index], self.scale)
                if gap is not None and gap > UNREACHED_REST_M:
                    yield Message(
                        "The backrest of '{name}' is {far} cm out of reach, because the seat is deeper than the thighs",
                        name=recording.objects[index].name,
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


def _target_pose(obj: bpy.types.Object, floor_height: float, scale: float, on_floor: bool) -> tuple[Array, Array]:
    """Return the target position (3), meters of the controller, and direction (2) given by an object."""
    matrix = np.array(obj.matrix_world)
    position, front = matrix[:3, 3] - [0.0, 0.0, floor_height], matrix[:2, 1]
    if on_floor:
        position = position * [1.0, 1.0, 0.0]
    length = float(np.linalg.norm(front))
    return position / scale, front / length if length > 1e-6 else np.array([0.0, 1.0])


def _largest_corrections(acts: Sequence[Act]) -> dict[str, float]:
    """Return the largest correction of each part, by role, meters."""
    found: dict[str, float] = {}
    for act in acts:
        for role, far in act.refined.max_corrections.items():
            found[role] = max(far, found.get(role, 0.0))
    return found


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


def standing_pose(armature: bpy.types.Object, body: Skeleton) -> tuple[Array, float]:
    """Return the position (2) of an armature's object, meters, and its facing, radians.

    Rigs face along -Y of their object, except in some files, where the body shows the facing.
    """
    matrix = armature.matrix_world
    front = rotate(np.array(matrix.to_quaternion()[:]), np.array([0.0, -1.0, 0.0]))
    ahead = forward_direction(body, rest_positions(body))
    if float(front @ ahead) < np.cos(MAX_FACING_ERROR_RAD):
        front = ahead
    return np.array(matrix.translation[:2]), float(np.arctan2(-front[0], front[1]))

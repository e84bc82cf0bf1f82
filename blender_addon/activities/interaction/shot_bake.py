"""The bake of tasks as a shot: walks along paths and over the scene's ground, and tasks on any level, in one motion."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import bpy
import numpy as np

from ....core.control.path.path_events import Cues
from ....core.control.performance import ObjectTrack, Performance
from ....core.control.shot.activity import STEP_FRAMES
from ....core.control.shot.beats import Beat, BeatTime, StrikeBeat, TaskBeat, WaitBeat, WalkBeat
from ....core.control.shot.memo import ShotMemo
from ....core.control.shot.outcome import Act, Shot
from ....core.control.shot.request import Manner, ShotRequest
from ....core.control.shot.shot import ShotRollout
from ....core.errors import FootfallError
from ....core.message import Message
from ....core.models.model_file import ControllerModel
from ....core.motion.rotations import Array, unroll
from ....core.terrain.ground import Scene
from ...animation.fcurve_io.reader import scene_rate
from ...animation.output import BakeOutput
from ...animation.shown_frame import shown_at
from ...controllers.generators import load_chosen_generator
from ...controllers.strikes import load_fighter
from ...rig.chosen_controller import load_chosen
from ...rig.sole_height import floor_height
from ...rig.store import calibrate_to_model
from ...scene.ground_choice import choose_ground
from ...scene.ground_tags import WALKABLE
from ...scene.mesh_ground import Clock
from ...scene.path_reader import is_path, read_path
from ...scene.walk_scene import CharacterWalkScene, read_walk_scene
from ...shot import rollout_cache
from ...shot.bake_result import BakeResult
from ...ui.operator_base import require_in_scene, require_present
from ..walk.path_events import read_path_events
from .bake import InteractionBake
from .beat_frames import given_frame
from .properties import BALL_ACTIONS, DRIBBLE, EFFECTOR_ROLES, STRIKE, TYPES_WITH_BALL, WALK_SPEEDS_M_S
from .shot_balls import ShotBalls, walkers
from .task_bake import TaskBake, standing_pose

WAIT: Final = "idle"
LEAST_TOLD_S: Final = 0.2
"""Least delay of a beat that is reported, seconds."""
SAME_LEVEL_M: Final = 0.1
"""Difference of height up to which a task is on the floor of the character."""
OVER_GROUND_M: Final = 0.3
"""Height of the start of the ray that finds the ground below a place."""


class ShotBake(TaskBake):
    """The bake of a character's tasks over the scene's ground, with walks between them by the walking controller.

    Args:
        armature: the character.
        context: the context.
        controller: the name of an interaction controller and the controller, in place of that of the settings.
        seed_offset: added to the seed of the settings.
        again: whether the last bake keeps its frames.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """

    inputs = "SHOT"

    def __init__(
        self,
        armature: bpy.types.Object,
        context: bpy.types.Context,
        controller: tuple[str, ControllerModel] | None = None,
        seed_offset: int = 0,
        again: bool = False,
    ) -> None:
        super().__init__(armature, context, controller, again)
        settings, scene = armature.footfall, context.scene
        dribbles = settings.ball != "NONE" or any(item.type == DRIBBLE for item in settings.interaction_tasks)
        walks, dribbler = walkers(load_chosen(settings)[1], dribbles)
        self.walks, self.balls = walks, ShotBalls(armature)
        self.floor_height = 0.0
        self.around = ground_around(armature, context, Clock(self.start_frame, scene_rate(scene) / walks.rate))
        self.is_level = self.around.is_level
        choice = choose_ground(armature, scene, context.view_layer)
        self.spared = [one for one in scene.objects if choice.object_uses.get(one.session_uid) == WALKABLE]
        with shown_at(scene, self.begins):
            place, yaw = standing_pose(armature, self.calibration.target)
            self.start_height = _ground_height(self.ground, np.append(place, floor_height(armature)))
            self.objects, numbers = self.read_objects(settings.interaction_tasks, scene)
            beats: list[Beat] = []
            self.items: list[int] = []
            self.kinds = [str(item.type) for item in settings.interaction_tasks]
            for number, (item, index) in enumerate(zip(settings.interaction_tasks, numbers, strict=True)):
                made = list(self._beats_of(item, index, scene))
                beats += made
                self.items += [number] * len(made)
        request = ShotRequest(
            beats,
            np.append(place, self.start_height),
            yaw,
            self.around.walk_scene,
            [one.interaction_object for one in self.objects],
            self.calibration,
            self.skin,
            self.rise,
            settings.seed + seed_offset,
            self._manner(settings),
            None if self.around.moving_names else self.around.scene_key,
            self.balls.states,
            None if dribbler is None else calibrate_to_model(armature, dribbler),
        )
        # Takes of other seeds have memories of their own, which end with them.
        kept = rollout_cache.stored(armature, ShotMemo) if not seed_offset else None
        self.memo = kept or ShotMemo()
        if kept is None and not seed_offset:
            rollout_cache.store(armature, self.memo, 0)
        self.rollout = ShotRollout(walks, self.model, request, self._striker(settings), self.memo, dribbler)
        self.made: Shot | None = None

    @staticmethod
    def _manner(settings: bpy.types.PropertyGroup) -> Manner:
        """Return the way in which the character walks."""
        varies = settings.control_variation and settings.seed
        return Manner(
            settings.performer,
            float(settings.performer_share),
            float(settings.control_variation),
            load_chosen_generator(settings.generator, settings.generator_file) if varies else None,
            float(settings.responsiveness),
        )

    def _cues_of(self, item: bpy.types.PropertyGroup, scene: bpy.types.Scene, rate: float) -> Cues:
        """Return the path events of a walk, if its path is the one that has them."""
        armature = item.id_data
        if item.target != armature.footfall.path or not armature.footfall.path_events:
            return Cues()
        clock = Clock(self.start_frame, scene_rate(scene) / rate)
        return replace(read_path_events(armature, scene, read_path(item.target), clock), speed_factors=None)

    def _striker(self, settings: bpy.types.PropertyGroup) -> ControllerModel | None:
        """Return the controller that strikes, if a beat needs it."""
        if STRIKE not in self.kinds:
            return None
        return load_fighter(settings.combat.controller_file)[1].strikes

    def _time_of(self, item: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> BeatTime:
        """Return the given start and end of a beat, seconds from the first frame of the shot."""
        frames = (given_frame(item, name, scene) for name in ("start", "end"))
        rate = scene_rate(scene)
        return BeatTime(*(None if one is None else max(one - self.start_frame, 0) / rate for one in frames))

    def _beats_of(self, item: bpy.types.PropertyGroup, object_index: int, scene: bpy.types.Scene) -> Iterator[Beat]:
        """Yield the beats of a task: a walk has a wait after it."""
        time = self._time_of(item, scene)
        if item.type == WAIT:
            yield WaitBeat(item.duration, time)
            return
        if item.type in BALL_ACTIONS:
            yield self.balls.beat(item, None, time, scene)
            return
        if item.type not in (*WALK_SPEEDS_M_S, STRIKE, DRIBBLE):
            # A stay with an end lasts until then, whatever its duration.
            yield TaskBeat(self.make_task(item, object_index, scene), time)
            return
        if item.target is None:
            raise FootfallError("There is no target to go to: choose a path, an empty or an object")
        require_in_scene(item.target, scene)
        if item.type == STRIKE:
            place = np.array(item.target.matrix_world.translation[:])
            yield StrikeBeat(place, EFFECTOR_ROLES[item.effector], time.end)
            return
        along = is_path(item.target)
        points = read_path(item.target).points if along else np.array(item.target.matrix_world.translation[:2])[None]
        speed = item.speed or WALK_SPEEDS_M_S.get(item.type, WALK_SPEEDS_M_S["walk"])
        style = item.style if item.type == DRIBBLE else item.style or item.id_data.footfall.style
        walk = WalkBeat(points, speed, style, time, self._cues_of(item, scene, self.walks.rate))
        is_dribble = item.type == DRIBBLE
        yield self.balls.beat(item, walk, time, scene) if is_dribble else self.balls.with_events(walk, item)
        if item.duration > 0.0:
            yield WaitBeat(item.duration)

    @property
    def fraction(self) -> float:
        """Approximate completed share: beats done."""
        return min(self.rollout.beats_done / max(len(self.items), 1), 0.99)

    @property
    def ground(self) -> Scene:
        """The scene's ground."""
        return self.around.walk_scene.ground

    def advance(self, frames: int) -> bool:
        """Generate some frames; return false when all beats are done."""
        return all(self.rollout.advance() for _ in range(max(frames // STEP_FRAMES, 1)))

    def post_process(self) -> None:
        """Do the part of :meth:`finish` that does not change the file."""
        if self.made is None:
            self.made = self.rollout.finish()

    def finish(self, scene: bpy.types.Scene) -> BakeResult:
        """Write the shot, and keep its parts for the next bake."""
        result = super().finish(scene)
        rollout_cache.store(require_present(self.armature_name, scene), self.memo, self.memo.frames)
        return result

    def performance(self) -> Performance:
        """Return the shot on soles of usual height, with the objects that move in the scene."""
        made = self._shot.performance
        return replace(made, objects=tuple(self.object_tracks(made)))

    def acts(self) -> Sequence[Act]:
        """Return the tasks as they were done."""
        return self._shot.acts

    def beat_at(self, frame: int) -> int:
        """Return the index of the character's beat at a frame of the finished parts."""
        begun = (self.items[number] for number, one in self.rollout.beats_so_far.items() if one.first <= frame)
        return max(begun, default=0)

    @property
    def _shot(self) -> Shot:
        self.post_process()
        assert self.made is not None
        return self.made

    def object_tracks(self, made: Performance) -> Iterator[ObjectTrack]:
        """Yield the motion of the origin of each object that moves."""
        known = {one.interaction_object.name: one for one in self.objects}
        for track in made.objects:
            if not track.moves or track.in_palms:
                continue
            one = known[track.name]
            states = [
                replace(one.interaction_object, position=place / self.scale, rotation=turn)
                for place, turn in zip(track.positions, track.rotations, strict=True)
            ]
            places = [one.scene_matrix(state).decompose() for state in states]
            positions, turns = (np.array([place[part][:] for place in places]) for part in (0, 1))
            yield ObjectTrack(one.name, positions, unroll(turns), track.held)
        yield from self.balls.tracks(made)

    def _write_object_keys(
        self, scene: bpy.types.Scene, armature: bpy.types.Object, made: BakeOutput, shown: Performance
    ) -> list[str]:
        """Write the keys of the objects that move, and those of the ball of path events."""
        made, others = self.balls.place_own(made, shown, self.start_frame, scene)
        return super()._write_object_keys(scene, armature, made, others)

    def beat_spans(self) -> Iterator[tuple[int, int, int]]:
        """See :class:`.task_bake.TaskBake`."""
        for item, one in zip(self.items, self._shot.beats, strict=True):
            if one.status != "left out":
                yield item, one.first, one.last

    @property
    def skipped_tasks(self) -> list[int]:
        """The numbers, from 1, of the tasks that could not be done."""
        left = (item for item, one in zip(self.items, self._shot.beats, strict=True) if one.status != "done")
        return sorted({item + 1 for item in left})

    def skipped_messages(self) -> list[Message]:
        """Return a sentence for each of these."""
        said = {}
        for item, one in zip(self.items, self._shot.beats, strict=True):
            if one.status != "done":
                reason = one.reason or Message("the target cannot be reached")
                said.setdefault(item, Message("Beat {number} was skipped: {reason}", number=item + 1, reason=reason))
            elif one.late > LEAST_TOLD_S:
                late = Message("Beat {number} ends {late} s late", number=item + 1, late=f"{one.late:.1f}")
                said.setdefault(item, late)
        return [*said.values(), *self.balls.hits(self._shot.performance)]


def bake_of_tasks(
    armature: bpy.types.Object, context: bpy.types.Context, seed_offset: int = 0, again: bool = False
) -> TaskBake:
    """Return the bake of a character's tasks: a shot where they need one.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """
    kind = ShotBake if is_shot(armature, context) else InteractionBake
    return kind(armature, context, seed_offset=seed_offset, again=again)


def is_shot(armature: bpy.types.Object, context: bpy.types.Context) -> bool:
    """Return whether beats need more than tasks on level floor: a path, times, a strike, or another level."""
    tasks = armature.footfall.interaction_tasks
    if any(item.type in (STRIKE, *TYPES_WITH_BALL) or item.has_start or item.has_end for item in tasks):
        return True
    if any(item.type in WALK_SPEEDS_M_S and item.target is not None and is_path(item.target) for item in tasks):
        return True
    things = [thing for item in tasks for thing in (item.object, item.target) if thing is not None]
    around = ground_around(armature, context)
    if around.is_level or not things:
        return False
    floor = floor_height(armature)
    places = np.array([one.matrix_world.translation[:] for one in things])
    heights = around.walk_scene.ground.heights(places + np.array([0.0, 0.0, OVER_GROUND_M]))
    return bool((np.abs(heights[np.isfinite(heights)] - floor) > SAME_LEVEL_M).any())


def ground_around(
    armature: bpy.types.Object, context: bpy.types.Context, clock: Clock | None = None
) -> CharacterWalkScene:
    """Return the ground of the scene; without any it is level below the character."""
    place = np.append(np.array(armature.matrix_world.translation[:2]), floor_height(armature))
    return read_walk_scene(armature, context, place[None], clock)


def _ground_height(ground: Scene, place: Array) -> float:
    """Return the height of the ground below a place (3), meters; that of the place where there is none."""
    height = float(ground.heights(place[None] + [0.0, 0.0, OVER_GROUND_M])[0])
    return height if np.isfinite(height) else float(place[2])

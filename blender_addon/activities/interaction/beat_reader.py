"""Reading of a character's beats, and of the objects that they use, from the scene."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import bpy
import numpy as np

from ....core.control.interaction.putting_down import find_put_down
from ....core.control.interaction.task import InteractionTask
from ....core.control.path.path_events import Cues
from ....core.control.shot.beats import ActBeat, Beat, BeatTime, StrikeBeat, TaskBeat, WaitBeat, WalkBeat
from ....core.errors import FootfallError
from ....core.motion import Skeleton
from ....core.motion.rotations import Array
from ....core.scene.interaction_object import InteractionObject
from ....core.terrain.ground import Scene as Ground
from ...animation.fcurve_io.reader import scene_rate
from ...animation.shown_frame import shown_at
from ...scene.declared_motion import require_usable
from ...scene.mesh_ground import Clock
from ...scene.objects import SceneInteractionObject, read_interaction_object, read_obstacles
from ...scene.path_reader import is_path, read_path
from ...ui.operator_base import require_in_scene
from ..strike.targets import target_point, why_no_target
from ..walk.path_events import read_path_events
from .acts import read_act
from .beat_frames import given_frame
from .partners import cast_of, partner_beat, passed_balls
from .properties import (
    ACT,
    BALL_ACTIONS,
    DRIBBLE,
    EFFECTOR_ROLES,
    FIGHT,
    PASS_BALL,
    STRIKE,
    TYPES_WITH_OBJECT,
    TYPES_WITH_PARTNER,
    TYPES_WITH_TARGET,
    WALK_SPEEDS_M_S,
)
from .shot_balls import ShotBalls
from .shot_weapons import ShotWeapons

WAIT: Final = "idle"
OVER_GROUND_M: Final = 0.3
"""Height of the start of the ray that finds the ground below a place."""


@dataclass
class BeatReader:
    """Reading of the beats of one character in the scene's current frame.

    Attributes:
        armature: the character.
        scene: the scene.
        ground: the ground, meters, world.
        start_frame: the scene's frame at which the first beat begins.
        scale: world meters per controller meter.
        walk_rate: frames per second of the controller that follows paths; ``None`` if there is none.
        balls: the balls of the beats, filled by :meth:`read`.
        weapons: the weapons of the beats, filled by :meth:`read`.
        body: skeleton of the body that moves.
        spared: ground, which is no obstacle.
        objects: the read objects: those of tasks, then obstacles.
    """

    armature: bpy.types.Object
    scene: bpy.types.Scene
    ground: Ground
    start_frame: int
    scale: float
    walk_rate: float | None
    balls: ShotBalls
    weapons: ShotWeapons
    body: Skeleton
    spared: Sequence[bpy.types.Object] = ()
    objects: list[SceneInteractionObject] = field(default_factory=list)

    def read(self) -> list[Beat]:
        """Read the objects, and return the beats.

        Raises:
            FootfallError: a beat lacks something, or its object cannot be used.
        """
        items = self.armature.footfall.interaction_tasks
        numbers = self._read_objects(items)
        return [self._beat_of(item, index) for item, index in zip(items, numbers, strict=True)]

    def _read_objects(self, items: Sequence[bpy.types.PropertyGroup]) -> list[int]:
        """Read all objects of the scene; return the index of the object of each beat, -1 for none."""
        found: dict[str, int] = {}
        numbers = []
        for item in items:
            if item.type not in TYPES_WITH_OBJECT:
                numbers.append(-1)
                continue
            if item.object is None:
                raise FootfallError("A beat of the shot has no object: choose one")
            require_in_scene(item.object, self.scene)
            require_usable(item.object, item.type, self.scene, self.start_frame)
            name = item.object.name_full
            if name not in found:
                found[name] = len(self.objects)
                self.objects.append(read_interaction_object(item.object, item.type, self.scale))
            numbers.append(found[name])
        taken = [thing for item in items for thing in (item.object, item.weapon) if thing is not None]
        taken += passed_balls(cast_of(self.armature))
        self.objects += read_obstacles(self.scene, [*taken, *self.spared], self.scale)
        return numbers

    def _beat_of(self, item: bpy.types.PropertyGroup, object_index: int) -> Beat:
        """Return a beat of the list as one of the shot."""
        time = self._time_of(item)
        if item.type == WAIT:
            return WaitBeat(item.duration, time)
        if item.type == ACT:
            return self._act_of(item, time)
        if item.type == STRIKE:
            return self._strike_of(item, time)
        if item.type in TYPES_WITH_PARTNER:
            weapon = self.weapons.of_fight(item) if item.type == FIGHT else None
            throws = item.type == PASS_BALL and item.object is not None
            ball = self.balls.index(item.object, self.scene) if throws else -1
            return partner_beat(item, time, self.scene, weapon, ball)
        if item.type in BALL_ACTIONS:
            return self.balls.beat(item, None, time, self.scene)
        if item.type == DRIBBLE:
            return self.balls.beat(item, self._walk_of(item, time), time, self.scene)
        if item.type in WALK_SPEEDS_M_S and (self.walk_rate is not None or is_path(self._target_of(item))):
            return self.balls.with_events(self._walk_of(item, time), item)
        # A stay with an end lasts until then, whatever its duration.
        return TaskBeat(self._task_of(item, object_index), time)

    def _act_of(self, item: bpy.types.PropertyGroup, time: BeatTime) -> ActBeat:
        """Return a clip to play where the previous beat ends or, with a target, there, facing its +Y."""
        clip = read_act(item, self.armature, self.scene, self.body, self.walk_rate)
        if item.target is None:
            return ActBeat(clip, time=time)
        place, direction = self._pose_of(self._target_of(item), on_floor=True)
        return ActBeat(clip, self.scale * place[:2], direction, time)

    def _strike_of(self, item: bpy.types.PropertyGroup, time: BeatTime) -> StrikeBeat:
        """Return a strike; a target that moves is struck where it is at the end of the beat."""
        self._target_of(item)
        reason = why_no_target(item, self.armature, self.scene)
        if reason is not None:
            raise FootfallError("{reason}", reason=reason)
        tip, seen_from = self.weapons.tip(item), np.array(self.armature.matrix_world.translation[:])
        end = given_frame(item, "end", self.scene)
        with shown_at(self.scene, self.scene.frame_current if end is None else end):
            target = target_point(item, seen_from)
        return StrikeBeat(target, EFFECTOR_ROLES[item.effector], time.end, tip, item.both_hands)

    def _walk_of(self, item: bpy.types.PropertyGroup, time: BeatTime) -> WalkBeat:
        """Return a walk along a path, or to a place whose +Y the character faces while it stays there."""
        target = self._target_of(item)
        speed = item.speed or WALK_SPEEDS_M_S.get(item.type, WALK_SPEEDS_M_S["walk"])
        style = item.style if item.type == DRIBBLE else item.style or self.armature.footfall.style
        if is_path(target):
            points, cues = read_path(target).points, self._cues_of(item)
            return WalkBeat(points, speed, style, time, cues, wait=item.duration)
        place, direction = self._pose_of(target, on_floor=True)
        points = self.scale * place[None, :2]
        return WalkBeat(points, speed, style, time, direction=direction, wait=item.duration)

    def _cues_of(self, item: bpy.types.PropertyGroup) -> Cues:
        """Return the path events of a walk, if its path is the one that has them."""
        settings = self.armature.footfall
        if item.target != settings.path or not settings.path_events or self.walk_rate is None:
            return Cues()
        clock = Clock(self.start_frame, scene_rate(self.scene) / self.walk_rate)
        cues = read_path_events(self.armature, self.scene, read_path(item.target), clock)
        return replace(cues, speed_factors=None)

    def _time_of(self, item: bpy.types.PropertyGroup) -> BeatTime:
        """Return the given start and end of a beat, seconds from the first frame of the shot."""
        frames = (given_frame(item, name, self.scene) for name in ("start", "end"))
        rate = scene_rate(self.scene)
        return BeatTime(*(None if one is None else max(one - self.start_frame, 0) / rate for one in frames))

    def _task_of(self, item: bpy.types.PropertyGroup, object_index: int) -> InteractionTask:
        """Return the task of a beat, in meters of the controller."""
        place = direction = None
        if item.type in TYPES_WITH_TARGET:
            target = self._target_of(item)
            if item.type == "carry" and target.type == "MESH":
                place, stand = self._placement_on(target, self.objects[object_index].interaction_object)
                return InteractionTask(item.type, object_index, place, stand_direction=stand)
            place, direction = self._pose_of(target, on_floor=item.type != "carry")
        return InteractionTask(item.type, object_index, place, direction, duration=item.duration)

    def _target_of(self, item: bpy.types.PropertyGroup) -> bpy.types.Object:
        """Return the target of a beat."""
        if item.target is None:
            raise FootfallError("A beat of the shot has no target: choose a path, an empty or an object")
        require_in_scene(item.target, self.scene)
        return item.target

    def _placement_on(self, support: bpy.types.Object, box: InteractionObject) -> tuple[Array, Array]:
        """Return the position (3) of a box on an object, meters of the controller, and the bearer's side (2)."""
        surface = read_interaction_object(support, "", self.scale).interaction_object
        others = [
            one.interaction_object.posed_collider for one in self.objects if one.interaction_object.name != box.name
        ]
        return find_put_down(surface, box, others)

    def _pose_of(self, target: bpy.types.Object, on_floor: bool) -> tuple[Array, Array]:
        """Return the position (3), meters of the controller, and the direction (2) that a target gives."""
        matrix = np.array(target.matrix_world)
        position, front = matrix[:3, 3].copy(), matrix[:2, 1]
        if on_floor:
            position[2] = ground_height(self.ground, position)
        length = float(np.linalg.norm(front))
        return position / self.scale, front / length if length > 1e-6 else np.array([0.0, 1.0])


def ground_height(ground: Ground, place: Array) -> float:
    """Return the height of the ground below a position (3), meters; without ground, the position's own height."""
    height = float(ground.heights(place[None] + [0.0, 0.0, OVER_GROUND_M])[0])
    return height if np.isfinite(height) else float(place[2])

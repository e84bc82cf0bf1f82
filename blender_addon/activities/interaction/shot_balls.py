"""The balls of a shot: objects of the scene, and the ball of a walk's path events."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ....core.ball.ball_track import BallTrack
from ....core.control.ball.ball_plan import GAINS, in_order
from ....core.control.ball.dribble import plays_ball
from ....core.control.path.path_events import Cues
from ....core.control.performance import ObjectTrack, Performance
from ....core.control.shot.balls import BallState
from ....core.control.shot.beats import BallBeat, BeatTime, DribbleBeat, WalkBeat
from ....core.errors import FootfallError
from ....core.message import Message
from ....core.models.model_file import ControllerModel
from ....core.motion.rotations import Array, unroll
from ...animation.layers import keep_with_record
from ...animation.output import BakeOutput
from ...controllers import library
from ...label.ball_object import BALL_PROPERTY, find_ball, place_ball
from ...ui.operator_base import require_in_scene
from ..walk.ball_cues import require_free_flight
from .properties import BALL_ACTIONS

OWN_BALL: Final = "\nball of path events"
"""Name of the ball of path events in a shot, which no object can have."""
RADII_M: Final = (0.03, 0.4)
"""Smallest and largest radius of a mesh that counts as a ball."""
ROUNDNESS: Final = 0.05
"""Largest deviation of a ball's vertices from a sphere, as a share of its radius."""
FEWEST_VERTICES: Final = 12


class ShotBalls:
    """The balls of a character's shot, in the order in which its beats use them.

    Attributes:
        origins: matrix of the object and center (3) of each ball that is an object of the scene, by its full name.
        states: the state of each ball at first.
    """

    def __init__(self, armature: bpy.types.Object) -> None:
        self._armature = armature
        self.origins: dict[str, tuple[Matrix, Array]] = {}
        self.states: list[BallState] = []

    @property
    def names(self) -> tuple[str, ...]:
        """Full names of the balls that are objects of the scene."""
        return tuple(self.origins)

    def index(self, ball: bpy.types.Object | None, scene: bpy.types.Scene) -> int:
        """Return the index of a ball among those of the shot."""
        if ball is None:
            raise FootfallError("A beat of the shot has no ball: choose one")
        require_in_scene(ball, scene)
        name = ball.name_full
        if name not in self.origins:
            center, radius = sphere_of(ball)
            self.origins[name] = ball.matrix_world.copy(), center
            self.states.append(BallState.at(name, center, radius))
        return next(index for index, one in enumerate(self.states) if one.name == name)

    def _own_index(self, cues: Cues) -> int:
        """Return the index of the ball of path events; without a pick-up or catch first, it is in the hands."""
        index = next((index for index, one in enumerate(self.states) if one.name == OWN_BALL), -1)
        if index >= 0:
            return index
        order, radius = in_order(cues.balls), float(self._armature.footfall.ball_radius)
        is_held = not order or order[0].action not in GAINS
        self.states.append(BallState(OWN_BALL, np.zeros((0, 3)), np.zeros((0, 4)), radius, is_held))
        return len(self.states) - 1

    def beat(
        self, item: bpy.types.PropertyGroup, walk: WalkBeat | None, time: BeatTime, scene: bpy.types.Scene
    ) -> BallBeat | DribbleBeat:
        """Return the beat that an item of the list describes, with its ball.

        Args:
            item: the item.
            walk: the walk of a dribble.
            time: times of the beat.
            scene: the scene.
        """
        ball = self.index(item.object, scene)
        if walk is not None:
            return DribbleBeat(replace(walk, ball=ball), item.hand.lower())
        action: Any = BALL_ACTIONS[item.type]
        point = None if item.target is None else np.array(item.target.matrix_world.translation[:])
        if action == "put_down":
            return BallBeat(action, ball, None if point is None else point[:2], time=time)
        return BallBeat(action, ball, target=point, time=time)

    def with_events(self, walk: WalkBeat, item: bpy.types.PropertyGroup) -> WalkBeat | DribbleBeat:
        """Return a walk with the ball of its path events, or with the dribble that the character's settings request."""
        settings = self._armature.footfall
        dribbles = settings.ball != "NONE" and item.target == settings.path
        if not walk.cues.balls and not dribbles:
            return walk
        walk = replace(walk, ball=self._own_index(walk.cues))
        return DribbleBeat(walk, settings.ball.lower()) if dribbles else walk

    def tracks(self, performance: Performance) -> Iterator[ObjectTrack]:
        """Yield the motion of the origin of each ball of the scene that moves, and that of the path events' ball."""
        for track in performance.objects:
            if not track.in_palms:
                continue
            if track.name == OWN_BALL:
                yield track
            elif track.moves:
                matrix, center = self.origins[track.name]
                local = Matrix.Translation(Vector(center)).inverted() @ matrix
                poses = [
                    (Matrix.LocRotScale(Vector(place), Quaternion(turn), None) @ local).decompose()
                    for place, turn in zip(track.positions.tolist(), track.rotations.tolist(), strict=True)
                ]
                places, turns = (np.array([one[part][:] for one in poses]) for part in (0, 1))
                yield replace(track, positions=places, rotations=unroll(turns))

    def hits(self, performance: Performance) -> Iterator[Message]:
        """Yield a sentence for each ball that flies through an object of the scene."""
        beats = (*self._armature.footfall.interaction_tasks, *self._armature.footfall.path_events)
        spared = [thing for one in beats for thing in (one.target, getattr(one, "object", None)) if thing is not None]
        tracks = {one.name: one for one in performance.objects}
        for state in (one for one in self.states if one.name in tracks):
            track = _ball_track(tracks[state.name], performance.clip.rate, state.radius)
            try:
                require_free_flight(track, np.zeros(len(track), dtype=bool), spared, bpy.context)
            except FootfallError as error:
                yield Message("{reason}", reason=error)

    def place_own(
        self, made: BakeOutput, shown: Performance, first_frame: int, scene: bpy.types.Scene
    ) -> tuple[BakeOutput, Performance]:
        """Key the ball of the path events; return the bake and its performance without that ball."""
        own = next((one for one in shown.objects if one.name == OWN_BALL), None)
        if own is None:
            return made, shown
        armature, action = self._armature, made.record.action
        radius = next(one.radius for one in self.states if one.name == OWN_BALL)
        track = _ball_track(own, shown.clip.rate, radius)
        is_new = find_ball(armature) is None
        ball = place_ball(armature, action, track, first_frame, scene)
        keep_with_record(armature, action, ball, is_new)
        others = tuple(one for one in shown.objects if one.name != OWN_BALL)
        before = type(made.moved_before)(one for one in made.moved_before if one != ball)
        return replace(made, moved_before=before), replace(shown, objects=others)


def _ball_track(track: ObjectTrack, rate: float, radius: float) -> BallTrack:
    """Return the motion of a ball that is an object of a shot."""
    held = np.repeat(track.held[:, None], 2, axis=1)
    return BallTrack(rate, radius, track.positions, track.rotations, held)


def share_balls(balls: Mapping[str, ShotBalls], passed: Sequence[bpy.types.Object]) -> None:
    """Let each shot of a cast, by its character's name, key the balls that characters pass to each other.

    Raises:
        FootfallError: another ball is in the shots of two characters.
    """
    owners, shared = dict[str, str](), {ball.name_full for ball in passed}
    for name, one in balls.items():
        for ball in (ball for ball in one.names if ball not in shared):
            if ball in owners:
                raise FootfallError(
                    "'{first}' and '{second}' both play with '{ball}': give each shot a ball of its own",
                    first=owners[ball],
                    second=name,
                    ball=ball,
                )
            owners[ball] = name
    origins = {ball: one.origins[ball] for one in balls.values() for ball in one.names if ball in shared}
    for one in balls.values():
        one.origins |= origins


def walkers(walks: ControllerModel, needs_dribbles: bool) -> tuple[ControllerModel, ControllerModel | None]:
    """Return the controllers that walk and dribble in a shot, given the chosen one, which may do either."""
    if plays_ball(walks):
        return library.load(f"preset:{library.DEFAULT_STEM}", "")[1], walks
    return walks, library.load("preset:dribble", "")[1] if needs_dribbles else None


def is_ball(thing: bpy.types.Object) -> bool:
    """Return whether an object is a ball, by its mark or by its shape and size."""
    if BALL_PROPERTY in thing:
        return True
    if thing.type != "MESH" or len(thing.data.vertices) < FEWEST_VERTICES:
        return False
    center, radius = sphere_of(thing)
    away = np.linalg.norm(_vertices(thing) - center, axis=1)
    return RADII_M[0] < radius < RADII_M[1] and bool(np.abs(away / radius - 1.0).max() < ROUNDNESS)


def sphere_of(ball: bpy.types.Object) -> tuple[Array, float]:
    """Return the center (3) and radius of the sphere around a mesh, meters, world."""
    if ball.type != "MESH" or not len(ball.data.vertices):
        raise FootfallError("'{name}' is not a mesh: choose a mesh as the ball, or convert it", name=ball.name)
    vertices = _vertices(ball)
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    return (low + high) / 2, float((high - low).mean() / 2)


def _vertices(thing: bpy.types.Object) -> Array:
    """Return the vertices (V, 3) of a mesh, meters, world."""
    values = np.empty(3 * len(thing.data.vertices), dtype=np.float32)
    thing.data.vertices.foreach_get("co", values)
    matrix = np.array(thing.matrix_world, dtype=float)
    return values.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]

"""Relations: rules for the place and facing of a character that responds to the motion of another one.

The rules are not captured motion. The other character is seen with a reaction time (people take 0.2 to 0.3 s for simple
and choice reactions to motion; Welford 1980), and its motion since then is extrapolated from its velocity. The response
has limits of speed and acceleration, and goes along walls and ledges instead of through them. Only the character's
poses are learned.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...errors import FootfallError
from ...motion.root_frame import RootTrack, facing_direction, yaw_of
from ...motion.rotations import Array, wrap_angle
from ...terrain.ground import Plane
from ...terrain.walk_scene import WalkScene
from ...tuning import Tuning, tuned
from ..navigation.clearance import clear_velocity, level_at, levels_along, reached_level
from ..path.velocity_profile import TUNING as VELOCITY_PROFILE_TUNING
from ..runtime.body_state import BodyState
from .relation_kinds import RelationKind


@dataclass(frozen=True, slots=True)
class RelationTuning(Tuning):
    distance_range: tuple[float, float] = tuned((0.6, 5.0), "m", 0.3, 20.0)
    """Range of distances between roots that can be requested; at smaller ones, arms would touch."""
    reaction: float = tuned(0.25, "s", 0.0, 2.0)
    """Reaction time: delay with which a character sees the other character's motion."""
    velocity_window: float = tuned(0.2, "s", 0.05, 2.0)
    """Time over which the other character's velocity is averaged."""
    approach: float = tuned(0.5, "s", 0.05, 5.0)
    """Time constant with which the character approaches its target position."""
    max_speed: float = tuned(3.0, "m/s", 0.5, 8.0)
    """Highest speed of a character that faces its direction of travel; otherwise it is ``MAX_STRAFE_SPEED_M_S``."""
    max_acceleration: float = tuned(2.5, "m/s^2", 0.2, 20.0)
    """Highest acceleration of the character."""
    start_error: float = tuned(0.18, "m", 0.01, 1.0)
    """Distance from its target position at which a standing character starts to move."""
    stop_error: float = tuned(0.06, "m", 0.005, 1.0)
    """Distance from its target position at which a moving character stops."""
    other_stands: float = tuned(0.2, "m/s", 0.01, 1.0)
    """Speed below which the other character counts as standing."""
    turn: float = tuned(0.25, "s", 0.05, 5.0)
    """Time constant with which the character turns toward the other."""
    max_turn: float = tuned(3.0, "rad/s", 0.1, 15.0)
    """Highest turning speed of the character."""
    start_turn: float = tuned(0.45, "rad", 0.0, np.pi)
    """Angle to the other character beyond which a standing character turns; below it only the head turns."""
    max_goal_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Position of a defender between the other character, 0, and the defended goal, 1, at most."""
    tangent: float = tuned(0.1, "m", 0.01, 1.0)
    """Length of the other character's trail over which the trail's direction is measured."""
    leaving: float = tuned(0.3, "m", 0.01, 2.0)
    """Distance that the other character must travel before its initial direction counts as known."""
    max_step: float = tuned(0.6, "rad", 0.05, np.pi)
    """Largest angle, seen from the other character, from the character's position to its next target."""
    first_turns: tuple[float, ...] = tuned(
        tuple(np.radians((0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0, 120.0, -120.0, 150.0, -150.0, 180.0))),
        "rad",
        -np.pi,
        np.pi,
    )
    """Angles about the other character, positive to the left, to try for a free starting position, in this order."""
    smoothing: float = tuned(0.12, "s", 0.01, 1.0)
    """Standard deviation of the Gaussian that smooths the character's track."""


TUNING: Final = RelationTuning()


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """A relation of one character to another, with lengths at a common scale.

    Attributes:
        kind: one of ``relation_kinds.RELATIONS``.
        distance: distance to keep between the roots, meters.
        speed: speed of circling, m/s; positive to the left around the other character.
        goal: (2) defended position, meters; ``None`` for other kinds.
    """

    kind: RelationKind
    distance: float
    speed: float = 0.8
    goal: Array | None = None

    def scaled(self, factor: float) -> "Relation":
        """Return the relation with every length multiplied by a factor."""
        goal = None if self.goal is None else self.goal * factor
        return Relation(self.kind, self.distance * factor, self.speed * factor, goal)


def require_possible(relation: Relation) -> None:
    """Raise :class:`FootfallError` if no character can keep a relation, whose lengths are in world meters."""
    low, high = TUNING.distance_range
    if not low <= relation.distance <= high:
        raise FootfallError(
            "The distance to the other character cannot be {distance} m: choose one from {low} to {high} m",
            distance=f"{relation.distance:g}",
            low=f"{low:g}",
            high=f"{high:g}",
        )
    if relation.kind == "defend" and relation.goal is None:
        raise FootfallError("There is no goal to defend: choose an object as the goal")


@dataclass(frozen=True, slots=True, eq=False)
class AnswerTrack:
    """The places and facings, at each of T frames, of a character that responds to its partner.

    Attributes:
        roots: positions (T, 2), meters, and yaws (T), radians, of the character's root.
        levels: (T) heights of the ground under the roots, meters.
    """

    roots: RootTrack
    levels: Array


def answer_motion(
    relation: Relation,
    other: RootTrack,
    rate: float,
    scene: WalkScene | None = None,
    level: float = 0.0,
    size: float = 1.0,
    begin: BodyState | None = None,
) -> AnswerTrack:
    """Return the track of a character that responds to its partner.

    By default the track starts where the relation requires.

    Args:
        relation: relation to keep, in meters at the tracks' scale.
        other: smoothed roots of the other character.
        rate: frames per second.
        scene: ground and walls, in meters at the tracks' scale; by default level ground at `level`.
        level: height of the ground below the other character's start, meters.
        size: size of the body relative to an adult's.
        begin: state of a moving body to continue from, in meters at the tracks' scale; by default a standing body.

    Raises:
        FootfallError: there is no room for the character where the other one begins.
    """
    scene, seen = scene or WalkScene(Plane(level)), _SeenCharacter(other, rate)
    if begin is None:
        position, height = _first_place(relation, seen, scene, level, size)
        velocity, yaw = np.zeros(2), float(yaw_of(seen.position(0) - position))
    else:
        position, height, velocity, yaw = begin.position, begin.level, begin.velocity, begin.yaw
    turning = 0.0
    positions, yaws, goes, turns, first_height = [position], [yaw], False, False, height
    for frame in range(1, len(other.positions)):
        place, drift = _place(relation, seen, frame, position)
        error, other_speed = place - position, float(np.linalg.norm(seen.velocity(frame)))
        apart = float(np.linalg.norm(error))
        goes = (
            relation.kind == "circle"
            or other_speed > TUNING.other_stands
            or apart > (TUNING.stop_error if goes else TUNING.start_error)
        )
        wanted = _limited(drift + error / TUNING.approach, TUNING.max_speed) if goes else np.zeros(2)
        wanted = _limited(wanted, _fastest(wanted, yaw))
        wanted = clear_velocity(scene, np.append(position, height), wanted, frame, size)
        velocity = velocity + _limited(wanted - velocity, TUNING.max_acceleration / rate)
        position = position + velocity / rate
        height = level_at(scene, position, height, frame, size)
        angle = float(wrap_angle(float(yaw_of(seen.position(frame) - position)) - yaw))
        turns = goes or abs(angle) > (TUNING.start_turn if not turns else TUNING.start_turn / 4)
        aim = float(np.clip(angle / TUNING.turn, -TUNING.max_turn, TUNING.max_turn)) if turns else 0.0
        turning += (aim - turning) * min(1.0, 1 / (TUNING.smoothing * rate))
        yaw += turning / rate
        positions.append(position)
        yaws.append(yaw)
    roots = RootTrack(
        _smooth(np.array(positions), TUNING.smoothing * rate), _smooth(np.array(yaws), TUNING.smoothing * rate / 2)
    )
    return AnswerTrack(roots, levels_along(scene, roots.positions, first_height, size))


def _first_place(
    relation: Relation, seen: "_SeenCharacter", scene: WalkScene, level: float, size: float
) -> tuple[Array, float]:
    """Return a character's initial position (2) and the height of the ground there, meters.

    If the place that the relation asks for is blocked, the nearest free one around the other character is used.
    """
    center = np.append(seen.position(0), level)
    away = _place(relation, seen, 0, None)[0] - center[:2]
    radius, yaw = float(np.linalg.norm(away)), float(yaw_of(away))
    for turn in TUNING.first_turns:
        place = center[:2] + radius * _direction(yaw + turn)
        height = reached_level(scene, center, place, 0.0, size)
        if height is not None:
            return place, height
    raise FootfallError(
        "There is no room at the distance of {distance} m from the partner's start: choose another distance, "
        "or move the partner",
        distance=f"{radius:.2g}",
    )


class _SeenCharacter:
    """Another character as it is seen: with a delay, and extrapolated by its velocity.

    Args:
        track: roots of the other character.
        rate: frames per second.
    """

    def __init__(self, track: RootTrack, rate: float) -> None:
        self._track, self._rate = track, rate
        self._late, self._window = round(TUNING.reaction * rate), max(round(TUNING.velocity_window * rate), 1)
        steps = np.linalg.norm(np.diff(track.positions, axis=0), axis=-1)
        self._lengths = np.concatenate([[0.0], np.cumsum(steps)])

    def velocity(self, frame: int) -> Array:
        """Return the other character's velocity (2), m/s, world, over the latest window of time seen at a frame."""
        last = max(frame - self._late, 0)
        first = max(last - self._window, 0)
        span = max(last - first, 1) / self._rate
        return (self._track.positions[last] - self._track.positions[first]) / span

    def position(self, frame: int) -> Array:
        """Return the other character's position (2), meters, world, at a frame, extrapolated from the one last seen."""
        return self._track.positions[max(frame - self._late, 0)] + self.velocity(frame) * TUNING.reaction

    def yaw(self, frame: int) -> float:
        """Return the yaw, radians, that the other character was last seen to have at a frame."""
        return float(self._track.yaws[max(frame - self._late, 0)])

    def trail(self, frame: int, distance: float) -> tuple[Array, Array]:
        """Return a point (2) on the other character's trail, `distance` meters behind it, and its velocity (2), m/s."""
        speed, last = float(np.linalg.norm(self.velocity(frame))), max(frame - self._late, 0)
        length = float(self._lengths[last]) + speed * TUNING.reaction - distance
        place = self._on_trail(length, last)
        ahead = self._on_trail(length + TUNING.tangent, last) - place
        return place, ahead / max(float(np.linalg.norm(ahead)), 1e-9) * speed

    def _on_trail(self, length: float, last: int) -> Array:
        """Return the point (2) at an arc length of the trail up to a frame, meters.

        Before 0 the trail is a straight line.
        """
        points, lengths = self._track.positions[: last + 1], self._lengths[: last + 1]
        reached = np.stack([np.interp(length, lengths, axis) for axis in points.T], axis=-1)
        return reached + min(length, 0.0) * self._leaving()

    def _leaving(self) -> Array:
        """Return the other character's initial direction (2): that of its first movement, otherwise its facing."""
        gone = self._track.positions[int(np.searchsorted(self._lengths, TUNING.leaving, side="right")) - 1]
        away = gone - self._track.positions[0]
        size = float(np.linalg.norm(away))
        return away / size if size > TUNING.tangent else facing_direction(self._track.yaws[0])


def _place(relation: Relation, seen: _SeenCharacter, frame: int, position: Array | None) -> tuple[Array, Array]:
    """Return the position (2) that a relation requires at a frame, meters, and the velocity (2) of that position, m/s.

    Args:
        relation: the relation.
        seen: the other character.
        frame: the frame.
        position: (2) position of the character; `None` before the first frame.
    """
    if relation.kind == "follow":
        return seen.trail(frame, relation.distance)
    center, drift, radius = seen.position(frame), seen.velocity(frame), relation.distance
    wanted = seen.yaw(frame)
    if relation.kind == "defend" and relation.goal is not None:
        away = relation.goal - center
        size = float(np.linalg.norm(away))
        wanted, radius = float(yaw_of(away)), min(radius, TUNING.max_goal_share * size)
    if position is None:
        return center + radius * _direction(wanted), drift
    # The character goes around the other one to its target position, never through it.
    now = float(yaw_of(position - center))
    if relation.kind == "circle":
        turn = relation.speed / radius
        return center + radius * _direction(now), drift + radius * turn * _direction(now + np.pi / 2)
    step = float(np.clip(wrap_angle(wanted - now), -TUNING.max_step, TUNING.max_step))
    return center + radius * _direction(now + step), drift


def _fastest(velocity: Array, yaw: float) -> float:
    """Return the highest speed, m/s, of a body with a yaw, radians, in the direction of a velocity (2)."""
    along = float(velocity @ _direction(yaw)) / max(float(np.linalg.norm(velocity)), 1e-9)
    sideways = VELOCITY_PROFILE_TUNING.max_strafe_speed
    return sideways + (TUNING.max_speed - sideways) * max(along, 0.0) ** 2


def _direction(yaw: float) -> Array:
    """Return the direction (2) of a yaw, radians."""
    return facing_direction(np.asarray(yaw))


def _smooth(values: Array, sigma: float) -> Array:
    """Return values (T, ...) smoothed by a Gaussian with standard deviation `sigma`, in frames.

    Ends are extrapolated.
    """
    pad = min(int(4 * sigma) + 1, len(values) - 1)
    wide = np.pad(values, ((pad, pad), *((0, 0),) * (values.ndim - 1)), mode="reflect", reflect_type="odd")
    return scipy.ndimage.gaussian_filter1d(wide, sigma, axis=0)[pad : len(wide) - pad]


def _limited(vector: Array, largest: float) -> Array:
    """Return a vector (2), shortened to `largest` if it is longer."""
    return vector * min(1.0, largest / max(float(np.linalg.norm(vector)), 1e-9))

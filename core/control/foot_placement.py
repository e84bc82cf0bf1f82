"""Where a foot goes so that heel and ball stay where they touch, and neither is under the ground.

A foot is a rigid sole between two points, its heel and its ball. While the ball touches, the foot hangs on the ball;
while only the heel does, on the heel, over which it comes down; in between the one takes over from the other.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..labelling.sensors import ADULT_LEG
from ..labelling.signals import runs_of
from ..labelling.soles import BALL_HEIGHT, flat_frames
from ..motion import Clip
from ..motion.blending import carried
from ..motion.limb import Leg
from ..motion.rotations import Array, between, exp, inverse, multiply, normalize, rotate
from ..retarget.contacts import Soles
from ..retarget.retarget import ANKLE_HEIGHT, TOE_HEIGHT
from ..terrain.ground import Ground

# Seconds over which a correction fades beside a contact.
BLEND: Final = 0.15
# Metres, of an adult, above a foot from which the ground under it is looked for.
ABOVE: Final = 0.4


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """The frames (F) in which a foot's heel and ball are held."""

    heel: NDArray[np.bool_]
    ball: NDArray[np.bool_]


def place_foot(clip: Clip, leg: Leg, touch: Touch, ground: Ground) -> tuple[Array, Array]:
    """Where the ankle (F, 3) goes, metres, and by how much the foot turns (F, 4), both of the world."""
    scale = clip.skeleton.leg_length / ADULT_LEG
    ankle = clip.positions[:, leg.foot]
    soles = Soles.of(clip, leg)
    ankle_floor = Floor(ground, ANKLE_HEIGHT * scale, ABOVE * scale)
    if leg.toe is None:
        return _held(ankle, touch.heel, clip.rate, None), np.tile([1.0, 0.0, 0.0, 0.0], (len(clip), 1))
    low = Floor(ground, (TOE_HEIGHT - BALL_HEIGHT) * scale, ABOVE * scale)
    # Where the foot is flat nowhere, its heel is not known and the ankle stands for it.
    heel_floor = ankle_floor if np.allclose(soles.heel, ankle) else low
    new = _Placement(soles, touch, clip.rate, heel_floor, Floor(ground, TOE_HEIGHT * scale, ABOVE * scale)).soles()
    turn = between(soles.ball - soles.heel, new.ball - new.heel)
    turn = multiply(_levelled(clip, leg, touch, new, turn, ground), turn)
    return new.heel + rotate(turn, ankle - soles.heel), turn


def _levelled(clip: Clip, leg: Leg, touch: Touch, new: Soles, turn: Array, ground: Ground) -> Array:
    """How the turned foot rolls (F, 4) about the line from heel to ball, so that its sole lies on the ground.

    It does so while both touch; beside that the roll fades.
    """
    assert leg.toe is not None
    runs = runs_of(touch.heel & touch.ball)
    flat = flat_frames(clip, leg.foot, leg.toe)
    axis = normalize(new.ball - new.heel)
    if len(runs) == 0 or len(flat) == 0:
        return np.tile([1.0, 0.0, 0.0, 0.0], (len(clip), 1))
    feet = clip.world[1][:, leg.foot]
    up = np.median(rotate(inverse(feet[flat]), np.broadcast_to([0.0, 0.0, 1.0], (len(flat), 3))), axis=0)
    own = rotate(multiply(turn, feet), np.broadcast_to(up, axis.shape))
    above = np.array([0.0, 0.0, ABOVE * clip.skeleton.leg_length / ADULT_LEG])
    wanted = ground.normals((new.heel + new.ball) / 2 + above)
    side = np.cross(axis, own)
    angle = np.arctan2(np.sum(wanted * side, axis=-1), np.sum(wanted * own, axis=-1))[:, None]
    correction = np.zeros_like(angle)
    for start, stop in runs:
        correction[start:stop] = angle[start:stop]
    rolled = carried(correction, runs, max(round(BLEND * clip.rate), 1))
    return exp(rolled * axis)


def resting_place(track: Array, start: int, stop: int) -> Array:
    """Where a point (F, 3) rests during a run: the mean of the run's middle half."""
    quarter = (stop - start) // 4
    return track[start + quarter : max(stop - quarter, start + quarter + 1)].mean(axis=0)


@dataclass(frozen=True, slots=True)
class Floor:
    """The least heights, metres, that a point of a foot may have.

    Attributes:
        ground: what is stood on.
        clearance: how high the point is above the sole.
        above: from how far above a point the ground under it is looked for.
    """

    ground: Ground
    clearance: float
    above: float

    def under(self, points: Array) -> Array:
        """The least heights (...) at points (..., 3); no bound where there is no ground."""
        heights = self.ground.heights(points + np.array([0.0, 0.0, self.above]))
        return np.where(np.isnan(heights), -np.inf, heights + self.clearance)

    def on(self, place: Array) -> Array:
        """The place (3), put on the ground where there is any."""
        height = float(self.under(place))
        return np.array([place[0], place[1], height if np.isfinite(height) else place[2]])


@dataclass(frozen=True, slots=True, eq=False)
class _Placement:
    """One foot's way: its soles as they were, when they touch, and the floors of heel and ball."""

    old: Soles
    touch: Touch
    rate: float
    heel_floor: Floor
    ball_floor: Floor

    def soles(self) -> Soles:
        """The soles as they shall be: as long as they were, at rest where they touch."""
        touch, length = self.touch, np.linalg.norm(self.old.ball - self.old.heel, axis=-1, keepdims=True)
        ball = _held(self.old.ball, touch.ball, self.rate, self.ball_floor.on)
        heel = _held(self.old.heel + (ball - self.old.ball), touch.heel, self.rate, self.heel_floor.on)
        heel = self._flat(heel, ball, length)
        ball[:, 2] = np.maximum(ball[:, 2], self.ball_floor.under(ball))
        heel[:, 2] = np.maximum(heel[:, 2], self.heel_floor.under(heel))
        along = normalize(ball - heel)
        hung = _ball_carries(touch)[:, None]
        heel = hung * (ball - along * length) + (1 - hung) * heel
        return self._raised(Soles(heel, heel + along * length))

    def _flat(self, heel: Array, ball: Array, length: Array) -> Array:
        """The heel (F, 3) at rest where the flat foot, whose ball stands too, has it."""
        flat = self.touch.heel & self.touch.ball
        correction = np.zeros_like(heel)
        runs = runs_of(self.touch.heel)
        if len(runs) == 0:
            return heel
        for start, stop in runs:
            both = start + np.flatnonzero(flat[start:stop])
            place = heel[start]
            if len(both):
                place = (ball[both] - normalize(ball[both] - heel[both]) * length[both]).mean(axis=0)
            correction[start:stop] = place - heel[start:stop]
        return heel + carried(correction, runs, max(round(BLEND * self.rate), 1))

    def _raised(self, soles: Soles) -> Soles:
        """The soles (F, 3), raised where a point of a foot that does not touch would be under the ground."""
        depth = np.maximum(
            self.heel_floor.under(soles.heel) - soles.heel[:, 2], self.ball_floor.under(soles.ball) - soles.ball[:, 2]
        )
        lift = np.stack([np.zeros_like(depth), np.zeros_like(depth), np.maximum(depth, 0.0)], axis=-1)
        lift[self.touch.heel | self.touch.ball] = 0.0
        return Soles(soles.heel + lift, soles.ball + lift)


def _ball_carries(touch: Touch) -> Array:
    """The share (F) of the ball in where the foot is: 1 while it touches, 0 while only the heel does."""
    known = np.flatnonzero(touch.ball | touch.heel)
    if len(known) == 0:
        return np.ones(len(touch.ball))
    return np.interp(np.arange(len(touch.ball)), known, touch.ball[known].astype(float))


def _held(track: Array, held: NDArray[np.bool_], rate: float, put: Callable[[Array], Array] | None) -> Array:
    """The track (F, 3) brought to rest at one place during each run of ``held``, and smoothly back to itself between.

    The place is the mean of the run's middle half, as ``put`` puts it on the ground.
    """
    runs = runs_of(held)
    if len(runs) == 0:
        return track.copy()
    correction = np.zeros_like(track)
    for start, stop in runs:
        place = resting_place(track, start, stop)
        correction[start:stop] = (place if put is None else put(place)) - track[start:stop]
    return track + carried(correction, runs, max(round(BLEND * rate), 1))

"""Where a foot goes so that heel and ball stay where they touch, and neither is under the ground.

A foot is a rigid sole between two points, its heel and its ball. While the ball touches, the foot hangs on the ball;
while only the heel does, on the heel, over which it comes down; in between the one takes over from the other.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.blending import carried
from ...motion.heel import BALL_HEIGHT, flat_frames
from ...motion.limb_ik import Leg
from ...motion.proportions import ADULT_LEG, ANKLE_HEIGHT, TOE_HEIGHT
from ...motion.rotations import UP, Array, between, exp, inverse, multiply, normalize, rotate
from ...motion.signals import runs_of
from ...retarget.contacts import Soles
from ...terrain.ground import Scene, heights_over
from .foothold import Foothold, LegReach, find_foothold
from .swing_clearance import swing_lift

# Seconds over which a correction fades beside a contact.
CONTACT_BLEND_S: Final = 0.15
# Metres, of an adult, above a foot from which the ground under it is looked for.
GROUND_PROBE_HEIGHT_M: Final = 0.4
# Rise of a foot that is tipped up to lie on a step, as a share of its length.
MAX_FOOT_RISE_RATIO: Final = 0.9
# Metres, of an adult, that the end of the toes is above their sole.
TOE_TIP_HEIGHT_M: Final = 0.02
# Share of the leg by which hips sink for a foothold before another one is better.
HIP_SINK_SHARE: Final = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class SoleContacts:
    """The frames (F) in which a foot's heel and ball are held."""

    heel: NDArray[np.bool_]
    ball: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class FootPose:
    """Where a foot goes: its ankle (F, 3), metres, and by how much foot and toes turn (F, 4), all of the world."""

    ankle: Array
    foot_rotation: Array
    toe_rotation: Array


def solve_foot(clip: Clip, leg: Leg, contacts: SoleContacts, scene: Scene, standing: Clip) -> FootPose:
    """Where a foot goes over a scene so that it stays where it touches.

    ``standing`` is the same body on level ground: its flat feet say where heels and soles are.
    """
    scale = clip.skeleton.leg_length / ADULT_LEG
    foot = _FootSolver(clip, leg, contacts, scene, standing, scale)
    if leg.toe is None:
        still = np.tile([1.0, 0.0, 0.0, 0.0], (len(clip), 1))
        return FootPose(foot.solve_ankle(), still, still)
    old, new = foot.original, foot.solve_soles()
    turn = between(old.ball - old.heel, new.ball - new.heel)
    turn = multiply(_sole_roll(foot, new, turn), turn)
    ankle = new.heel + rotate(turn, clip.positions[:, leg.foot] - old.heel)
    return FootPose(ankle, turn, multiply(_toe_bend(foot, turn), turn))


def rest_position(track: Array, start: int, stop: int) -> Array:
    """Where a point (F, 3) rests during a run: the mean of the run's middle half."""
    quarter = (stop - start) // 4
    return track[start + quarter : max(stop - quarter, start + quarter + 1)].mean(axis=0)


def carry_to_middle_frame(scene: Scene, track: Array, start: int, stop: int, probe_height: float) -> Array:
    """Where the ground carries the points (F, 3) of a run's frames (N, 3) to by, or from, the run's middle frame.

    Args:
        scene: what is stood on.
        track: metres, world; they may be somewhat in the ground.
        start, stop: the run.
        probe_height: from how far above the points the ground is looked for, metres.
    """
    if scene.steady:
        return track[start:stop]
    up, middle = UP * probe_height, (start + stop - 1) // 2
    return np.concatenate([scene.carried(track[f : f + 1] + up, f, middle) for f in range(start, stop)]) - up


@dataclass(frozen=True, slots=True, eq=False)
class _LockTargets:
    """Where points of a foot are held during its contacts: places (F, 3), metres, NaN elsewhere; normals under them."""

    heel: Array
    ball: Array
    normal: Array


@dataclass(frozen=True, eq=False)
class _FootSolver:
    """One foot's way: how it was, when it touches, and what it may stand on."""

    clip: Clip
    leg: Leg
    contacts: SoleContacts
    scene: Scene
    standing: Clip
    scale: float

    @cached_property
    def original(self) -> Soles:
        """The soles as they were."""
        return Soles.of(self.clip, self.leg, self.standing)

    @cached_property
    def toe_vectors(self) -> Array:
        """From the ball to the tip of the toes (F, 3), metres, as they were."""
        assert self.leg.toe is not None
        rotations = self.clip.world[1][:, self.leg.toe]
        return rotate(rotations, np.broadcast_to(self.clip.skeleton.tips[self.leg.toe], (len(rotations), 3)))

    @cached_property
    def sole_heights(self) -> tuple[float, float]:
        """How high heel and ball are above the sole, metres."""
        # Where the foot is flat nowhere, its heel is not known and the ankle stands for it.
        known = not np.allclose(self.original.heel, self.clip.positions[:, self.leg.foot])
        return (TOE_HEIGHT - BALL_HEIGHT if known else ANKLE_HEIGHT) * self.scale, TOE_HEIGHT * self.scale

    @cached_property
    def lock_targets(self) -> _LockTargets:
        """Where it is held, and what lies under it."""
        old, touch, (heel_above, ball_above) = self.original, self.contacts, self.sole_heights
        holds = _LockTargets(*(np.full_like(old.ball, np.nan) for _ in range(3)))
        found: list[tuple[int, int, Foothold]] = []
        for start, stop in runs_of(touch.ball):
            both = start + np.flatnonzero(touch.heel[start:stop])
            heel = None if len(both) else self._raised_offset(old.heel - old.ball, ball_above - heel_above, start, stop)
            hold = self._find_foothold(old.ball, start, stop, both if len(both) else None, heel)
            found.append((start, stop, hold))
            holds.ball[start:stop] = self._carry_with_ground(
                hold.point + hold.normal * ball_above, hold.frame, start, stop
            )
            holds.normal[start:stop] = hold.normal
        for start, stop in runs_of(touch.heel):
            shared = [(min(stop, b) - max(start, a), a, b, hold) for a, b, hold in found]
            most, begin, end, hold = max(shared, default=(0, 0, 0, None), key=lambda one: one[0])
            if most <= 0 or hold is None:
                ball = self._raised_offset(old.ball - old.heel, heel_above - ball_above, start, stop)
                hold = self._find_foothold(old.heel, start, stop, raised_offset=ball)
                place = hold.point + hold.normal * heel_above
            else:
                behind = hold.tangent(self._foot_direction(np.arange(max(start, begin), min(stop, end))))
                reach = np.sqrt(self.sole_length**2 - (ball_above - heel_above) ** 2)
                place = hold.point - behind * reach + hold.normal * heel_above
            holds.heel[start:stop] = self._carry_with_ground(place, hold.frame, start, stop)
        return holds

    @cached_property
    def flat_foot_frames(self) -> NDArray[np.intp]:
        """The frames in which the standing body's foot is flat."""
        assert self.leg.toe is not None
        return flat_frames(self.standing, self.leg.foot, self.leg.toe)

    @cached_property
    def sole_length(self) -> float:
        """From heel to ball, metres."""
        return float(np.median(np.linalg.norm(self.original.ball - self.original.heel, axis=-1)))

    def solve_soles(self) -> Soles:
        """The soles as they shall be: as long as they were, at rest where they touch, nowhere in the ground."""
        old, touch, holds = self.original, self.contacts, self.lock_targets
        ball = self._blend_to_targets(old.ball, holds.ball)
        heel = self._blend_to_targets(old.heel + (ball - old.ball), holds.heel)
        for points, above, held in ((ball, self.sole_heights[1], touch.ball), (heel, self.sole_heights[0], touch.heel)):
            points[:, 2] = np.where(held, points[:, 2], np.maximum(points[:, 2], self._min_heights(points, above)))
        along = normalize(ball - heel)
        hung = _ball_weight(touch)[:, None]
        heel = hung * (ball - along * self.sole_length) + (1 - hung) * heel
        ball = heel + along * self.sole_length
        heel, ball = (
            self._tip_above_ground(ball, heel, self.sole_heights[0], touch.ball & ~touch.heel),
            self._tip_above_ground(heel, ball, self.sole_heights[1], touch.heel & ~touch.ball),
        )
        tip = ball + rotate(between(old.ball - old.heel, ball - heel), self.toe_vectors)
        ends = ((heel, self.sole_heights[0]), (ball, self.sole_heights[1]), (tip, TOE_TIP_HEIGHT_M * self.scale))
        depths = np.max([self._min_heights(points, above) - points[:, 2] for points, above in ends], axis=0)
        lift = swing_lift(depths, touch.heel | touch.ball, self.clip.rate)[:, None] * UP
        return Soles(heel + lift, ball + lift)

    def solve_ankle(self) -> Array:
        """Where the ankle (F, 3) of a foot without a toe joint shall be: it is all there is to hold."""
        ankle, above = self.original.heel, ANKLE_HEIGHT * self.scale
        places = np.full_like(ankle, np.nan)
        for start, stop in runs_of(self.contacts.heel):
            hold = self._find_foothold(ankle, start, stop)
            places[start:stop] = self._carry_with_ground(hold.point + hold.normal * above, hold.frame, start, stop)
        placed = self._blend_to_targets(ankle, places)
        depths = self._min_heights(placed, above) - placed[:, 2]
        return placed + swing_lift(depths, self.contacts.heel, self.clip.rate)[:, None] * UP

    def _tip_above_ground(
        self, fixed_end: Array, moving_end: Array, sole_height: float, rows: NDArray[np.bool_]
    ) -> Array:
        """One end of a foot (F, 3), in rows (F) turned about the other, which is fixed, until it is over the ground."""
        rise = np.maximum(moving_end[:, 2], self._min_heights(moving_end, sole_height)) - fixed_end[:, 2]
        rise = np.clip(rise, -MAX_FOOT_RISE_RATIO * self.sole_length, MAX_FOOT_RISE_RATIO * self.sole_length)
        level = normalize((moving_end - fixed_end)[:, :2]) * np.sqrt(self.sole_length**2 - rise**2)[:, None]
        return np.where(rows[:, None], fixed_end + np.concatenate([level, rise[:, None]], axis=-1), moving_end)

    def _find_foothold(
        self,
        track: Array,
        start: int,
        stop: int,
        flat_sole_frames: NDArray[np.intp] | None = None,
        raised_offset: Array | None = None,
    ) -> Foothold:
        """The foothold of a run of contact, at its middle frame.

        Where not all of it stands in the frames ``flat_sole_frames``, the foot's other end is ``raised_offset`` (3) from what touches.
        """
        middle = (start + stop - 1) // 2
        run = carry_to_middle_frame(self.scene, track, start, stop, GROUND_PROBE_HEIGHT_M * self.scale)
        ahead = self._foot_direction(np.arange(start, stop) if flat_sole_frames is None else flat_sole_frames)
        length = 0.0 if flat_sole_frames is None else self.sole_length
        place = rest_position(run, 0, len(run))
        leg = (1 + HIP_SINK_SHARE) * self.leg.length(self.clip.skeleton) + ANKLE_HEIGHT * self.scale
        hips = carry_to_middle_frame(self.scene, self.clip.positions[:, self.leg.thigh], start, stop, 0.0)
        reach = LegReach(hips[0], leg)
        return find_foothold(
            self.scene,
            place,
            ahead,
            length,
            self.scale,
            GROUND_PROBE_HEIGHT_M * self.scale,
            middle,
            reach,
            raised_offset,
        )

    def _raised_offset(self, end_offsets: Array, height_difference: float, start: int, stop: int) -> Array:
        """From the sole under one end to that under the other (3), metres, where it is lowest in a run.

        ``end_offsets`` (F, 3) is from the one end to the other, the one ``height_difference`` metres higher over its sole.
        """
        return end_offsets[start + np.argmin(end_offsets[start:stop, 2])] + UP * height_difference

    def _foot_direction(self, frames: NDArray[np.intp]) -> Array:
        """The horizontal direction (2) in which the foot points during frames; without a toe, the body."""
        if self.leg.toe is None:
            left, right = (self.clip.positions[frames, self.clip.skeleton.role(f"thigh.{side}")] for side in "LR")
            return normalize(np.cross(UP, right - left)[:, :2].mean(axis=0))
        return normalize((self.original.ball[frames, :2] - self.original.heel[frames, :2]).mean(axis=0))

    def _carry_with_ground(self, position: Array, source_frame: int, start: int, stop: int) -> Array:
        """A place (3) of one frame on the frames of a run (N, 3): where the ground carries it that moves."""
        if self.scene.steady:
            return np.broadcast_to(position, (stop - start, 3))
        return np.array([self.scene.carried(position[None], source_frame, frame)[0] for frame in range(start, stop)])

    def _blend_to_targets(self, track: Array, targets: Array) -> Array:
        """The track (F, 3) brought to the places (F, 3) where there are any, and smoothly back to itself between."""
        held = ~np.isnan(targets[:, 0])
        runs = runs_of(held)
        if len(runs) == 0:
            return track.copy()
        correction = np.where(held[:, None], targets - track, 0.0)
        return track + carried(correction, runs, max(round(CONTACT_BLEND_S * self.clip.rate), 1))

    def _min_heights(self, points: Array, sole_height: float) -> Array:
        """The least heights (F) of points (F, 3) that are so far above the sole; no bound where there is no ground."""
        heights = heights_over(self.scene, points + UP * GROUND_PROBE_HEIGHT_M * self.scale)
        return np.where(np.isnan(heights), -np.inf, heights + sole_height)


def _sole_roll(foot: _FootSolver, soles: Soles, turn: Array) -> Array:
    """How the turned foot rolls (F, 4) about the line from heel to ball, so that its sole lies on the ground.

    It does so while both touch; beside that the roll fades.
    """
    assert foot.leg.toe is not None
    runs = runs_of(foot.contacts.heel & foot.contacts.ball)
    standing = foot.standing.world[1][foot.flat_foot_frames, foot.leg.foot]
    axis = normalize(soles.ball - soles.heel)
    if len(runs) == 0 or len(standing) == 0:
        return np.tile([1.0, 0.0, 0.0, 0.0], (len(axis), 1))
    up = np.median(rotate(inverse(standing), np.broadcast_to(UP, (len(standing), 3))), axis=0)
    own = rotate(multiply(turn, foot.clip.world[1][:, foot.leg.foot]), np.broadcast_to(up, axis.shape))
    wanted = foot.lock_targets.normal
    side = np.cross(axis, own)
    angle = np.arctan2(np.sum(wanted * side, axis=-1), np.sum(wanted * own, axis=-1))[:, None]
    correction = np.zeros_like(angle)
    for start, stop in runs:
        correction[start:stop] = angle[start:stop]
    return exp(carried(correction, runs, max(round(CONTACT_BLEND_S * foot.clip.rate), 1)) * axis)


def _toe_bend(foot: _FootSolver, turn: Array) -> Array:
    """How the turned toes bend (F, 4) so that they lie on the ground as they do in the flat foot, while the ball does.

    Heels rise over toes that stay; without this, toes would go through the ground, or point into the air, by as much as
    the foot was turned.
    """
    leg, clip = foot.leg, foot.clip
    still = np.tile([1.0, 0.0, 0.0, 0.0], (len(clip), 1))
    runs = runs_of(foot.contacts.ball)
    if leg.toe is None or len(runs) == 0:
        return still
    standing = foot.standing.world[1][foot.flat_foot_frames, leg.toe]
    tip = clip.skeleton.tips[leg.toe]
    if len(standing) == 0 or np.linalg.norm(tip) < 1e-6:
        return still
    flat = normalize(rotate(standing, np.broadcast_to(tip, (len(standing), 3))))
    usual = float(np.median(np.arcsin(np.clip(flat[:, 2], -1.0, 1.0))))
    turned = rotate(turn, normalize(foot.toe_vectors))
    normal = np.where(np.isnan(foot.lock_targets.normal), UP, foot.lock_targets.normal)
    rise = np.arcsin(np.clip(np.sum(turned * normal, axis=-1), -1.0, 1.0))
    axis = normalize(np.cross(turned, normal))
    correction = np.where(foot.contacts.ball, usual - rise, 0.0)[:, None]
    return exp(carried(correction, runs, max(round(CONTACT_BLEND_S * clip.rate), 1)) * axis)


def _ball_weight(contacts: SoleContacts) -> Array:
    """The share (F) of the ball in where the foot is: 1 while it touches, 0 while only the heel does."""
    known = np.flatnonzero(contacts.ball | contacts.heel)
    if len(known) == 0:
        return np.ones(len(contacts.ball))
    return np.interp(np.arange(len(contacts.ball)), known, contacts.ball[known].astype(float))

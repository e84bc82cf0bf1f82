"""Feet of a driven character: each is held in place once it lands, without knowledge of later frames.

Foot lock of interactive characters by inverse kinematics (PFNN section 6): a heel or ball in contact is held where it
came to rest, and its correction decays once it has left the ground.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ...motion import Clip
from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.limb_ik import Leg, solve_leg_ik, with_world_rotations, within_soft_reach
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.roles import is_quadruped
from ...motion.rotations import Array, length, rotate
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class LiveFeetTuning(Tuning):
    release: float = tuned(0.06, "s", 0.005, 1.0)
    """Time constant of the decay of a foot's correction after its contact."""
    max_held: float = tuned(0.15, "m", 0.01, 1.0)
    """Largest distance of an adult's heel or ball from where it is held; beyond it, the point is released."""
    landed_speed: float = tuned(0.8, "m/s", 0.05, 5.0)
    """Speed of a heel or ball below which it counts as landed, since networks predict contacts some frames early."""


TUNING: Final = LiveFeetTuning()


@dataclass(slots=True, eq=False)
class _HeldFoot:
    """State of a foot: where it is held (2), its last touching point (3), and the ankle's correction (3), meters."""

    place: Array | None = None
    is_ball: bool = False
    before: Array | None = None
    correction: Array = field(default_factory=lambda: np.zeros(3))


class LiveFeet:
    """The held feet of one driven character.

    Args:
        rate: frames per second.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._fade = float(np.exp(-1.0 / (TUNING.release * rate)))
        self._feet = {side: _HeldFoot() for side in "LR"}

    def hold(self, pose: Clip, contacts: Array) -> Clip:
        """Return a pose (one frame) with the heels and balls in contact held in place.

        Args:
            pose: the pose, meters, world; quadrupeds stay as they are.
            contacts: (4) probabilities of heels and balls, left ones first.
        """
        skeleton = pose.skeleton
        if is_quadruped(skeleton.roles):
            return pose
        limit = TUNING.max_held * skeleton.leg_length / ADULT_LEG_LENGTH_M
        positions, rotations = (array.copy() for array in pose.world)
        for number, (side, foot) in enumerate(self._feet.items()):
            leg = Leg.of(skeleton, side)
            heel, ball = contacts[2 * number : 2 * number + 2] > CONTACT_THRESHOLD
            ankle = positions[0, leg.foot]
            toe = ankle if leg.toe is None else positions[0, leg.toe]
            # A foot rolls over its heel, which is about as far below the ankle as the ball of the foot.
            drop = 0.0 if leg.toe is None else float(skeleton.offsets[leg.toe, 2])
            under = ankle + rotate(rotations[0, leg.foot], np.array([0.0, 0.0, drop]))
            self._follow(foot, under, toe, (bool(heel), bool(ball)), limit)
            target = positions[:, leg.foot] + foot.correction
            reached = within_soft_reach(positions[:, leg.thigh], target, leg.length(skeleton))
            solve_leg_ik(skeleton, positions, rotations, leg, reached)
        return with_world_rotations(pose, pose.root_positions, rotations)

    def shift(self, offset: Array) -> None:
        """Displace all places at which feet are held by `offset` (2), meters, world, as the ground moves."""
        for foot in self._feet.values():
            foot.place = None if foot.place is None else foot.place + offset

    def _follow(self, foot: _HeldFoot, heel: Array, ball: Array, touching: tuple[bool, bool], limit: float) -> None:
        """Update a foot's state from the positions (3) of its heel and ball and from their contacts."""
        on_ball = touching[1]
        point = ball if on_ball else heel
        moved = np.inf if foot.before is None or foot.is_ball != on_ball else float(length(point - foot.before))
        starts, foot.before = moved * self._rate < TUNING.landed_speed, point
        if foot.place is not None and foot.is_ball != on_ball:
            foot.place = point[:2] + foot.correction[:2]  # from heel to ball, or back
        foot.is_ball = on_ball
        if any(touching) and foot.place is None and starts:
            foot.place = point[:2] + foot.correction[:2]  # keeps the correction, so that the foot does not jump
        if not any(touching) or (foot.place is not None and length(foot.place - point[:2]) > limit):
            foot.place = None
        # Only horizontal offsets are corrected: with corrected heights, held feet would float.
        foot.correction = self._fade * foot.correction if foot.place is None else np.append(foot.place - point[:2], 0.0)

"""Feet of a person, in plain shoes with flat soles."""

from typing import Final, NamedTuple

import numpy as np

from ..motion.rotations import Array
from .control_cage import ControlCage
from .design_pose import MIRROR, DesignPose
from .limbs import LEG_ANGLES
from .loops import loop
from .shape import Shape
from .skinned_mesh import Material


class FootRing(NamedTuple):
    """A cross-section of a shoe, from its top point to its bottom point in the foot's plane of symmetry; meters.

    Attributes:
        top: upper point, as distance ahead of the ankle (or ball) joint and height above the ground.
        bottom: lower point, likewise.
        side: half width.
        of_ball: whether distances are measured from the ball joint instead of the ankle.
        foot: skin weight of the foot joint; the shin has the rest.
        toe: share of this weight that the toe joint takes.
        exponent: exponent of the superellipse.
    """

    top: tuple[float, float]
    bottom: tuple[float, float]
    side: float
    of_ball: bool = False
    foot: float = 1.0
    toe: float = 0.0
    exponent: float = 2.0


RINGS: Final = (
    FootRing((0.044, 0.094), (-0.046, 0.088), 0.036, foot=0.5),
    FootRing((0.062, 0.080), (-0.060, 0.050), 0.038, foot=0.9),
    FootRing((0.088, 0.072), (-0.066, 0.000), 0.041, exponent=2.4),
    FootRing((0.112, 0.062), (0.010, -0.006), 0.041, exponent=2.6),
    FootRing((-0.028, 0.054), (-0.040, -0.006), 0.046, of_ball=True, toe=0.12, exponent=2.8),
    FootRing((0.008, 0.046), (0.000, -0.006), 0.050, of_ball=True, toe=0.55, exponent=2.8),
    FootRing((0.046, 0.042), (0.052, -0.006), 0.047, of_ball=True, toe=1.0, exponent=2.6),
    FootRing((0.076, 0.032), (0.082, 0.000), 0.031, of_ball=True, toe=1.0, exponent=2.2),
)
"""Cross-sections from the ankle past the heel to the toes."""
MIN_BALL_AHEAD_M: Final = 0.09
"""Least distance of a plausible ball joint ahead of the ankle."""
BALL_AHEAD_M: Final = 0.15
"""Assumed distance from ankle to ball if the ball joint is missing or implausible."""
INSTEP_OUTWARD_M: Final = 0.006


def add_foot(cage: ControlCage, pose: DesignPose, shape: Shape, side: str, rim: list[int]) -> None:
    """Add the foot of side ``"L"`` or ``"R"`` to the cage; ``rim`` is the loop of twelve vertices above the ankle."""
    roles = pose.skeleton.roles
    shin, foot = roles[f"shin.{side}"], roles[f"foot.{side}"]
    toe, scale = roles.get(f"toe.{side}", foot), pose.scale
    mirror = MIRROR if side == "R" else np.ones(3)
    for ring in RINGS:
        weights = {shin: 1 - ring.foot, foot: ring.foot * (1 - ring.toe), toe: ring.foot * ring.toe}
        if toe == foot:
            weights = {shin: 1 - ring.foot, foot: ring.foot}
        added = cage.add_points(_ring_points(pose, side, ring, scale * shape.hand, mirror), [weights] * 12)
        cage.bridge(*((added, rim) if side == "L" else (rim, added)), Material.of_side(side))
        rim = added
    _close(cage, rim, side)


def _ring_points(pose: DesignPose, side: str, ring: FootRing, size: float, mirror: Array) -> Array:
    """Return the points (12, 3) of one cross-section of a foot, meters."""
    ankle, ball = pose.at(f"foot.{side}"), _ball(pose, side)
    origin = ball if ring.of_ball else ankle
    top, bottom = (np.array([origin[0], origin[1] - size * ahead, size * up]) for ahead, up in (ring.top, ring.bottom))
    middle = (top + bottom) / 2 + mirror * np.array([size * INSTEP_OUTWARD_M, 0.0, 0.0]) * ring.of_ball
    across = mirror * np.array([size * ring.side, 0.0, 0.0])
    return loop(middle, across, (top - bottom) / 2, LEG_ANGLES, ring.exponent)


def _ball(pose: DesignPose, side: str) -> Array:
    """Return the position (3) of a foot's ball, meters.

    If the ball joint is missing or not ahead of the ankle, the position is estimated.
    """
    ankle = pose.at(f"foot.{side}")
    joint = pose.positions[pose.skeleton.roles.get(f"toe.{side}", pose.skeleton.joint(f"foot.{side}"))]
    ahead = ankle[1] - joint[1]
    return joint if ahead > pose.scale * MIN_BALL_AHEAD_M else ankle - pose.scale * np.array([0.0, BALL_AHEAD_M, 0.0])


def _close(cage: ControlCage, rim: list[int], side: str) -> None:
    """Close the end of the foot with quads."""
    # Twelve vertices as a strip: pairs on both sides of the axis of symmetry, from top to bottom.
    lefts, rights = [1, 2, 3, 4, 5, 6, 7], [1, 0, 11, 10, 9, 8, 7]
    for number in range(6):
        corners = dict.fromkeys(rim[at] for at in (
            lefts[number], rights[number], rights[number + 1], lefts[number + 1]))  # fmt: skip
        ordered = list(corners)
        cage.add_face(ordered if side == "L" else ordered[::-1], Material.of_side(side))

"""Positions of the poles of IK limbs, so that knees and elbows bend in the body's planes and never flip."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.motion import rotations as rot
from ....core.motion.blending import smooth_step
from ....core.motion.rotations import Array
from .control import Pole
from .goals import ControlTargets

BEND_CONFIDENCE_RATIO_RANGE: Final = (0.005, 0.02)
"""Knee distances from the line from hip to ankle, as shares of the limb's length, that determine the knee's influence
on the bend plane: none below the first, full above the second."""
BACKWARD_BEND_WEIGHT: Final = 0.25
"""Reduced weight of a knee that bends the wrong way, usually a straight knee that was measured badly."""
REST_POLE_WEIGHT: Final = 1e-3
"""Weight of the pole's position at rest relative to the clip, for limbs that never bend."""
MIN_POLE_DISTANCE_RATIO: Final = 0.4
MAX_POLE_DISTANCE_RATIO: Final = 2.0
"""Bounds of a pole's distance from its knee, in limb lengths; between them the distance at rest is kept."""


@dataclass(frozen=True, slots=True, eq=False)
class LimbBend:
    """The plane in which a limb bends, in every frame.

    Attributes:
        knee_projection: (F, 3) point nearest to the knee on the line from the limb's first joint to its last, world,
            meters.
        limb_axis: (F, 3) unit direction from the first joint to the last, world.
        bend_direction: (F, 3) unit direction in which the knee points, perpendicular to ``limb_axis``, world.
        bend_ratio: (F) distance of the knee from the line, as a share of the limb's length.
        reach: (F) distance from the first joint to the last, meters.
        length: mean total length of the limb's two bones, meters.
    """

    knee_projection: Array
    limb_axis: Array
    bend_direction: Array
    bend_ratio: Array
    reach: Array
    length: float


def measure_bend(targets: ControlTargets, pole: Pole) -> LimbBend:
    """Return how a pole's limb bends in the clip.

    While the limb is straight, the bend direction follows the upper bone, relative to which the knee has a mean
    direction.
    """
    first, turn, _ = targets.joint(pole.upper)
    knee, last = targets.joint(pole.middle)[0], targets.joint(pole.end)[0]
    length = float((np.linalg.norm(knee - first, axis=-1) + np.linalg.norm(last - knee, axis=-1)).mean())
    along = rot.normalize(last - first)
    across = _perpendicular(knee - first, along)
    amount = np.linalg.norm(across, axis=-1) / length
    usual = rot.normalize(
        rot.rotate(rot.inverse(turn), across).sum(axis=0) + REST_POLE_WEIGHT * _rest_pole_offset(targets, pole)
    )
    expected = rot.normalize(_perpendicular(rot.rotate(turn, np.broadcast_to(usual, first.shape)), along))
    pointing = rot.normalize(across)
    forwards = (1 + np.sum(pointing * expected, axis=-1)) / 2
    share = smooth_step(
        (amount * (BACKWARD_BEND_WEIGHT + (1 - BACKWARD_BEND_WEIGHT) * forwards) - BEND_CONFIDENCE_RATIO_RANGE[0])
        / np.ptp(BEND_CONFIDENCE_RATIO_RANGE)
    )[:, None]
    out = rot.normalize(share * pointing + (1 - share) * expected)
    middle = first + along * np.sum((knee - first) * along, axis=-1, keepdims=True)
    return LimbBend(middle, along, out, amount, np.linalg.norm(last - first, axis=-1), length)


def _rest_pole_offset(targets: ControlTargets, pole: Pole) -> Array:
    """Return the offset (3), meters, of a pole from its limb at rest, perpendicular to the limb."""
    first, last = targets.joint(pole.upper)[2], targets.joint(pole.end)[2]
    return _perpendicular(targets.rig.heads[targets.rig.index[pole.bone]] - first, rot.normalize(last - first))


def pole_heads(targets: ControlTargets, pole: Pole, bend: LimbBend, angles: Array) -> Array:
    """Return the pole's head positions (F, 3), world, turned back about the limb by the knees' deviations (F), rad."""
    rest = targets.rig.heads[targets.rig.index[pole.bone]] - targets.joint(pole.middle)[2]
    distance = float(
        np.clip(np.linalg.norm(rest), MIN_POLE_DISTANCE_RATIO * bend.length, MAX_POLE_DISTANCE_RATIO * bend.length)
    )
    away = rot.rotate(rot.from_axis_angle(bend.limb_axis, -angles), bend.bend_direction)
    return bend.knee_projection + distance * away


def twist_angle(bend: LimbBend, frames: Sequence[int], first_joints: Array, knees: Array) -> Array:
    """Return the angles (S), radians, about the limb, of solved knees (S, 3) from their bend planes.

    The knees are those in a selection of the bend's frames (S).
    """
    along, out = bend.limb_axis[list(frames)], bend.bend_direction[list(frames)]
    off = _perpendicular(knees - first_joints, along)
    return np.arctan2(np.sum(np.cross(out, off) * along, axis=-1), np.sum(out * off, axis=-1))


def _perpendicular(vectors: Array, axis: Array) -> Array:
    return vectors - np.sum(vectors * axis, axis=-1, keepdims=True) * axis

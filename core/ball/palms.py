"""Palms: where a ball lies in each hand in a character's pose."""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from ..motion import Clip
from ..motion.proportions import ADULT_LEG_LENGTH_M
from ..motion.rotations import Array, rotate
from ..motion.skeleton import Skeleton
from .cues import USUAL_OFFSET
from .hands import rest_hand_axes

HAND_LENGTH_M: Final = 0.18
"""Length of an adult's hand, from the wrist to the fingertips."""
HAND_TO_BALL_M: Final = 0.045
"""Distance from the line along an adult's fingers to the surface of a held ball: 3 to 5.5 cm in captured clips."""


@dataclass(frozen=True, slots=True, eq=False)
class Palms:
    """The usual places of a ball in the hands of a skeleton.

    Attributes:
        joints: (2) indices of the left and the right hand.
        offsets: (2, 3) offsets from the hand's joint to the center of a ball, in the joint's own frame, meters.
    """

    joints: tuple[int, int]
    offsets: Array

    @classmethod
    def of(cls, skeleton: Skeleton) -> Self:
        """Return the usual places of a ball in a skeleton's hands; raise :class:`FootfallError` if it has no hands."""
        scale = skeleton.leg_length / ADULT_LEG_LENGTH_M
        offsets = np.stack([scale * USUAL_OFFSET @ rest_hand_axes(skeleton, side) for side in "LR"])
        return cls((skeleton.joint("hand.L"), skeleton.joint("hand.R")), offsets)

    def centers(self, positions: Array, rotations: Array) -> Array:
        """Return the usual centers (..., 2, 3) of a ball in the left and the right hand, meters, world.

        Args:
            positions: (..., 2, 3) positions of both hands' joints, meters, world.
            rotations: (..., 2, 4) world rotations of both hands' joints.
        """
        return positions + rotate(rotations, np.broadcast_to(self.offsets, positions.shape))


def palm_centers(clip: Clip) -> Array:
    """Return the usual centers (F, 2, 3) of a ball in the left and the right hand of a motion, meters, world.

    Raises:
        FootfallError: the body has no hands.
    """
    palms, (positions, rotations) = Palms.of(clip.skeleton), clip.world
    joints = list(palms.joints)
    return palms.centers(positions[:, joints], rotations[:, joints])


def draw_to_palms(clip: Clip, centers: Array, radius: float) -> Array:
    """Return a ball's centers (F, 2, 3), meters, world, moved toward each hand until the ball touches it.

    Only the distance to the line along the fingers is reduced: a ball may roll over a hand, but not hover beside it.

    Args:
        clip: the motion, F frames.
        centers: (F, 2, 3) centers of a ball in the left and the right hand, meters, world.
        radius: radius of the ball, meters.
    """
    skeleton, (positions, rotations) = clip.skeleton, clip.world
    scale, drawn = skeleton.leg_length / ADULT_LEG_LENGTH_M, centers.copy()
    most = radius + scale * HAND_TO_BALL_M
    for number, side in enumerate("LR"):
        hand = skeleton.joint(f"hand.{side}")
        fingers = rotate(rotations[:, hand], np.broadcast_to(rest_hand_axes(skeleton, side)[0], (len(clip), 3)))
        along = np.sum((centers[:, number] - positions[:, hand]) * fingers, axis=-1, keepdims=True)
        line = positions[:, hand] + np.clip(along, 0.0, scale * HAND_LENGTH_M) * fingers
        away = centers[:, number] - line
        distance = np.linalg.norm(away, axis=-1, keepdims=True)
        drawn[:, number] = line + away * np.minimum(1.0, most / np.maximum(distance, 1e-9))
    return drawn

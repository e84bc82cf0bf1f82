"""The pose of a foot and its held contacts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array


@dataclass(frozen=True, slots=True, eq=False)
class SoleContacts:
    """Held contacts of a foot over F frames.

    Attributes:
        heel: (F) whether the heel is held.
        ball: (F) whether the ball is held.
    """

    heel: NDArray[np.bool_]
    ball: NDArray[np.bool_]

    @property
    def ball_weight(self) -> Array:
        """Weight (F) of the ball as the foot's pivot, 0 to 1: 1 while the ball touches, 0 while only the heel does."""
        known = np.flatnonzero(self.ball | self.heel)
        if len(known) == 0:
            return np.ones(len(self.ball))
        return np.interp(np.arange(len(self.ball)), known, self.ball[known].astype(float))


@dataclass(frozen=True, slots=True, eq=False)
class FootPose:
    """The pose of a foot over F frames.

    Attributes:
        ankle: (F, 3) positions of the ankle, meters, world.
        foot_rotation: (F, 4) quaternion in world axes that turns the foot from its original pose.
        toe_rotation: (F, 4) quaternion in world axes that turns the toes from their original pose.
    """

    ankle: Array
    foot_rotation: Array
    toe_rotation: Array


@dataclass(frozen=True, slots=True, eq=False)
class LockTargets:
    """Positions (F, 3), meters, at which heel and ball are held, and ground normals (F, 3) there.

    NaN where not held.
    """

    heel: Array
    ball: Array
    normal: Array

"""The swivel of an arm: its rotation about the line from shoulder to wrist, which moves only the elbow.

It is the one degree of freedom that is left while the wrist is fixed (Korein and Badler 1982).
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from .rotations import Array, from_axis_angle, multiply, normalize
from .skeleton import Skeleton


@dataclass(frozen=True, slots=True, eq=False)
class ArmSwivel:
    """The line about which an arm swivels, in each of F frames.

    Attributes:
        joints: indices of upper arm and forearm.
        shoulder: (F, 3) shoulder, meters, world.
        axis: (F, 3) direction from the shoulder to the wrist.
        across: (F, 3) vector from that line to the elbow, perpendicular to the line, meters, world.
    """

    joints: tuple[int, int]
    shoulder: Array
    axis: Array
    across: Array

    @classmethod
    def of(cls, skeleton: Skeleton, positions: Array, side: str) -> Self:
        """Return the swivel line of one arm in every frame.

        Args:
            skeleton: a body with arms.
            positions: (F, J, 3) positions of the skeleton's joints, meters, world.
            side: ``"L"`` or ``"R"``.
        """
        first, middle, last = (skeleton.joint(f"{part}.{side}") for part in ("upper_arm", "forearm", "hand"))
        shoulder = positions[:, first]
        axis = normalize(positions[:, last] - shoulder)
        return cls((first, middle), shoulder, axis, across_axis(positions[:, middle] - shoulder, axis))

    def turn(self, rotations: Array, angle: Array) -> None:
        """Swivel the arm by ``angle`` (F), radians; changes the world rotations (F, J, 4) of its joints in place."""
        turn = from_axis_angle(self.axis, angle)
        for joint in self.joints:
            rotations[:, joint] = multiply(turn, rotations[:, joint])


def across_axis(vectors: Array, axis: Array) -> Array:
    """Return the components (F, 3) of vectors (F, 3) perpendicular to the unit directions ``axis`` (F, 3)."""
    return vectors - np.sum(vectors * axis, axis=-1, keepdims=True) * axis

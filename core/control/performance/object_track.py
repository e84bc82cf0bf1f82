"""The motion of an object that a character moves."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array, multiply, normalize, rotate, slerp
from ...motion.signals import Mask

STILL_M: Final = 1e-7
"""Difference of positions, meters, or of quaternion components, below which an object counts as at rest."""


@dataclass(frozen=True, slots=True, eq=False)
class ObjectTrack:
    """The motion of an object that a character moves.

    Attributes:
        name: the user's name of the object.
        positions: (F, 3) positions, meters, world.
        rotations: (F, 4) quaternions, world.
        held: (F) whether the character holds the object.
        in_palms: whether the object is held between the palms, like a ball, and does not turn with the hands.
    """

    name: str
    positions: Array
    rotations: Array
    held: Mask
    in_palms: bool = False

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.positions)

    @property
    def moves(self) -> bool:
        """True if the object moves or turns in any frame."""
        turned = np.abs(self.rotations - self.rotations[:1]).max(initial=0.0)
        return max(float(np.abs(self.positions - self.positions[:1]).max(initial=0.0)), float(turned)) > STILL_M

    def at(self, times: Array) -> "ObjectTrack":
        """Return the motion resampled at F' times, given in frames from 0, which may be fractional."""
        before = np.minimum(times.astype(int), max(len(self) - 2, 0))
        after, share = np.minimum(before + 1, len(self) - 1), times - before
        places = self.positions[before] + share[:, None] * (self.positions[after] - self.positions[before])
        turns = slerp(self.rotations[before], self.rotations[after], share)
        return replace(self, positions=places, rotations=turns, held=self.held[np.rint(times).astype(int)])

    def taken(self, frames: NDArray[np.intp]) -> "ObjectTrack":
        """Return the motion made of the given frames of this one."""
        places, turns = self.positions[frames], self.rotations[frames]
        return replace(self, positions=places, rotations=turns, held=self.held[frames])

    def cut(self, start: int, stop: int) -> "ObjectTrack":
        """Return the frames from ``start`` up to, but not including, ``stop``."""
        frames = slice(start, stop)
        return replace(self, positions=self.positions[frames], rotations=self.rotations[frames], held=self.held[frames])

    def concat(self, other: "ObjectTrack") -> "ObjectTrack":
        """Return this motion followed by another motion of the same object."""
        positions = np.concatenate([self.positions, other.positions])
        rotations = np.concatenate([self.rotations, other.rotations])
        return replace(self, positions=positions, rotations=rotations, held=np.concatenate([self.held, other.held]))

    def moved(self, shifts: Array, turns: Array, pivots: Array) -> "ObjectTrack":
        """Return the motion rotated by quaternions (F, 4) about points (F, 3), and then shifted by (F, 3), meters."""
        places = pivots + rotate(turns, self.positions - pivots) + shifts
        return replace(self, positions=places, rotations=normalize(multiply(turns, self.rotations)))

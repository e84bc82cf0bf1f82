"""Objects beside the characters of a roll-out, such as balls, as inputs and outputs of their network."""

from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...motion.signals import Mask


class Beside(Protocol):
    """The state of the objects beside B characters, with one row for each; a runtime carries it with its own state."""

    @property
    def occupied(self) -> Mask:
        """Characters (B) whose arms are busy with the object, and do not come to rest."""
        ...

    def fill_inputs(self, x: NDArray[np.float32], roots: Array, yaws: Array) -> None:
        """Write the network's inputs about the objects into x (B, n).

        Args:
            x: inputs, changed in place.
            roots: (B, 2) roots, meters, world.
            yaws: (B) yaws, radians.
        """
        ...

    def advance(self, y: NDArray[np.float32], roots: Array, yaws: Array) -> None:
        """Advance by a frame with outputs y (B, m) of the network.

        Args:
            y: outputs, not normalized.
            roots: (B, 2) roots of this frame, meters, world.
            yaws: (B) yaws of this frame, radians.
        """
        ...

    def copy(self) -> Self:
        """Return an independent copy."""
        ...

    def take(self, rows: NDArray[np.intp]) -> Self:
        """Return the state of some characters (rows)."""
        ...

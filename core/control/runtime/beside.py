"""Things beside the characters of a roll-out, as their network sees them."""

from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...motion.signals import Mask


class Beside(Protocol):
    """The state of what B characters have beside them, one row for each; a runtime carries it with its own state."""

    @property
    def occupied(self) -> Mask:
        """Characters (B) that are busy with it: their arms do not come to rest."""
        ...

    def fill_inputs(self, x: NDArray[np.float32], roots: Array, yaws: Array) -> None:
        """Write what the network sees of it into inputs x (B, n).

        Args:
            x: changed.
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

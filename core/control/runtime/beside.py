"""Objects beside the characters of a roll-out, such as balls, that are inputs and outputs of their network."""

from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...motion.signals import Mask


class Beside(Protocol):
    """The state of the objects beside B characters, one row per character.

    A runtime keeps and advances it together with its own state.
    """

    @property
    def occupied(self) -> Mask:
        """Mask (B) of characters whose arms are busy with the object and therefore do not come to rest."""
        ...

    def fill_inputs(self, x: NDArray[np.float32], roots: Array, yaws: Array) -> None:
        """Write the inputs that describe the objects into the network's inputs.

        Args:
            x: (B, n) inputs, modified in place.
            roots: (B, 2) roots, meters, world.
            yaws: (B) yaws, radians.
        """
        ...

    def advance(self, y: NDArray[np.float32], roots: Array, yaws: Array) -> None:
        """Advance the objects by a frame with the network's outputs.

        Args:
            y: (B, m) outputs, not normalized.
            roots: (B, 2) roots of this frame, meters, world.
            yaws: (B) yaws of this frame, radians.
        """
        ...

    def copy(self) -> Self:
        """Return an independent copy."""
        ...

    def take(self, rows: NDArray[np.intp]) -> Self:
        """Return the state of the objects beside the characters in the given rows."""
        ...

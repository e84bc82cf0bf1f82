"""Contacts of the feet, as passed from the labeler to the bake."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .rotations import Array
from .signals import runs_of

CONTACT_THRESHOLD: Final = 0.5
"""Contact probability above which a point counts as in contact."""


@dataclass(frozen=True, slots=True, eq=False)
class FootContacts:
    """Contact probabilities of the feet of a biped, or of the four paws of a quadruped.

    Attributes:
        probabilities: (F, 4) probabilities of heels and balls, in the order of ``roles.FOOT_CONTACTS``, left ones
            first; or of paws, in that of ``roles.PAW_CONTACTS``.
    """

    probabilities: Array

    @property
    def held(self) -> NDArray[np.bool_]:
        """Mask (F, 4), true while heel, ball or paw is in contact; columns as in ``probabilities``."""
        return np.asarray(self.probabilities > CONTACT_THRESHOLD)

    def planted(self, side: str) -> NDArray[np.bool_]:
        """Return a mask (F), true while the heel, the ball or a paw of side ``"L"`` or ``"R"`` is in contact."""
        return np.asarray(self.held[:, slice(0, 2) if side == "L" else slice(2, 4)].any(axis=1))

    def runs(self, side: str) -> NDArray[np.intp]:
        """Return the contacts (R, 2) of foot ``"L"`` or ``"R"``: first frame, and frame after the last, of each."""
        return runs_of(self.planted(side))

    @property
    def double_support(self) -> NDArray[np.bool_]:
        """Mask (F) of the frames in which both feet are in contact."""
        return self.planted("L") & self.planted("R")

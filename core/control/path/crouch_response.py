"""The crouch response of a controller: the drop of its head at each weight of the gait *crouch*."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.rotations import Array

LEAST_CROUCH_SHARE: Final = 0.5
"""Head drop, as a share of the shallowest crouch's, below which a character does not crouch but only ducks."""


@dataclass(frozen=True, slots=True, eq=False)
class CrouchResponse:
    """The crouches in which a controller can walk, from the shallowest to the deepest.

    Attributes:
        weights: (N) weights of the gait *crouch*, increasing; empty for a controller that has never learned to crouch.
        head_drops: (N) drops of the head below its upright height, meters, increasing.
    """

    weights: Array
    head_drops: Array

    @property
    def is_learned(self) -> bool:
        """True if the controller can walk crouched."""
        return len(self.weights) > 0

    @property
    def style_weight(self) -> float:
        """Weight of the gait *crouch* if it is chosen as a style, between shallowest and deepest; 0 if not learned."""
        if not self.is_learned:
            return 0.0
        return float(np.interp((self.head_drops[0] + self.head_drops[-1]) / 2, self.head_drops, self.weights))

    def weights_at(self, head_drops: Array) -> Array:
        """Return the weights (...) of the gait *crouch* that lower the head by drops (...), meters.

        The weight is zero for a drop below :data:`LEAST_CROUCH_SHARE` of the shallowest crouch's, and that of the
        deepest crouch for larger drops.
        """
        if not self.is_learned:
            return np.zeros_like(head_drops)
        weights = np.interp(head_drops, self.head_drops, self.weights)
        return np.where(head_drops < LEAST_CROUCH_SHARE * self.head_drops[0], 0.0, weights)

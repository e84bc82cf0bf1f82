"""Response biases: the influence of command and network on the trajectory ahead (PFNN eq. 9, LMP eq. 1).

Both equations blend a network's prediction with the command, sample by sample: the nearest sample is the network's, the
last one the command's. Equation 1 of Starke et al. 2020 counts t from the last sample back to the current frame, so
that its weight t^tau of the network corresponds to 1 minus the command's weight here.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, Self

import numpy as np

from ...errors import FootfallError
from ...motion.rotations import Array

DEFAULT_RESPONSIVENESS: Final = 0.5
"""Responsiveness with the default biases of :class:`ResponseBias`."""
BIAS_RANGE_RATIO: Final = 4.0
"""Ratio of the biases at full responsiveness to the default ones, and of the default ones to the biases at none."""


@dataclass(frozen=True, slots=True)
class ResponseBias:
    """Response biases: exponents tau of the weight 1 - (1 - t)^tau of the command along the future (PFNN eq. 9).

    Larger exponents are more responsive and less natural.

    Attributes:
        position: exponent for positions, velocities and actions.
        direction: exponent for directions.
    """

    position: float = 2.0
    direction: float = 5.0

    @classmethod
    def of_responsiveness(cls, responsiveness: float) -> Self:
        """Return the biases for a responsiveness from 0 to 1: tau of positions is 0.5 at 0, 2 at 0.5 and 8 at 1.

        Raises:
            FootfallError: the responsiveness is out of range.
        """
        if not 0.0 <= responsiveness <= 1.0:
            raise FootfallError(
                "A responsiveness of {responsiveness} is not possible: choose one from 0 (smooth) to 1 (prompt)",
                responsiveness=f"{responsiveness:g}",
            )
        ratio = BIAS_RANGE_RATIO ** (2 * (responsiveness - DEFAULT_RESPONSIVENESS))
        return cls(cls().position * ratio, cls().direction * ratio)


def command_weights(biases: Array, samples: int) -> Array:
    """Return the weights (B, S) of the command at S samples ahead; 1 at the last.

    Args:
        biases: (B) exponents tau.
        samples: number of samples, S.
    """
    return 1 - _shares_left(samples) ** np.asarray(biases, dtype=float)[:, None]


@cache
def _shares_left(samples: int) -> Array:
    """Return the remaining share (S) of the time ahead after each of S samples."""
    return 1 - np.arange(1, samples + 1) / samples

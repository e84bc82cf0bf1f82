"""Response biases: weights of command and network in the trajectory ahead (PFNN eq. 9, LMP eq. 1).

Both equations blend the network's prediction with the command, sample by sample: the nearest sample is the network's,
the last one the command's. Equation 1 of Starke et al. 2020 counts t from the last sample back to the current frame, so
its weight t^tau of the network corresponds to 1 minus the command's weight here.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, Self

import numpy as np

from ...errors import FootfallError
from ...motion.rotations import Array

DEFAULT_RESPONSIVENESS: Final = 0.5
"""Responsiveness, 0 to 1, that gives the default biases of :class:`ResponseBias`."""
BIAS_RANGE_RATIO: Final = 4.0
"""Factor from the biases at responsiveness 0 to the default ones, and from the default ones to those at 1."""


@dataclass(frozen=True, slots=True)
class ResponseBias:
    """Exponents tau of the command's weight 1 - (1 - t)^tau, with t from 0 (now) to 1 (a second ahead; PFNN eq. 9).

    Larger exponents are more responsive and less natural.

    Attributes:
        position: exponent for positions, velocities and actions.
        direction: exponent for directions.
    """

    position: float = 2.0
    direction: float = 5.0

    @classmethod
    def of_responsiveness(cls, responsiveness: float) -> Self:
        """Return the response biases for a responsiveness from 0, smooth, to 1, prompt.

        The exponent of positions is 0.5 at responsiveness 0, 2 at 0.5 and 8 at 1.

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
    """Return the command's weights (B, S), 0 to 1, at S future samples; the weight at the last sample is 1.

    Args:
        biases: (B) exponents tau.
        samples: number of samples, S.
    """
    return 1 - _shares_left(samples) ** np.asarray(biases, dtype=float)[:, None]


@cache
def _shares_left(samples: int) -> Array:
    """Return the share (S) of the time ahead that remains after each of S samples."""
    return 1 - np.arange(1, samples + 1) / samples

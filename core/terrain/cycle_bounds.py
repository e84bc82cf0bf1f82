"""Whole strides: what terrain is fitted to (PFNN section 4.2) and what the timeline shows."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array

# Of a stride's frames; who stands longer does not take it.
MAX_STANDING_SHARE: Final = 0.5


def find_strides(phase: Array, standing: NDArray[np.bool_]) -> NDArray[np.intp]:
    """First frame and frame after the last (R, 2) of every whole stride, from one right strike to the next.

    Strides more than half of which are stood are left out, and so is what comes before the first strike and after the
    last.

    Args:
        phase: (F) cycles in [0, 1); it wraps where the right foot comes down.
        standing: (F) whether somebody stands.
    """
    begins = np.flatnonzero(np.diff(phase) < -0.5) + 1
    spans = np.stack([begins[:-1], begins[1:]], axis=1)
    stood = np.concatenate([[0], np.cumsum(standing)])[spans]
    return spans[stood[:, 1] - stood[:, 0] <= MAX_STANDING_SHARE * (spans[:, 1] - spans[:, 0])]

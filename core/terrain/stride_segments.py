"""The parts of a clip that get a ground of their own: whole strides, and what is left between them."""

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..labelling import Labels
from ..motion.rotations import Array

# Of a stride's frames; who stands longer does not take it.
MAX_STANDING_SHARE: Final = 0.5
# Seconds.
MAX_SEGMENT_S: Final = 1.5
MIN_SEGMENT_S: Final = 0.4


def stride_segments(labels: Labels) -> NDArray[np.intp]:
    """First frame and frame after the last (R, 2) of the parts of a clip, in order; every frame is in one of them.

    A part is a whole stride, from one right strike to the next (PFNN section 4.2). What is no stride - standing, jumps,
    what lies before the first strike and after the last - is cut into equal parts of at most 1.5 s. What would be
    shorter than 0.4 s belongs to the part before it; at the clip's beginning, to the one after it.
    """
    strides = find_strides(labels.phase, labels.standing)
    whole = set(strides[:, 0].tolist())
    edges = np.unique(np.concatenate([[0, len(labels)], strides.ravel()]))
    shortest, longest = MIN_SEGMENT_S * labels.frame_rate, MAX_SEGMENT_S * labels.frame_rate
    parts: list[list[int]] = []
    for start, stop in pairwise(edges.tolist()):
        pieces = 1 if start in whole else int(np.ceil((stop - start) / longest))
        cuts = np.linspace(start, stop, pieces + 1).round().astype(int).tolist()
        for first, last in pairwise(cuts):
            if parts and min(last - first, parts[-1][1] - parts[-1][0]) < shortest:
                parts[-1][1] = last
            else:
                parts.append([first, last])
    return np.array(parts, dtype=np.intp).reshape(-1, 2)


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

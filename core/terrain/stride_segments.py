"""Stride segments: the intervals of a clip that get a ground of their own (PFNN section 4.2).

A segment is a whole stride, or a part of the motion between strides.
"""

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..labelling import Labels
from ..motion.rotations import Array

MAX_STANDING_SHARE: Final = 0.5
MAX_SEGMENT_S: Final = 1.5
"""Longest segment between strides."""
MIN_SEGMENT_S: Final = 0.4
"""Shortest segment."""


def stride_segments(labels: Labels) -> NDArray[np.intp]:
    """Cut a clip into segments, each returned as its first frame and the frame after its last (R, 2), in order.

    The segments cover every frame. A segment is a whole stride, from one right strike to the next. Standing, jumps, and
    the frames before the first strike and after the last are cut into equal segments of at most :data:`MAX_SEGMENT_S`.
    A segment shorter than :data:`MIN_SEGMENT_S` is merged into the one before it; at the clip's beginning, into the one
    after it.
    """
    strides = find_strides(labels.phase, labels.standing)
    whole = set(strides[:, 0].tolist())
    edges = np.unique(np.concatenate([[0, len(labels)], strides.ravel()]))
    shortest, longest = MIN_SEGMENT_S * labels.frame_rate, MAX_SEGMENT_S * labels.frame_rate
    segments: list[list[int]] = []
    for start, stop in pairwise(edges.tolist()):
        pieces = 1 if start in whole else int(np.ceil((stop - start) / longest))
        cuts = np.linspace(start, stop, pieces + 1).round().astype(int).tolist()
        for first, last in pairwise(cuts):
            if segments and min(last - first, segments[-1][1] - segments[-1][0]) < shortest:
                segments[-1][1] = last
            else:
                segments.append([first, last])
    return np.array(segments, dtype=np.intp).reshape(-1, 2)


def find_strides(phase: Array, standing: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return each stride, right strike to right strike, as its first frame and the frame after its last (R, 2).

    Strides that consist mainly of standing, and frames before the first strike and after the last, are left out.

    Args:
        phase: (F) phase, cycles in [0, 1), which wraps at right strikes.
        standing: (F) whether the character stands.
    """
    begins = np.flatnonzero(np.diff(phase) < -0.5) + 1
    spans = np.stack([begins[:-1], begins[1:]], axis=1)
    standing_counts = np.concatenate([[0], np.cumsum(standing)])[spans]
    standing_frames = standing_counts[:, 1] - standing_counts[:, 0]
    return spans[standing_frames <= MAX_STANDING_SHARE * (spans[:, 1] - spans[:, 0])]

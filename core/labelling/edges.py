"""When exactly a contact begins and ends.

The thresholds that find a contact surely, whatever the noise, are too wide to say when it begins: a heel is near the
ground and slow for a twentieth of a second after it has begun to rise. So contacts are found with wide thresholds, and
their edges with tight ones, which only have to hold somewhere inside. What lands first is stopped by the ground; there
the wide threshold is crossed within a frame, while what follows the impact, rolling, is faster than a tight one.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array
from .signals import runs_of

Mask = NDArray[np.bool_]

TIGHT: Final = 0.4
"""The tight thresholds as a share of a sensor's own."""
INSIDE: Final = 0.15
"""Seconds by which an edge may move into its contact, at most; never more than half of the contact."""
LEAD: Final = 0.3
"""A speed over a one-sided window falls this share of the window before a track that slows down gently is at rest."""
IMPACT: Final = 0.018
"""A landing foot is slow enough for the wide threshold this many seconds before the ground stops it."""


def with_exact_edges(state: Mask, excess: Array, impact: Mask, window: int, rate: float) -> Mask:
    """A sensor's contacts with each edge where the track comes to rest or leaves.

    Args:
        state: contacts (F) found with the wide thresholds.
        excess: (F) how far beyond the tight thresholds speed and height are together; inside under 1.
        impact: (F) whether a contact that begins there is stopped by the ground and not lowered onto it.
        window: frames over which speeds were measured.
        rate: frames a second.
    """
    result = np.zeros_like(state)
    gentle, hard = round(LEAD * window), round(IMPACT * rate)
    for start, stop in runs_of(state):
        limit = min(round(INSIDE * rate), (stop - start) // 2)
        inside = np.flatnonzero(excess[start:stop] < 1)
        first, last = (inside[0], inside[-1] + 1) if len(inside) else (0, stop - start)
        begin = start + min(hard if impact[start] else first + gentle, limit) if start > 0 else start
        end = start + max(last - gentle, stop - start - limit) if stop < len(state) else stop
        result[begin : max(end, begin + 1)] = True
    return result

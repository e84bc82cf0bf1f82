"""When exactly a contact begins and ends.

The thresholds that find a contact surely, whatever the noise, are too wide to say when it begins: a heel is near the
ground and slow for a twentieth of a second after it has begun to rise. So contacts are found with wide thresholds, and
their edges with tight ones, which only have to hold somewhere inside. What lands first is stopped by the ground; there
the wide threshold is crossed within a frame, while what follows the impact, rolling, is faster than a tight one.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...motion.signals import runs_of, speed_window_frames

Mask = NDArray[np.bool_]

# The tight thresholds as shares of a sensor's own.
TIGHT_SPEED_RATIO: Final = 0.5
TIGHT_HEIGHT_RATIO: Final = 0.45
LANDING_LEAD_RATIO: Final = 0.18
"""Noise asks for longer windows, and each frame more lets the wide threshold be crossed by this much earlier."""
MAX_EDGE_SHIFT_S: Final = 0.15
"""Seconds by which an edge may move into its contact, at most; never more than half of the contact."""
REST_LEAD_RATIO: Final = 0.45
"""A speed over a one-sided window falls this share of the window before a track that slows down gently is at rest."""
FOOT_ROLL_S: Final = 0.07
"""Seconds within which a foot that was stopped by the ground has come to rest, its ball down; a foot that takes longer
was put down gently, and had not landed yet."""
IMPACT_LEAD_S: Final = 0.016
"""A landing foot is slow enough for the wide threshold this many seconds before the ground stops it."""


def refine_contact_edges(
    state: Mask, wide_excess: Array, tight_excess: Array, is_impact: Mask, window: int, rate: float
) -> Mask:
    """Return a sensor's contacts with each edge where the track comes to rest or leaves.

    Args:
        state: contacts (F) found with the wide thresholds.
        wide, tight: (F) how far beyond the thresholds speed and height are together; inside under 1.
        is_impact: (F) whether a contact that begins there is stopped by the ground and not lowered onto it.
        window: frames over which speeds were measured.
        rate: frames a second.
    """
    result = np.zeros_like(state)
    entering, leaving, landing = (
        _threshold_crossings(values) for values in (tight_excess, tight_excess[::-1], wide_excess)
    )
    count = len(state)
    lead = IMPACT_LEAD_S * rate + LANDING_LEAD_RATIO * (window - speed_window_frames(0.0, rate))
    for start, stop in runs_of(state):
        inside = np.flatnonzero(tight_excess[start:stop] < 1)
        limit = min(MAX_EDGE_SHIFT_S * rate, (stop - start) / 2)
        settled = (entering[start + inside[0]] if len(inside) else start) + REST_LEAD_RATIO * window
        begin = max(landing[start] + lead, settled - FOOT_ROLL_S * rate) if is_impact[start] else settled
        end = count - 1 - leaving[count - 1 - start - inside[-1]] if len(inside) else float(stop)
        begin = min(max(begin, start - 1), start + limit) if start > 0 else 0
        end = max(min(end - REST_LEAD_RATIO * window, stop), stop - limit) if stop < count else count
        first, last = int(np.ceil(begin)), int(np.ceil(end))
        result[first : max(last, first + 1)] = True
    return result


def _threshold_crossings(excess: Array) -> Array:
    """Where between a frame and the one before it (F) an excess falls under 1; the frame where it was under before."""
    before = np.concatenate([excess[:1], excess[:-1]])
    share = np.clip((1 - excess) / np.maximum(before - excess, 1e-9), 0.0, 1.0)
    return np.arange(float(len(excess))) - np.where((excess < 1) & (before >= 1), share, 0.0)

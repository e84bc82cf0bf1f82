"""Edges of contacts: the exact frames at which they begin and end.

Thresholds that are robust to noise are too wide for edges: a heel is near the ground and slow for a twentieth of a
second after it has begun to rise. Contacts are therefore found with wide thresholds, and their edges with tight ones. A
sensor that lands first is stopped by the ground and crosses the wide threshold within a frame, while the rolling that
follows the impact is faster than a tight one.
"""

from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...motion.signals import Mask, runs_of, speed_window_frames

TIGHT_SPEED_RATIO: Final = 0.5
"""Tight speed threshold, relative to the sensor's own."""
TIGHT_HEIGHT_RATIO: Final = 0.45
"""Tight height threshold, relative to the sensor's own."""
LANDING_LEAD_RATIO: Final = 0.18
"""Frames by which a landing crosses the wide threshold too early, per additional frame of the speed window."""
MAX_EDGE_SHIFT_S: Final = 0.15
"""Largest shift of an edge into its contact, which is at most half of the contact."""
REST_LEAD_RATIO: Final = 0.45
"""Lead with which measured speed falls before a gently lowered sensor rests, as a share of the half speed window."""
FOOT_ROLL_S: Final = 0.07
"""Time in which a foot stopped by the ground comes to rest; a foot that takes longer was lowered gently."""
IMPACT_LEAD_S: Final = 0.016
"""Time before an impact at which a landing foot crosses the wide threshold."""


def refine_contact_edges(
    state: Mask, wide_excess: Array, tight_excess: Array, is_impact: Mask, window: int, rate: float
) -> Mask:
    """Return a sensor's contacts (F), with each edge moved to the frame at which the sensor stops or starts moving.

    Args:
        state: (F) contacts found with the wide thresholds.
        wide_excess: (F) combined speed and height relative to the wide thresholds; below 1 in contact.
        tight_excess: (F) combined speed and height relative to the tight thresholds; below 1 in contact.
        is_impact: (F) whether a contact that begins at the frame is an impact rather than a gentle lowering.
        window: number of frames over which speeds were measured.
        rate: frames per second.
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
    """Return the fractional frame (F) at which an excess falls below 1; the frame itself if already below 1 before."""
    before = np.concatenate([excess[:1], excess[:-1]])
    share = np.clip((1 - excess) / np.maximum(before - excess, 1e-9), 0.0, 1.0)
    return np.arange(float(len(excess))) - np.where((excess < 1) & (before >= 1), share, 0.0)

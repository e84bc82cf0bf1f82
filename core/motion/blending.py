"""Blending of corrections over gaps between the frames in which they are known, and smooth step functions."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .rotations import Array


def blend_corrections(
    corrections: Array,
    runs: NDArray[np.intp],
    fade_frames: int | NDArray[np.intp],
    lead_frames: NDArray[np.intp] | None = None,
) -> Array:
    """Return corrections (F, N) that keep the given values within runs of frames and fade over the gaps between.

    Displacement spreading as in foot skate clean-up, Kovar, Schreiner and Gleicher 2002. In a gap the correction fades
    out from the previous run and in to the next one, over at most ``fade_frames`` frames each; across a shorter gap,
    the two blend into each other.

    Args:
        corrections: (F, N) corrections; only the rows within the runs are read.
        runs: (R, 2), first frame and frame after the last of each run, in order.
        fade_frames: longest fade after a run, frames: one number for all runs, or one for each run (R).
        lead_frames: (R) longest fade before each run, frames; ``fade_frames`` by default.
    """
    result = corrections.copy()
    inside = np.zeros(len(corrections) + 1, dtype=int)
    np.add.at(inside, runs[:, 0], 1)
    np.add.at(inside, runs[:, 1], -1)
    gaps = np.flatnonzero(np.cumsum(inside)[:-1] == 0)
    after = np.searchsorted(runs[:, 0], gaps)
    begun, ended = after < len(runs), after > 0
    last, first = runs[np.maximum(after - 1, 0), 1] - 1, runs[np.minimum(after, len(runs) - 1), 0]
    gap = np.where(begun & ended, np.maximum(first - last - 1, 1), len(corrections))
    longest = np.broadcast_to(fade_frames, len(runs))
    width = np.minimum(gap, longest[np.maximum(after - 1, 0)])
    leads = longest if lead_frames is None else lead_frames
    lead = np.minimum(gap, leads[np.minimum(after, len(runs) - 1)])
    total = np.zeros((len(gaps), corrections.shape[1]))
    for there, edge, away, span in ((ended, last, gaps - last, width), (begun, first, first - gaps, lead)):
        total[there] += smooth_falloff(away[there] / (span[there] + 1))[:, None] * corrections[edge[there]]
    result[gaps] = total
    return result


def smooth_falloff(t: Array) -> Array:
    """Return the quintic falloff (...) of ``t`` (...): 1 below ``t`` = 0, 0 above ``t`` = 1, level at both ends.

    The complement of smootherstep, Perlin 2002.
    """
    t = np.clip(t, 0.0, 1.0)
    return 1 - t**3 * (t * (6 * t - 15) + 10)


def smooth_step(t: ArrayLike) -> Array:
    """Return the cubic smooth step (...) of ``t`` (...): 0 below ``t`` = 0, 1 above ``t`` = 1, level at both ends.

    Unlike the quintic :func:`smooth_falloff`, its second derivative is not zero at the ends.
    """
    t = np.clip(t, 0.0, 1.0)
    return t * t * (3 - 2 * t)

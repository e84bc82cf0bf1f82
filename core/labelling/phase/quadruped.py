"""The phase of quadrupeds: one cycle a stride, 0 at strikes of the right hind foot.

The phase at which each other foot strikes depends on the gait (the left hind foot half a cycle later in a trot, a tenth
in a gallop; footfall diagrams, Hildebrand 1965) and changes slowly. Each foot's strikes give a phase; where those of
the right hind foot are missing, the other feet's phases are used, less their usual offsets.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...motion.signals import FrameIndices
from .phase import (
    MAX_CHORD_RATE_HZ,
    MIN_STRIKE_INTERVAL_S,
    PhaseKnots,
    StrideRate,
    merge_strikes,
    wrap_cycles,
)

TROT_PHASES: Final = {"R": 0.0, "L": 0.5, "FL": 0.0, "FR": 0.5}
"""Phases of the feet in a trot, assumed if the right hind foot never strikes; feet in order of precedence."""
OFFSET_WINDOW_S: Final = 3.0
"""Time over which a foot's phase offset is averaged."""
CERTAINTY_FADE_S: Final = 0.2
"""Time over which a foot's weight fades between certain and uncertain frames."""
FIRST_FOOT_WEIGHT: Final = 4.0
"""Weight of the first foot, relative to each of the others."""
UNCERTAIN_FOOT_WEIGHT: Final = 0.02
"""Weight of the first foot where it has no strikes."""
MAX_STRIKE_OFFSET_CYCLES: Final = 0.25
"""Largest difference between a strike of the first foot and the phase estimated from all feet."""


def quadruped_phase(strikes: Mapping[str, FrameIndices], standing: NDArray[np.bool_], rate: float) -> Array:
    """Return a quadruped's gait phase (F), cycles in [0, 1), from the strikes of its feet.

    The phase passes 0 half a frame before the frame of a strike of the right hind foot; where that strike is missing,
    at the time that follows from the other feet's strikes and their phase offsets in the strides around. Its rate is
    continuous, above 0 and at most 4 cycles per second; standing adds cycles of about a second. Without any strike of
    the right hind foot, the first other foot is assumed to trot.

    Args:
        strikes: frames of the strikes of the hind feet ``L`` and ``R`` and the front feet ``FL`` and ``FR``.
        standing: (F) whether the animal stands.
        rate: frames per second.
    """
    feet = [foot for foot in TROT_PHASES if len(strikes.get(foot, ()))]
    found = [merge_strikes(strikes[foot], MIN_STRIKE_INTERVAL_S * rate) for foot in feet]
    if not feet:
        feet, found = ["R"], [np.zeros(0, dtype=np.intp)]
    pace = StrideRate.find(found, [0.0] * len(found), standing, rate)
    own = [PhaseKnots.find([foot], [0.0], pace) for foot in found]
    together = _consensus_phase(
        [knots.unwrapped_phase() for knots in own], [_certainty(knots, standing) for knots in own], rate
    )
    return wrap_cycles(_anchor_to_strikes(together, own[0], rate).unwrapped_phase() + TROT_PHASES[feet[0]])


def _certainty(knots: PhaseKnots, standing: NDArray[np.bool_]) -> Array:
    """Return 1 in frames (F) in which a foot walks and is between two strikes one cycle apart, else 0."""
    times = np.arange(len(standing)) / knots.stride_rate.frame_rate
    after = np.searchsorted(knots.times, times)
    cycles = np.concatenate([[np.inf], np.diff(knots.cycles), [np.inf]])
    return np.where((cycles[after] < 1.5) & ~standing, 1.0, 0.0)


def _consensus_phase(phases: list[Array], certainties: list[Array], rate: float) -> Array:
    """Return the first foot's unwrapped phase (F), estimated from all feet; it never runs backwards.

    The offset of each foot is the circular mean of its lag behind the first one, over the strides around in which both
    are certain.
    """
    first = np.exp(2j * np.pi * phases[0])
    total = first * (FIRST_FOOT_WEIGHT * _smooth(certainties[0], CERTAINTY_FADE_S * rate) + UNCERTAIN_FOOT_WEIGHT)
    for phase, sure in zip(phases[1:], certainties[1:], strict=True):
        other = np.exp(2j * np.pi * phase)
        behind = _local_circular_mean(first / other * certainties[0] * sure, rate)
        total = total + other * behind * _smooth(sure, CERTAINTY_FADE_S * rate)
    return np.maximum.accumulate(np.unwrap(np.angle(total) / (2 * np.pi), period=1.0))


def _local_circular_mean(offsets: Array, rate: float) -> Array:
    """Return the mean of the offsets (F), complex numbers, around each frame, scaled to length 1.

    Where there are none, the nearest mean is used. Circular mean, Mardia and Jupp 2000.
    """
    known = np.abs(offsets) > 0
    if not known.any():
        return np.zeros_like(offsets)
    mean = _smooth(offsets, OFFSET_WINDOW_S * rate)
    near = np.flatnonzero(known)
    after = np.minimum(np.searchsorted(near, np.arange(len(offsets))), len(near) - 1)
    before = np.maximum(after - 1, 0)
    frames = np.arange(len(offsets))
    nearest = near[np.where(frames - near[before] < near[after] - frames, before, after)]
    return mean[nearest] / np.maximum(np.abs(mean[nearest]), 1e-12)


def _smooth(values: Array, frames: float) -> Array:
    """Return values (F) averaged over a window of ``frames`` frames twice."""
    size = max(round(frames), 1)
    return scipy.ndimage.uniform_filter1d(
        scipy.ndimage.uniform_filter1d(values, size, mode="nearest"), size, mode="nearest"
    )


def _anchor_to_strikes(consensus: Array, own_knots: PhaseKnots, rate: float) -> PhaseKnots:
    """Return knots at whole cycles, which are at the first foot's strikes, or else where the consensus has them."""
    whole = np.arange(np.ceil(consensus[0]), np.floor(consensus[-1]) + 1)
    if len(whole) == 0:
        return PhaseKnots(np.zeros(1), consensus[:1], own_knots.stride_rate)
    # A minimal slope where the phase was prevented from running backwards.
    times = np.interp(whole, consensus + 1e-9 * np.arange(len(consensus)), np.arange(len(consensus)) / rate)
    struck = np.interp(own_knots.times * rate, np.arange(len(consensus)), consensus)
    nearest = np.rint(struck)
    usable = (np.abs(struck - nearest) < MAX_STRIKE_OFFSET_CYCLES) & (nearest >= whole[0]) & (nearest <= whole[-1])
    times[(nearest[usable] - whole[0]).astype(np.intp)] = own_knots.times[usable]
    chosen = [0]
    for index in range(1, len(times)):
        if (times[index] - times[chosen[-1]]) * MAX_CHORD_RATE_HZ >= whole[index] - whole[chosen[-1]]:
            chosen.append(index)
    return PhaseKnots(times[chosen], whole[chosen], own_knots.stride_rate)

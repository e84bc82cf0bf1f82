"""The phase of animals on four legs: one cycle a stride, and the right hind foot comes down at 0.

Which part of the stride each other foot comes down at says the gait (a trot has the left hind foot half a cycle on, a
gallop a tenth), and it changes slowly. So every foot tells the time by its own strikes, and where the right hind foot's
are missing, the others tell it, each as much later as it usually is.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.rotations import Array
from .phase import CLOSEST_STRIKES, FASTEST_CHORD, Frames, Knots, Pace, merged, wrapped

# The feet in the order in which they are asked, and where a trot has them, for animals whose right hind foot is unseen.
FEET: Final = {"R": 0.0, "L": 0.5, "FL": 0.0, "FR": 0.5}
# Seconds over which a foot's place in the stride is averaged, and over which a foot loses its say.
OFFSET_WINDOW: Final = 3.0
FADE: Final = 0.2
# How much the first foot's word counts, against one for each of the others, and how much where it has no strikes.
FIRST_SAYS: Final = 4.0
GUESS: Final = 0.02
# Share of a cycle by which the first foot's strike may be off what all feet say.
OWN_STRIKE: Final = 0.25


def quadruped_phase(strikes: Mapping[str, Frames], standing: NDArray[np.bool_], rate: float) -> Array:
    """Phase (F) in cycles [0, 1), from the strikes of hind feet ``L`` and ``R`` and front feet ``FL`` and ``FR``.

    The phase passes 0 half a frame before the frame of the right hind foot's strike, and where that is missing, at the
    time that the other feet's strikes give, by where in the stride each of them came down in the strides around. Its
    rate is continuous, above 0 and at most 4 cycles a second; standing adds cycles of about a second. Without any
    strike of the right hind foot, the first of the others is taken to trot.
    """
    feet = [foot for foot in FEET if len(strikes.get(foot, ()))]
    found = [merged(strikes[foot], CLOSEST_STRIKES * rate) for foot in feet]
    if not feet:
        feet, found = ["R"], [np.zeros(0, dtype=np.intp)]
    pace = Pace.find(found, [0.0] * len(found), standing, rate)
    own = [Knots.find([foot], [0.0], pace) for foot in found]
    together = _agreed([knots.phase() for knots in own], [_certainty(knots, standing) for knots in own], rate)
    return wrapped(_through_strikes(together, own[0], rate).phase() + FEET[feet[0]])


def _certainty(knots: Knots, standing: NDArray[np.bool_]) -> Array:
    """1 where a foot (F) is between two strikes a cycle apart and walks, else 0."""
    times = np.arange(len(standing)) / knots.pace.rate
    after = np.searchsorted(knots.times, times)
    ways = np.concatenate([[np.inf], np.diff(knots.cycles), [np.inf]])
    return np.where((ways[after] < 1.5) & ~standing, 1.0, 0.0)


def _agreed(phases: list[Array], certain: list[Array], rate: float) -> Array:
    """What all feet together say of the first one's phase (F), unwrapped, and never running backwards.

    Each foot's place in the stride is the circular mean of how far it is behind the first one, over the strides around
    in which both are certain.
    """
    first = np.exp(2j * np.pi * phases[0])
    total = first * (FIRST_SAYS * _smoothed(certain[0], FADE * rate) + GUESS)
    for phase, sure in zip(phases[1:], certain[1:], strict=True):
        other = np.exp(2j * np.pi * phase)
        behind = _spread(first / other * certain[0] * sure, rate)
        total = total + other * behind * _smoothed(sure, FADE * rate)
    return np.maximum.accumulate(np.unwrap(np.angle(total) / (2 * np.pi), period=1.0))


def _spread(offsets: Array, rate: float) -> Array:
    """Unit numbers (F): the offsets' mean around each frame; the nearest known one where there are none around."""
    known = np.abs(offsets) > 0
    if not known.any():
        return np.zeros_like(offsets)
    mean = _smoothed(offsets, OFFSET_WINDOW * rate)
    near = np.flatnonzero(known)
    after = np.minimum(np.searchsorted(near, np.arange(len(offsets))), len(near) - 1)
    before = np.maximum(after - 1, 0)
    frames = np.arange(len(offsets))
    nearest = near[np.where(frames - near[before] < near[after] - frames, before, after)]
    return mean[nearest] / np.maximum(np.abs(mean[nearest]), 1e-12)


def _smoothed(values: Array, frames: float) -> Array:
    """The mean (F) over a window of so many frames, twice."""
    size = max(round(frames), 1)
    return scipy.ndimage.uniform_filter1d(
        scipy.ndimage.uniform_filter1d(values, size, mode="nearest"), size, mode="nearest"
    )


def _through_strikes(together: Array, own: Knots, rate: float) -> Knots:
    """The times of whole cycles: the first foot's own strikes, and where one is missing or odd, what all feet say."""
    whole = np.arange(np.ceil(together[0]), np.floor(together[-1]) + 1)
    if len(whole) == 0:
        return Knots(np.zeros(1), together[:1], own.pace)
    # A hair of slope where it was held back from running backwards.
    times = np.interp(whole, together + 1e-9 * np.arange(len(together)), np.arange(len(together)) / rate)
    struck = np.interp(own.times * rate, np.arange(len(together)), together)
    nearest = np.rint(struck)
    usable = (np.abs(struck - nearest) < OWN_STRIKE) & (nearest >= whole[0]) & (nearest <= whole[-1])
    times[(nearest[usable] - whole[0]).astype(np.intp)] = own.times[usable]
    kept = [0]
    for index in range(1, len(times)):
        if (times[index] - times[kept[-1]]) * FASTEST_CHORD >= whole[index] - whole[kept[-1]]:
            kept.append(index)
    return Knots(times[kept], whole[kept], own.pace)

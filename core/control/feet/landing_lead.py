"""The lead of a foot to the place where it is held: late or early enough to clear the ground, and as a whole if far."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...tuning import Tuning, tuned

LEAD_SHARES: Final = (1.0, 0.7, 0.5, 0.3, 1.5, 2.2)
"""Multiples of the usual time, as they are tried."""


@dataclass(frozen=True, slots=True)
class LandingLead(Tuning):
    """Tuned numbers of the lead of landing feet."""

    clear_fall: float = tuned(0.6, "m/s", 0.05, 3.0)
    """Speed, from where a foot has to be over the ground before it lands to where it lands, up to which it is clear."""
    better_fall: float = tuned(0.8, "1", 0.1, 1.0)
    """Share of that speed below which another time is better."""
    max_sole_turn: float = tuned(0.5, "1", 0.0, 2.0)
    """Part of the sole's length by which its heel is led alone, so that the foot turns; beyond, all of it is led."""


TUNING: Final = LandingLead()


Depths = Callable[[NDArray[np.intp], NDArray[np.intp]], Array]
"""From times (R) and frames (N) to the depths (N) of a foot in the ground, meters, if it is led in these times."""


def clear_leads(landings: NDArray[np.intp], usual: int, depths: Depths, rate: float, scale: float) -> NDArray[np.intp]:
    """Return over how many frames (R) a foot is led to each of its places, so that it clears what it passes.

    A foot that comes down a step and is held right before it would be drawn back over the step long before it is down,
    and be raised out of it up to the moment at which it lands: it is led there as late as need be. One that would have
    come over a step in front of which it is held is led there early.

    Args:
        landings: (R) first frames of its contacts.
        usual: frames in which it is led where nothing is in the way.
        depths: of the foot in the ground.
        rate: frames per second.
        scale: size of the body, 1 of an adult.
    """
    best, late = np.full(len(landings), usual), landings >= usual
    if not late.any():
        return best
    ahead = np.arange(1, usual + 1)
    before, clear = landings[late, None] - ahead, TUNING.clear_fall * scale
    frames, least = np.unique(before), np.full(int(late.sum()), np.inf)
    for share in LEAD_SHARES:
        leads = np.full(len(landings), max(round(share * usual), 2))
        known = depths(leads, frames)[np.searchsorted(frames, before)]
        falls = (known * rate / ahead).max(axis=1, initial=0.0)
        better = (falls < TUNING.better_fall * least) & (least > clear)
        best[np.flatnonzero(late)[better]] = leads[0]
        least = np.where(better, falls, least)
        if (least <= clear).all():
            break
    return best


def beyond_turn(corrections: Array, sole_length: float) -> Array:
    """Return the parts (F, 3) of a heel's corrections (F, 3), meters, with which the ball goes along.

    A short sole would turn over on its way to a place a hand's breadth away if its heel were led there by itself.
    """
    sizes = np.linalg.norm(corrections, axis=-1, keepdims=True)
    return corrections * np.maximum(1.0 - TUNING.max_sole_turn * sole_length / np.maximum(sizes, 1e-9), 0.0)

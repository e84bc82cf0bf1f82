"""Blending of a foot to its held place: late or early enough to clear the ground; a large correction moves it whole."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...tuning import Tuning, tuned

LEAD_SHARES: Final = (1.0, 0.7, 0.5, 0.3, 1.5, 2.2)
"""Multiples of the usual blend time, in the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class LandingLead(Tuning):
    clear_fall: float = tuned(0.6, "m/s", 0.05, 3.0)
    """Mean descent speed from an obstacle to the landing below which a foot counts as clear of the ground."""
    better_fall: float = tuned(0.8, "1", 0.1, 1.0)
    """Share of the best descent speed so far below which another blend time is preferred."""
    fade_speed: float = tuned(0.5, "m/s", 0.05, 5.0)
    """Mean speed of a foot that a large correction moves, from which the time of its blend follows."""
    longest_fade: float = tuned(0.35, "s", 0.02, 1.0)
    """Longest blend time that follows from a correction's size."""
    max_sole_turn: float = tuned(0.5, "1", 0.0, 2.0)
    """Largest correction made by the heel alone, as a share of the sole's length; the rest moves the whole foot."""


TUNING: Final = LandingLead()


Depths = Callable[[NDArray[np.intp], NDArray[np.intp]], Array]
"""Function that takes blend times (R), in frames, and frames (N) and returns how deep (N) a foot is, meters."""


def clear_leads(landings: NDArray[np.intp], usual: int, depths: Depths, rate: float, scale: float) -> NDArray[np.intp]:
    """Return over how many frames (R) a foot blends to each foothold so that it does not hit the ground on the way.

    A foot that steps down close to a riser blends late: otherwise it would be drawn back over the step too early, and
    raised out of the step until it lands. A foot that would pass over a step in front of which it is held blends early.

    Args:
        landings: (R) first frames of the foot's contacts.
        usual: number of blend frames when nothing is in the way.
        depths: function that returns how deep the foot is in the ground for given blend frames.
        rate: frames per second.
        scale: size of the body relative to an adult.
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


def fade_frames(
    corrections: Array, usual: int, leads: NDArray[np.intp] | None, rate: float, scale: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return over how many frames (R) corrections fade before contacts, and after them; large ones take longer.

    Args:
        corrections: (R, 2, 3) corrections at the first and last frame of each contact, meters.
        usual: number of frames of a small correction.
        leads: (R) frames before each contact in which there is time for a small one; ``usual`` by default.
        rate: frames per second.
        scale: size of the body relative to an adult.
    """
    longest = max(round(TUNING.longest_fade * rate), usual)
    wanted = np.linalg.norm(corrections[..., :2], axis=-1) / (TUNING.fade_speed * scale) * rate
    fades = np.clip(wanted, usual, longest).astype(np.intp)
    if leads is None:
        return fades[:, 0], fades[:, 1]
    return leads + np.where(leads < usual, 0, fades[:, 0] - usual), fades[:, 1]


def beyond_turn(corrections: Array, sole_length: float) -> Array:
    """Return the part (F, 3) of a heel's corrections (F, 3), meters, that moves the ball as well.

    A short sole would turn over if its heel alone moved to a place a hand's breadth away.
    """
    sizes = np.linalg.norm(corrections, axis=-1, keepdims=True)
    return corrections * np.maximum(1.0 - TUNING.max_sole_turn * sole_length / np.maximum(sizes, 1e-9), 0.0)

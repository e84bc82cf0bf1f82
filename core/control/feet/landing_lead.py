"""The time before landing at which a swing foot starts to blend to its held position, so that it clears the ground."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...tuning import Tuning, tuned

LEAD_SHARES: Final = (1.0, 0.7, 0.5, 0.3, 1.5, 2.2)
"""Multiples of the usual blend time to try, in this order, before a foot lands."""


@dataclass(frozen=True, slots=True)
class LandingLead(Tuning):
    clear_fall: float = tuned(0.6, "m/s", 0.05, 3.0)
    """Largest depth of a foot in the ground, over the time left to its landing, at which it counts as clear of the
    ground.
    """
    better_fall: float = tuned(0.8, "1", 0.1, 1.0)
    """Ratio of a blend time's depth over time left to the best one so far, below which it is preferred."""
    fade_speed: float = tuned(0.5, "m/s", 0.05, 5.0)
    """Mean speed of a blend; a large correction takes longer to blend than a small one."""
    longest_fade: float = tuned(0.35, "s", 0.02, 1.0)
    """Longest blend time of a large correction."""
    max_sole_turn: float = tuned(0.5, "1", 0.0, 2.0)
    """Largest correction made by the heel alone, as a share of the sole's length; the rest moves the whole foot."""


TUNING: Final = LandingLead()


Depths = Callable[[NDArray[np.intp], NDArray[np.intp]], Array]
"""Function of blend times (R), frames, and N frame indices that returns the foot's depths (N) in the ground, meters."""


def clear_leads(landings: NDArray[np.intp], usual: int, depths: Depths, rate: float, scale: float) -> NDArray[np.intp]:
    """Return the number of frames (R) over which a foot blends to each foothold without hitting the ground.

    A foot that steps down close to a riser blends late: otherwise it would be drawn back over the step too early, and
    raised out of the step until it lands. A foot that would pass over a step in front of which it is held blends early.

    Args:
        landings: (R) first frames of the foot's contacts.
        usual: number of blend frames when nothing is in the way.
        depths: function that returns the depths of the foot in the ground, meters, for given blend times and frames.
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
    """Return the blend times (R) before contacts and (R) after them, frames; large corrections are blended more slowly.

    Args:
        corrections: (R, 2, 3) corrections at the first and last frame of each contact, meters.
        usual: blend time of a small correction, frames.
        leads: (R) available blend time of a small correction before each contact, frames; ``usual`` by default.
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
    """Return the part (F, 3), meters, of a heel's corrections (F, 3), meters, by which the ball must move as well.

    A sole (`sole_length` in meters) would turn over if only its heel moved by a hand's breadth.
    """
    sizes = np.linalg.norm(corrections, axis=-1, keepdims=True)
    return corrections * np.maximum(1.0 - TUNING.max_sole_turn * sole_length / np.maximum(sizes, 1e-9), 0.0)

"""Agreement of labels with a reference: contacts, foot strikes, phase."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.motion.contacts import CONTACT_THRESHOLD
from ..core.motion.rotations import Array
from ..core.motion.signals import Mask

TIME_TOLERANCE_S: Final = 1e-9


@dataclass(frozen=True, slots=True)
class StrikeAgreement:
    """Foot strikes compared with a reference: the found share of it, and the median timing error in seconds.

    The error is found minus reference (positive is late), over the found ones; ``None`` without any.
    """

    recall: float
    median_error: float | None


def contact_f1(detected: Array, reference: Array) -> Array:
    """Return the frame-wise F1 (C) of contacts (F, C), probabilities or states; 1 if there are none in both."""
    mine, theirs = detected > CONTACT_THRESHOLD, reference > CONTACT_THRESHOLD
    both, either = (mine & theirs).sum(axis=0), mine.sum(axis=0) + theirs.sum(axis=0)
    return np.where(either > 0, 2 * both / np.maximum(either, 1), 1.0)


def strike_agreement(detected: Array, reference: Array, tolerance: float = 3 / 60) -> StrikeAgreement:
    """Compare times of strikes (N) and (M), seconds; one counts as found within 3 frames at 60 Hz.

    Raises:
        ValueError: the reference has no strikes.
    """
    if len(reference) == 0:
        raise ValueError("the reference has no strikes")
    gaps = strike_time_errors(detected, reference)
    hit = np.abs(gaps) <= tolerance + TIME_TOLERANCE_S
    return StrikeAgreement(float(hit.mean()), float(np.median(gaps[hit])) if hit.any() else None)


def strike_time_errors(detected: Array, reference: Array) -> Array:
    """Return the delay (M) of the nearest detected strike (N) after each reference strike, seconds.

    It is infinite without a detected strike.
    """
    if len(detected) == 0:
        return np.full(len(reference), np.inf)
    gaps = detected[None] - reference[:, None]
    return gaps[np.arange(len(reference)), np.abs(gaps).argmin(axis=1)]


def extra_strikes(detected: Array, reference: Array, tolerance: float = 3 / 60) -> NDArray[np.bool_]:
    """Return whether each detected strike (N) matches no reference strike (M); times in seconds.

    Each reference strike matches the nearest detected one.
    """
    extra = np.ones(len(detected), dtype=bool)
    if len(detected) and len(reference):
        gaps = np.abs(detected[None] - reference[:, None])
        nearest = gaps.argmin(axis=1)
        extra[nearest[gaps.min(axis=1) <= tolerance + TIME_TOLERANCE_S]] = False
    return extra


def phase_error(detected: Array, reference: Array, standing: Mask) -> float:
    """Return the mean circular error, cycles, of phases (F) in cycles, except in the ``standing`` frames (F).

    Raises:
        ValueError: all frames are standing.
    """
    if np.all(standing):
        raise ValueError("all frames are standing: there is no phase to compare")
    gap = (detected - reference + 0.5) % 1.0 - 0.5
    return float(np.abs(gap[~standing]).mean())

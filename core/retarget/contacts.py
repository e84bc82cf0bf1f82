"""Feet and hands of a retargeted clip that stand as still as those it was made from."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..motion import Clip
from ..motion.blending import blend_corrections
from ..motion.heel import heel_positions
from ..motion.limb_ik import MAX_REACH_RATIO, Leg
from ..motion.rotations import Array
from ..motion.signals import runs_of

CONTACT_THRESHOLD: Final = 0.5
# Seconds over which a correction fades where a contact begins or ends.
CORRECTION_BLEND_S: Final = 0.2
# Seconds over which the weight goes from the heel to the ball.
HEEL_TO_BALL_ROLL_S: Final = 0.03
# Share of a leg by which hips sink at most.
MAX_HIPS_DROP_RATIO: Final = 0.3
# How far a point in contact moves, as a share of the source's.
CONTACT_SLIDE_RATIO: Final = 0.5
# Metres by which two feet differ that are the same: Blender's single precision makes tenths of that.
SAME_FOOT_TOLERANCE_M: Final = 5e-4
# Percentile of a point's heights in contact that is its floor.
FLOOR_PERCENTILE: Final = 5.0

ContactProbabilities = Mapping[str, Array]
"""Probabilities (F) that a joint touches something, by its name: ``foot.L`` (the heel), ``toe.L``, ``hand.L``, ..."""


@dataclass(frozen=True, slots=True, eq=False)
class SolePoints:
    """The two points of a foot that touch the ground: ``heel`` and ``ball`` (F, 3), metres, world."""

    heel: Array
    ball: Array

    @staticmethod
    def from_clip(clip: Clip, leg: Leg, standing: Clip | None = None) -> "SolePoints":
        """Return the soles of a clip's leg, see :func:`heel_positions`; without a toe joint both are the ankle."""
        if leg.toe is None:
            return SolePoints(clip.positions[:, leg.foot], clip.positions[:, leg.foot])
        return SolePoints(heel_positions(clip, leg.foot, leg.toe, standing), clip.positions[:, leg.toe])

    @staticmethod
    def pair(clip: Clip, leg: Leg, other: Clip, other_leg: Leg) -> tuple["SolePoints", "SolePoints"]:
        """Return the soles of two clips' legs: of both the ankles where one has no toe joint."""
        if leg.toe is None or other_leg.toe is None:
            leg, other_leg = replace(leg, toe=None), replace(other_leg, toe=None)
        return SolePoints.from_clip(clip, leg), SolePoints.from_clip(other, other_leg)


def contact_frames(contacts: ContactProbabilities, joint_name: str, frames: int) -> NDArray[np.bool_]:
    """Return the frames (F) in which a joint touches; none where nobody says."""
    return (
        np.asarray(contacts[joint_name] > CONTACT_THRESHOLD) if joint_name in contacts else np.zeros(frames, dtype=bool)
    )


def foot_correction(
    source: SolePoints,
    target: SolePoints,
    heel_contacts: NDArray[np.bool_],
    ball_contacts: NDArray[np.bool_],
    scale: float,
    rate: float,
) -> Array:
    """By how much a foot must move (F, 3), metres, so that it touches the ground as the one that it follows.

    During a contact the touching point is at the source's height times ``scale`` and moves half as much as the
    source's, so that it stands stiller; where it stands is the target's own mean. Between contacts the correction
    fades, and no point gets below the ground on which the source's stands. A foot that does all that of itself, since
    it is the source's own but for its size, is left alone.
    """
    if scale < 1.001 and all(
        np.abs(scale * a - b).max() < SAME_FOOT_TOLERANCE_M for a, b in _point_pairs(source, target)
    ):
        return np.zeros_like(target.ball)
    # From the frame before to the frame after, so that a point has no step of its own at any frame of its contact.
    touches = [
        np.asarray(scipy.ndimage.binary_dilation(held, np.ones(3, dtype=bool)), dtype=bool)
        for held in (heel_contacts, ball_contacts)
    ]
    runs = runs_of(np.logical_or(*touches))
    result = np.zeros_like(target.ball)
    if len(runs) == 0:
        return result
    both = np.where(touches[0], 0.5, 1.0)
    weight = scipy.ndimage.gaussian_filter1d(
        np.where(touches[1], both, 0.0), HEEL_TO_BALL_ROLL_S * rate, mode="nearest"
    )[:, None]
    heights = [(weight * soles.ball + (1 - weight) * soles.heel)[:, 2] for soles in (source, target)]
    for start, stop in runs:
        shares = (weight[start + 1 : stop] + weight[start : stop - 1]) / 2
        steps = [
            shares * np.diff(soles.ball[start:stop, :2], axis=0)
            + (1 - shares) * np.diff(soles.heel[start:stop, :2], axis=0)
            for soles in (source, target)
        ]
        slid = np.zeros((stop - start, 2))
        slid[1:] = np.cumsum(CONTACT_SLIDE_RATIO * min(scale, 1.0) * steps[0] - steps[1], axis=0)
        result[start:stop, :2] = slid - slid.mean(axis=0)
        result[start:stop, 2] = (scale * heights[0] - heights[1])[start:stop]
    result = blend_corrections(result, runs, max(round(CORRECTION_BLEND_S * rate), 1))
    result[:, 2] += required_lift(source, target, (heel_contacts, ball_contacts), scale, result[:, 2], rate)
    return result


def _point_pairs(source: SolePoints, target: SolePoints) -> list[tuple[Array, Array]]:
    return [(source.heel, target.heel), (source.ball, target.ball)]


def required_lift(
    source: SolePoints,
    target: SolePoints,
    contacts: tuple[NDArray[np.bool_], ...],
    scale: float,
    height_shift: Array,
    rate: float,
) -> Array:
    """How much higher (F), metres, a shifted foot must go to be nowhere lower than the source's and its floor."""
    depths = np.zeros(len(height_shift))
    for (theirs, own), touching in zip(_point_pairs(source, target), contacts, strict=True):
        if touching.any():
            floor = scale * np.minimum(theirs[:, 2], np.percentile(theirs[touching, 2], FLOOR_PERCENTILE))
            depths = np.maximum(depths, floor - own[:, 2] - height_shift)
    if depths.max() <= 0:
        return depths
    window = max(round(HEEL_TO_BALL_ROLL_S * rate), 1)
    high = scipy.ndimage.maximum_filter1d(depths, 4 * window + 1, mode="nearest")
    return scipy.ndimage.gaussian_filter1d(high, window / 2, mode="nearest")


def hand_correction(target: Array, current: Array, contacts: NDArray[np.bool_], rate: float) -> Array:
    """By how much a hand (F, 3) must move to be where it is wanted (F, 3) while it touches; it fades in between."""
    runs = runs_of(contacts)
    if len(runs) == 0:
        return np.zeros_like(current)
    return blend_corrections(
        np.where(contacts[:, None], target - current, 0.0), runs, max(round(CORRECTION_BLEND_S * rate), 1)
    )


def hips_drop(clip: Clip, legs: list[Leg], ankles: list[Array]) -> Array:
    """How far the hips must sink (F), metres, so that both ankles (F, 3) can be reached; smooth over time."""
    skeleton, drops = clip.skeleton, np.zeros(len(clip))
    for leg, ankle in zip(legs, ankles, strict=True):
        hip = clip.positions[:, leg.thigh]
        longest = np.maximum(
            leg.length(skeleton) * MAX_REACH_RATIO,
            np.where(_is_ankle_unmoved(clip, leg, ankle), leg.length(skeleton), 0.0),
        )
        across = np.linalg.norm((ankle - hip)[:, :2], axis=-1)
        height = np.sqrt(np.maximum(longest**2 - across**2, 0))
        drops = np.maximum(drops, hip[:, 2] - ankle[:, 2] - height)
    if drops.max(initial=0.0) < 1e-7:
        return np.zeros(len(clip))
    window = max(round(0.1 * clip.rate), 1)
    deepest = MAX_HIPS_DROP_RATIO * legs[0].length(skeleton)
    spread = scipy.ndimage.maximum_filter1d(np.clip(drops, 0, deepest), 2 * window + 1, mode="nearest")
    # Smoothed over no more frames than the drops were spread over, so that none of them loses anything.
    return scipy.ndimage.gaussian_filter1d(spread, window / 2, mode="nearest", radius=window)


def _is_ankle_unmoved(clip: Clip, leg: Leg, ankle: Array) -> NDArray[np.bool_]:
    return np.linalg.norm(ankle - clip.positions[:, leg.foot], axis=-1) < 1e-6

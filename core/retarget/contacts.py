"""Contacts of feet and hands in retargeted clips: foot skate clean-up (cf. Kovar, Schreiner and Gleicher 2002)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..motion import Clip
from ..motion.blending import blend_corrections
from ..motion.contacts import CONTACT_THRESHOLD
from ..motion.heel import heel_offset, heel_positions
from ..motion.limb_ik import Leg, soft_reach
from ..motion.rotations import Array
from ..motion.signals import runs_of

CORRECTION_BLEND_S: Final = 0.2
"""Time over which a correction fades before and after a contact."""
HEEL_TO_BALL_ROLL_S: Final = 0.03
"""Standard deviation of the Gaussian that blends from heel contact to ball contact as the foot rolls."""
MAX_HIPS_DROP_RATIO: Final = 0.3
"""Largest lowering of the hips, relative to the length of a leg."""
CONTACT_SLIDE_RATIO: Final = 0.5
"""Ratio of sliding during contact, target to source."""
SAME_FOOT_TOLERANCE_M: Final = 5e-4
"""Distance below which two feet count as equal, well above Blender's single precision."""
KNEE_BELOW_ANKLE_RATIO: Final = 0.1
"""Largest distance of a folded leg's knee below its ankle, relative to the leg; raised heels are higher."""
FLOOR_PERCENTILE: Final = 5.0
"""Percentile of a sole point's heights in contact that is taken as its floor."""

ContactProbabilities = Mapping[str, Array]
"""Contact probabilities (F) by role of the joint: ``foot.L`` (the heel), ``toe.L``, ``hand.L``."""


@dataclass(frozen=True, slots=True, eq=False)
class SolePoints:
    """The two points of a foot that touch the ground: ``heel`` and ``ball`` (F, 3), meters, world."""

    heel: Array
    ball: Array

    @staticmethod
    def from_clip(clip: Clip, leg: Leg, standing: Clip | None = None) -> "SolePoints":
        """Return the heel and ball of one leg of a clip; without a toe joint, both are at the ankle.

        Args:
            clip: the motion.
            leg: the leg's joints.
            standing: a clip of the same body on level ground, by which the heel is located; ``clip`` by default.
        """
        if leg.toe is None:
            return SolePoints(clip.positions[:, leg.foot], clip.positions[:, leg.foot])
        return SolePoints(heel_positions(clip, leg.foot, leg.toe, standing), clip.positions[:, leg.toe])

    @staticmethod
    def pair(
        clip: Clip, leg: Leg, other: Clip, other_leg: Leg, ankle_rise: float = 0.0
    ) -> tuple["SolePoints", "SolePoints"]:
        """Return heel and ball of two clips' legs, located by the same rule, so that they can be compared.

        If one leg has no toe joint, the ankles are used for both; if a foot is never flat, ankles replace the heels.

        Args:
            clip: the first motion.
            leg: a leg of the first motion's skeleton.
            other: the second motion.
            other_leg: a leg of the second motion's skeleton.
            ankle_rise: height, meters, added to the first clip's ankles so that both are equally high above the soles.
        """
        if leg.toe is None or other_leg.toe is None:
            leg, other_leg = replace(leg, toe=None), replace(other_leg, toe=None)
        pair = SolePoints.from_clip(clip, leg), SolePoints.from_clip(other, other_leg)
        if all(
            one.toe is not None and heel_offset(motion, one.foot, one.toe) is not None
            for motion, one in ((clip, leg), (other, other_leg))
        ):
            return pair
        ankles = clip.positions[:, leg.foot] + [0.0, 0.0, ankle_rise], other.positions[:, other_leg.foot]
        if leg.toe is None:
            return SolePoints(ankles[0], ankles[0]), SolePoints(ankles[1], ankles[1])
        return SolePoints(ankles[0], pair[0].ball), SolePoints(ankles[1], pair[1].ball)


def contact_frames(contacts: ContactProbabilities, joint_name: str, frames: int) -> NDArray[np.bool_]:
    """Return a mask (F) of the frames in which a joint is in contact; all false if its contacts are unknown.

    Args:
        contacts: contact probabilities (F) by role of the joint.
        joint_name: role of the joint, such as ``"foot.L"``.
        frames: number of frames, F.
    """
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
    """Return displacements (F, 3), meters, world, of the target's foot that give it the contacts of the source's foot.

    During a contact the touching point has the source's height times ``scale``, slides half as far as the source's, and
    keeps its own mean place. Between contacts the correction fades, and no point is below the source's ground. A foot
    that only differs in scale from the source's foot is unchanged.

    Args:
        source: sole points of the followed foot.
        target: sole points of the moved foot.
        heel_contacts: (F) whether the source's heel is in contact.
        ball_contacts: (F) whether the source's ball is in contact.
        scale: ratio of the leg lengths, target to source.
        rate: frames per second.
    """
    if scale < 1.001 and all(
        np.abs(scale * a - b).max() < SAME_FOOT_TOLERANCE_M for a, b in _point_pairs(source, target)
    ):
        return np.zeros_like(target.ball)
    # Extended by a frame at both ends, so that a point does not jump in any frame of its contact.
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
    """Return two pairs of tracks (F, 3), source and target: the heels and the balls."""
    return [(source.heel, target.heel), (source.ball, target.ball)]


def required_lift(
    source: SolePoints,
    target: SolePoints,
    contacts: tuple[NDArray[np.bool_], ...],
    scale: float,
    height_shift: Array,
    rate: float,
) -> Array:
    """Return the height (F), meters, by which to raise a foot so that heel and ball stay above the ground.

    The ground of a point is the scaled height of the source's point, but at most its height in contact.

    Args:
        source: sole points of the followed foot.
        target: sole points of the moved foot.
        contacts: masks (F) of the frames in which the source's heel, and its ball, are in contact.
        scale: ratio of the leg lengths, target to source.
        height_shift: (F) height by which the foot has already been raised, meters.
        rate: frames per second.
    """
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
    """Return displacements (F, 3), meters, world, that move a hand to its target in contacts; between, they fade.

    Args:
        target: (F, 3) target, meters, world.
        current: (F, 3) position of the hand, meters, world.
        contacts: (F) whether the hand is in contact.
        rate: frames per second.
    """
    runs = runs_of(contacts)
    if len(runs) == 0:
        return np.zeros_like(current)
    return blend_corrections(
        np.where(contacts[:, None], target - current, 0.0), runs, max(round(CORRECTION_BLEND_S * rate), 1)
    )


def hips_drop(clip: Clip, legs: list[Leg], ankles: list[Array]) -> Array:
    """Return the height (F), meters, by which the hips must be lowered for all legs to reach their ankle goals.

    The result is smooth over time (Kovar et al. 2002, section 4: root placement).

    Args:
        clip: the motion.
        legs: legs of the body.
        ankles: (F, 3) goal of the ankle of each leg, meters, world.
    """
    skeleton, drops = clip.skeleton, np.zeros(len(clip))
    for leg, ankle in zip(legs, ankles, strict=True):
        hip = clip.positions[:, leg.thigh]
        distance, straight = np.linalg.norm(ankle - hip, axis=-1), leg.length(skeleton)
        longest = np.where(_is_ankle_unmoved(clip, leg, ankle), straight, soft_reach(distance, straight))
        across = np.linalg.norm((ankle - hip)[:, :2], axis=-1)
        height = np.sqrt(np.maximum(longest**2 - across**2, 0))
        drop = hip[:, 2] - ankle[:, 2] - height
        drops = np.maximum(drops, np.minimum(drop, MAX_HIPS_DROP_RATIO * straight))
    return _spread(drops, clip.rate)


def _spread(shifts: Array, rate: float) -> Array:
    """Smooth the shifts (F) of the hips, meters, without making any of them smaller."""
    if shifts.max(initial=0.0) < 1e-7:
        return np.zeros(len(shifts))
    window = max(round(0.1 * rate), 1)
    spread = scipy.ndimage.maximum_filter1d(shifts, 2 * window + 1, mode="nearest")
    # The smoothing is no wider than the spread of the shifts, so that every shift keeps its full size.
    return scipy.ndimage.gaussian_filter1d(spread, window / 2, mode="nearest", radius=window)


def hips_rise(clip: Clip, legs: list[Leg], ankles: list[Array]) -> Array:
    """Return the height (F), meters, by which hips too close to planted feet must be raised.

    If the thigh is longer than the shin, a leg folded as far as the source's would have its knee in the ground. The
    reach of the other leg limits the rise.

    Args:
        clip: the motion.
        legs: legs of the body.
        ankles: (F, 3) positions of the ankle of each leg, meters, world.
    """
    skeleton, rises, free = clip.skeleton, np.zeros(len(clip)), np.full(len(clip), np.inf)
    for leg, ankle in zip(legs, ankles, strict=True):
        thigh, shin = np.linalg.norm(skeleton.offsets[[leg.shin, leg.foot]], axis=-1)
        beyond = KNEE_BELOW_ANKLE_RATIO * (thigh + shin)
        least = float(np.sqrt(beyond**2 + max(thigh**2 - shin**2, 0.0)) - beyond)
        hip = clip.positions[:, leg.thigh]
        across = np.square((ankle - hip)[:, :2]).sum(axis=-1)
        height = hip[:, 2] - ankle[:, 2]
        rises = np.maximum(rises, np.sqrt(np.maximum(least**2 - across, 0.0)) - height)
        straight = soft_reach(np.array(np.inf), float(thigh + shin))
        free = np.minimum(free, np.sqrt(np.maximum(straight**2 - across, 0.0)) - height)
    return _spread(np.clip(rises, 0.0, np.maximum(free, 0.0)), clip.rate)


def _is_ankle_unmoved(clip: Clip, leg: Leg, ankle: Array) -> NDArray[np.bool_]:
    """Return whether an ankle's goal equals its position in each frame (F)."""
    return np.linalg.norm(ankle - clip.positions[:, leg.foot], axis=-1) < 1e-6

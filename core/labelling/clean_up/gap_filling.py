"""Gap filling: replaces non-finite frames, rest poses before or after the motion, and limbs that flip briefly."""

from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...motion import Clip
from ...motion.proportions import body_scale
from ...motion.rotations import normalize, unroll
from ...motion.signals import Mask

MAX_JOINT_SPEED_M_S: Final = 15.0
"""Speed of an adult's joint that counts as a jump, as after a T-pose or when an IK solver flips."""
OUTLIER_SPEED_RATIO: Final = 3.0
"""Speed of a jump relative to the fastest tenth of the clip."""
MAX_OUTLIER_SPAN_S: Final = 0.1
"""Longest time from an end of the clip to a jump, or between two jumps, that counts as an outlier."""


def fill_gaps(clip: Clip) -> tuple[Clip, Mask]:
    """Return the clip with broken frames interpolated linearly, and a mask of these frames (F).

    Broken frames have non-finite values, or are outliers as in :func:`find_outlier_frames`. At the ends of the clip,
    the first or last good frame is repeated.

    Raises:
        FootfallError: more than half of the frames are not finite, or jump farther than a body can move.
    """
    sound = np.isfinite(clip.root_positions).all(axis=1) & np.isfinite(clip.rotations).all(axis=(1, 2))
    broken = np.logical_not(np.asarray(sound))
    if broken.mean() > 0.5:
        raise FootfallError(
            "{count} of the {total} frames of {name} are not numbers: export the motion again",
            count=np.count_nonzero(broken),
            total=len(clip),
            name=clip.name,
        )
    whole = _interpolate_frames(clip, broken)
    strays = find_outlier_frames(whole)
    if strays.mean() > 0.5:
        raise FootfallError(
            "{name} moves impossibly fast between most of its {count} frames: check its unit and frame rate, "
            "or export the motion again",
            name=clip.name,
            count=len(clip),
        )
    return _interpolate_frames(whole, strays), broken | strays


def find_outlier_frames(clip: Clip) -> Mask:
    """Return a mask (F) of outliers: the few frames between two pose jumps, or between a jump and the clip's end."""
    strays = np.zeros(len(clip), dtype=bool)
    if len(clip) < 10:
        return strays
    moved = np.linalg.norm(np.diff(clip.positions, axis=0), axis=-1).max(axis=1)
    usual = float(np.median(np.sort(moved)[-max(len(moved) // 10, 1) :]))
    jumps = np.flatnonzero(
        moved > max(OUTLIER_SPEED_RATIO * usual, MAX_JOINT_SPEED_M_S * np.sqrt(body_scale(clip)) / clip.rate)
    )
    moment = max(round(MAX_OUTLIER_SPAN_S * clip.rate), 2)
    for before, after in pairwise([-1, *jumps.tolist(), len(moved)]):
        if after - before <= moment:
            strays[before + 1 : after + 1] = True
    return strays


def _interpolate_frames(clip: Clip, broken: Mask) -> Clip:
    """Interpolate the broken frames of a clip; quaternions are interpolated linearly and normalized."""
    if not broken.any():
        return clip
    frames, sound = np.arange(len(clip)), np.flatnonzero(~broken)
    rotations = clip.rotations.copy()
    rotations[sound] = unroll(rotations[sound])
    flat = np.concatenate([clip.root_positions, rotations.reshape(len(clip), -1)], axis=1)
    bridged = np.stack([np.interp(frames, sound, column[sound]) for column in flat.T], axis=1)
    turns = normalize(bridged[:, 3:].reshape(rotations.shape))
    return replace(clip, root_positions=bridged[:, :3], rotations=turns)

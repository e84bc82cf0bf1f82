"""Frames that hold no motion: numbers that are not numbers, and poses for a moment before or after the capture."""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..errors import FootfallError
from ..motion import Clip
from ..motion.rotations import normalize, unroll
from .sensors import body_scale

Mask = NDArray[np.bool_]

# A T-pose or the origin before the first frame shows as a joint that is faster than anybody's, m/s of an adult, and so
# many times as fast as the fastest tenth of the clip, within so many seconds of an end.
SUPERHUMAN: Final = 15.0
OUTSTANDING: Final = 3.0
AT_THE_ENDS: Final = 0.1


def without_gaps(clip: Clip) -> tuple[Clip, Mask]:
    """The clip with its broken frames bridged by straight lines, and which frames (F) they were.

    Broken are frames that hold no numbers, and those of another pose before or after the motion, as rest poses in the
    first frame of a file are; the motion's first or last frame stands in for these.

    Raises:
        FootfallError: where over half of the frames hold no numbers.
    """
    sound = np.isfinite(clip.root_positions).all(axis=1) & np.isfinite(clip.rotations).all(axis=(1, 2))
    broken = np.logical_not(np.asarray(sound))
    if broken.mean() > 0.5:
        raise FootfallError(
            f"{np.count_nonzero(broken)} of the {len(clip)} frames of {clip.name} are not numbers: "
            "export the motion again."
        )
    whole = _bridged(clip, broken)
    strays = stray_ends(whole)
    return _bridged(whole, strays), broken | strays


def stray_ends(clip: Clip) -> Mask:
    """The frames (F) at either end that belong to another pose than the motion's."""
    strays = np.zeros(len(clip), dtype=bool)
    if len(clip) < 10:
        return strays
    moved = np.linalg.norm(np.diff(clip.positions, axis=0), axis=-1).max(axis=1)
    usual = float(np.median(np.sort(moved)[-max(len(moved) // 10, 1) :]))
    jumps = moved > max(OUTSTANDING * usual, SUPERHUMAN * np.sqrt(body_scale(clip)) / clip.rate)
    reach = max(round(AT_THE_ENDS * clip.rate), 2)
    first, last = np.flatnonzero(jumps[:reach]), np.flatnonzero(jumps[-reach:])
    if len(first):
        strays[: first[-1] + 1] = True
    if len(last):
        strays[len(clip) - reach + last[0] :] = True
    return strays


def _bridged(clip: Clip, broken: Mask) -> Clip:
    if not broken.any():
        return clip
    frames, sound = np.arange(len(clip)), np.flatnonzero(~broken)
    rotations = clip.rotations.copy()
    rotations[sound] = unroll(rotations[sound])
    flat = np.concatenate([clip.root_positions, rotations.reshape(len(clip), -1)], axis=1)
    bridged = np.stack([np.interp(frames, sound, column[sound]) for column in flat.T], axis=1)
    turns = normalize(bridged[:, 3:].reshape(rotations.shape))
    return replace(clip, root_positions=bridged[:, :3], rotations=turns)

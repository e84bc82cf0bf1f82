"""Frames that hold no motion: numbers that are not numbers, as broken capture leaves them."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..errors import FootfallError
from ..motion import Clip
from ..motion.rotations import normalize, unroll


def without_gaps(clip: Clip) -> tuple[Clip, NDArray[np.bool_]]:
    """The clip with its broken frames bridged by straight lines, and which frames (F) they were.

    Raises:
        FootfallError: where over half of the frames are broken.
    """
    sound_frames = np.isfinite(clip.root_positions).all(axis=1) & np.isfinite(clip.rotations).all(axis=(1, 2))
    broken = np.logical_not(np.asarray(sound_frames))
    if not broken.any():
        return clip, broken
    if broken.mean() > 0.5:
        raise FootfallError(
            f"{np.count_nonzero(broken)} of the {len(clip)} frames of {clip.name} are not numbers: "
            "export the motion again."
        )
    frames, sound = np.arange(len(clip)), np.flatnonzero(~broken)
    rotations = clip.rotations.copy()
    rotations[sound] = unroll(rotations[sound])
    flat = np.concatenate([clip.root_positions, rotations.reshape(len(clip), -1)], axis=1)
    bridged = np.stack([np.interp(frames, sound, column[sound]) for column in flat.T], axis=1)
    turns = normalize(bridged[:, 3:].reshape(rotations.shape))
    return replace(clip, root_positions=bridged[:, :3], rotations=turns), broken

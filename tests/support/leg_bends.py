"""To which side knees, hocks and elbows of animals bend."""

from collections.abc import Iterator

import numpy as np

from footfall.core.motion import Clip
from footfall.core.motion.paws import LegChain, leg_chains
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import Array


def bends_ahead(clip: Clip, leg: LegChain) -> Array:
    """Sines of a leg's bends (F, K), positive where a joint lies ahead of its neighbors."""
    yaws = root_track(clip).yaws
    left = np.column_stack([-np.cos(yaws), -np.sin(yaws), np.zeros(len(clip))])
    at = np.stack([*(clip.positions[:, joint] for joint in leg.joints), leg.paw_positions(*clip.world)], axis=1)
    bones = np.diff(at, axis=1) / np.linalg.norm(np.diff(at, axis=1), axis=-1, keepdims=True)
    return np.einsum("fkc,fc->fk", np.cross(bones[:, :-1], bones[:, 1:]), left)


def backward_frames(clip: Clip) -> int:
    """Number of frames in which a knee, hock or elbow is bent to the wrong side by more than two degrees."""
    found = np.zeros(len(clip), dtype=bool)
    for side, bends in _hinges(clip):
        found |= side * bends < -np.sin(np.radians(2.0))
    return int(found.sum())


def _hinges(clip: Clip) -> Iterator[tuple[float, Array]]:
    """Yield the side of each knee, hock and elbow, and its bends (F)."""
    for leg, knee in zip(leg_chains(clip.skeleton), (1.0, -1.0, 1.0, -1.0), strict=True):
        bends = bends_ahead(clip, leg)
        yield knee, bends[:, 0]
        if knee > 0 and bends.shape[1] > 1:
            yield -knee, bends[:, 1]

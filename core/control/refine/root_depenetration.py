"""Root depenetration: the whole body is displaced horizontally out of obstacles; feet are locked afterwards."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.blending import blend_corrections
from ...motion.rotations import Array
from ...motion.signals import runs_of
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import AnimatedCollider
from .depenetration import HORIZONTAL_DIRECTIONS, MAX_ITERATIONS, BodyPart, depenetrate
from .local_smoothing import smooth_where

MAX_ROOT_SHIFT_M: Final = 0.3
"""Largest displacement of the root."""
MIN_STANCE_S: Final = 0.3
"""Time for which a body stands that is displaced by the same in all of it; both feet are down in steps, too."""
MAX_PAUSE_S: Final = 0.5
"""Time between two stances in which a body has not the time to be displaced otherwise."""
MAX_SHIFT_SPEED_M_S: Final = 1.4
"""Speed at which a body is displaced at most, as where it leaves one stance for one that is displaced the other way."""
MAX_SHIFTED_WALK_M_S: Final = (0.8, 1.75)
"""Speed of the displacement from which that of the displaced body is bounded, and its bound."""
MAX_SHIFT_ACCELERATION_M_S2: Final = 20.0
"""Acceleration with which it is displaced at most."""
PACING_S: Final = (0.06, 0.1, 0.15, 0.2, 0.3)
"""Deviations of the Gaussians that are tried for that."""
STEP_BLEND_S: Final = 1.2
"""Time before and after a stance within which its displacement comes and goes."""


def depenetrate_root(
    clip: Clip,
    obstacles: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    stands: NDArray[np.bool_],
) -> Clip:
    """Displace the body over the ground so that no part of it penetrates an obstacle.

    Args:
        clip: The motion, F frames.
        obstacles: Animated colliders.
        collision_masks: For each obstacle (F, S) whether it ignores a sphere of :class:`BodyCapsules`.
        stands: (F) whether both feet stay where they are: the body does not glide over them.
    """
    body = BodyCapsules.from_skeleton(clip.skeleton)
    count = len(body.radii)
    whole = BodyPart(np.arange(count), np.ones((len(clip), count)), HORIZONTAL_DIRECTIONS, MAX_ROOT_SHIFT_M)
    # One after the other, and what stands first: what leaves a table has left the box on it, too.
    in_turn = sorted(
        zip(obstacles, collision_masks, strict=True), key=lambda pair: np.ptp(pair[0].positions, axis=0).any()
    )
    own = clip.root_positions
    for _ in range(MAX_ITERATIONS):
        before = clip
        for obstacle, collision_mask in in_turn:
            displacement = depenetrate(body, clip, [obstacle], [collision_mask], whole)
            if displacement is not None:
                displacement = _hold_while_standing(displacement, stands, clip.rate)
                clip = replace(clip, root_positions=clip.root_positions + displacement)
        if clip is before:
            break
    shift = clip.root_positions - own
    paced = _paced(shift, own, clip.rate)
    return clip if paced is shift else replace(clip, root_positions=own + paced)


def _paced(displacement: Array, own: Array, rate: float) -> Array:
    """Return displacements (F, 3) that change no faster than a body moves, smoothed where and as far as that needs.

    One that leaves a stance for another that is displaced the other way would be moved by both within half a second.

    Args:
        displacement: (F, 3) displacements, meters.
        own: (F, 3) root positions that are displaced, meters.
        rate: frames per second.
    """
    return smooth_where(displacement, lambda track: _is_fast(track, own, rate), PACING_S, rate)


def _is_fast(displacement: Array, own: Array, rate: float) -> NDArray[np.bool_]:
    """Return at which frames (F) displacements change too fast, arguments as those of :func:`_paced`."""
    velocity, walk = (np.diff(track, axis=0, prepend=track[:1]) * rate for track in (displacement, own))
    acceleration = np.diff(velocity, axis=0, append=velocity[-1:]) * rate
    speed, together = np.linalg.norm(velocity, axis=1), np.linalg.norm(velocity + walk, axis=1)
    shifted, bound = MAX_SHIFTED_WALK_M_S
    fast = (speed > MAX_SHIFT_SPEED_M_S) | ((speed > shifted) & (together > bound))
    return fast | (np.linalg.norm(acceleration, axis=1) > MAX_SHIFT_ACCELERATION_M_S2)


def _hold_while_standing(displacement: Array, stands: NDArray[np.bool_], rate: float) -> Array:
    """Return displacements (F, 3) that are the largest of each stance (F) in all of it, and change in steps."""
    runs = _stances(stands, rate)
    if not len(runs):
        return displacement
    added = np.zeros_like(displacement)
    for start, stop in runs:
        within = displacement[start:stop]
        added[start:stop] = within[int(np.linalg.norm(within, axis=1).argmax())] - within
    return displacement + blend_corrections(added, runs, round(STEP_BLEND_S * rate))


def _stances(stands: NDArray[np.bool_], rate: float) -> NDArray[np.intp]:
    """Return the first frame and the frame after the last (R, 2) of each stance, pauses included."""
    runs = runs_of(stands)
    runs = runs[runs[:, 1] - runs[:, 0] >= MIN_STANCE_S * rate]
    apart = runs[1:, 0] - runs[:-1, 1] >= MAX_PAUSE_S * rate
    first, last = (np.ones(len(runs), dtype=bool) for _ in range(2))
    first[1:], last[:-1] = apart, apart
    return np.column_stack([runs[first, 0], runs[last, 1]])

"""Heads under low ceilings: hips sink and the trunk bends as far as it takes, over legs that stay where they stand."""

from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ..motion import Clip, Skeleton
from ..motion.limb import with_world_rotations
from ..motion.rotations import UP, Array, from_axis_angle, multiply, normalize
from ..terrain.ground import Scene

EASED: Final = 0.3
"""Seconds over which one ducks before a ceiling, and rises behind it."""
SINKING: Final = 0.6
"""Share of what is missing by which the hips sink; the rest is bent."""
DEEPEST: Final = 0.4
"""Share of the leg by which they sink at most."""
MOST_BENT: Final = 1.2
"""Radians."""
LOOKING: Final = 0.8
"""Share of the bend that the head takes back: people look where they go."""
TOP: Final = 0.16
"""The top of the head over its joint, and what is left free above it, as a share of the leg's length."""


def duck(clip: Clip, scene: Scene) -> Clip:
    """The clip with its head under the ceilings of a scene; feet, which the hips take along, are for locks to put back.

    Args:
        clip: the motion, in the scene's world.
        scene: what is overhead; looked at from the hips' height up.
    """
    skeleton = clip.skeleton
    if "head" not in skeleton.roles:
        return clip
    head = clip.positions[:, skeleton.role("head")]
    need = _missing(clip, head, scene)
    if need.max(initial=0.0) <= 0:
        return clip
    window = max(round(EASED * clip.rate), 1)
    need = gaussian_filter1d(maximum_filter1d(need, 2 * window + 1, mode="nearest"), window / 2, mode="nearest")
    sunk = np.minimum(SINKING * need, DEEPEST * skeleton.leg_length)
    upright = np.maximum(head[:, 2] - clip.positions[:, 0, 2], 1e-6)
    bent = np.minimum(np.arccos(np.clip(1 - (need - sunk) / upright, -1.0, 1.0)), MOST_BENT)
    return _bent(clip, sunk, bent)


def _missing(clip: Clip, head: Array, scene: Scene) -> Array:
    """By how much (F), metres, the head is higher than there is room."""
    eyes = np.concatenate([head[:, :2], clip.positions[:, :1, 2]], axis=-1)
    ceilings = (
        scene.ceilings(eyes)
        if scene.steady
        else np.array([scene.ceilings(point[None], frame)[0] for frame, point in enumerate(eyes)])
    )
    return np.maximum(head[:, 2] + TOP * clip.skeleton.leg_length - ceilings, 0.0)


def _bent(clip: Clip, sunk: Array, bent: Array) -> Clip:
    """The clip with its hips lower by so much (F), metres, and its trunk bent forwards by an angle (F), radians."""
    skeleton = clip.skeleton
    rotations = clip.world[1].copy()
    thighs = [skeleton.role(f"thigh.{side}") for side in "LR"]
    across = normalize(clip.positions[:, thighs[1]] - clip.positions[:, thighs[0]])
    turn = from_axis_angle(across, -bent)
    for joint in _above_hips(skeleton):
        rotations[:, joint] = multiply(turn, rotations[:, joint])
    head = skeleton.role("head")
    rotations[:, head] = multiply(from_axis_angle(across, LOOKING * bent), rotations[:, head])
    return with_world_rotations(clip, clip.root_positions - sunk[:, None] * UP, rotations)


def _above_hips(skeleton: Skeleton) -> list[int]:
    """The joints of trunk, head and arms."""
    legs = {skeleton.role(f"thigh.{side}") for side in "LR"}
    below = {0}
    for joint, parent in enumerate(skeleton.parents):
        if joint in legs or (parent in below and parent != 0):
            below.add(joint)
    # What carries a thigh, as CMU's hip joints do, belongs to the legs.
    for leg in legs:
        while (leg := skeleton.parents[leg]) > 0:
            below.add(leg)
    return [joint for joint in range(len(skeleton)) if joint not in below]

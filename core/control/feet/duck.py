"""Heads under low ceilings: hips sink and the trunk bends as far as it takes, over legs that stay where they stand."""

from typing import Final

import numpy as np
import scipy

from ...motion import Clip, Skeleton
from ...motion.limb_ik import Leg, reach, with_world_rotations
from ...motion.rotations import UP, Array, from_axis_angle, multiply, normalize
from ...terrain.ground import Scene

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
TOP: Final = 0.23
"""The top of the head over its joint, and what is left free above it, as a share of the leg's length."""
AHEAD: Final = 0.6
"""How far before the head ceilings are looked for, as a share of the leg's length: there it gets when one bends."""
SOON: Final = 1.0
"""Seconds before and after the head is under it in which a ceiling counts that is ahead."""
LOOKS: Final = 4
"""How often one looks whether the head is free."""
LOW: Final = 0.25
"""How far under the hips ceilings are looked for, as a share of the leg's length: some are lower than they."""


def duck(clip: Clip, scene: Scene) -> Clip:
    """The clip with its head under the ceilings of a scene, as far as one can duck.

    Args:
        clip: the motion, in the scene's world.
        scene: what is overhead; looked at from somewhat below the hips up.
    """
    skeleton = clip.skeleton
    if "head" not in skeleton.roles:
        return clip
    # Who stops before a ceiling has got nothing to duck under.
    under = (
        scipy.ndimage.maximum_filter1d(_missing(clip, scene, 0.0), 2 * round(SOON * clip.rate) + 1, mode="nearest") > 0
    )
    need = np.where(under, _missing(clip, scene, AHEAD), 0.0)
    result = clip
    for _ in range(LOOKS):
        if need.max(initial=0.0) <= 0:
            break
        result = _lowered(clip, need)
        missing = _missing(result, scene, 0.0)
        if missing.max() <= 0:
            break
        need += missing
    return result


def _lowered(clip: Clip, need: Array) -> Clip:
    """The clip with its head lower by so much (F), metres, and smoothly so before and behind."""
    window = max(round(EASED * clip.rate), 1)
    spread = scipy.ndimage.maximum_filter1d(need, 2 * window + 1, mode="nearest")
    sunk = np.minimum(SINKING * spread, DEEPEST * clip.skeleton.leg_length)
    # Angles are smoothed and not lengths: a trunk that bends by millimetres has got its head ahead by centimetres. Over
    # no more frames than the need was spread over, so that nothing is lost.
    smooth = (
        scipy.ndimage.gaussian_filter1d(values, window / 3, mode="nearest", radius=window)
        for values in (sunk, _bend(clip, spread - sunk))
    )
    return _bent(clip, *smooth)


def _missing(clip: Clip, scene: Scene, ahead: float) -> Array:
    """By how much (F), metres, the head is higher than there is room, from where it is to so much, as a share of the
    leg, before it."""
    skeleton = clip.skeleton
    head = clip.positions[:, skeleton.role("head")]
    away = np.linspace(0.0, ahead, 6 if ahead > 0 else 1) * skeleton.leg_length
    forwards = np.cross(UP, _across(clip))[:, None] * away[:, None]
    eyes = head[:, None] + forwards
    eyes[..., 2] = clip.positions[:, [skeleton.role("hips")], 2] - LOW * skeleton.leg_length
    ceilings = (
        scene.ceilings(eyes)
        if scene.steady
        else np.array([scene.ceilings(points, frame) for frame, points in enumerate(eyes)])
    )
    return np.maximum(head[:, 2] + TOP * skeleton.leg_length - ceilings.min(axis=1), 0.0)


def _bend(clip: Clip, lower: Array) -> Array:
    """The angles (F), radians, by which the trunk bends so that the head gets lower by so much (F), metres."""
    skeleton = clip.skeleton
    hips, head = skeleton.role("hips"), skeleton.role("head")
    waist = head
    while skeleton.parents[waist] not in (hips, -1):
        waist = skeleton.parents[waist]
    trunk = clip.positions[:, head] - clip.positions[:, waist]
    ahead = np.sum(np.cross(UP, _across(clip)) * trunk, axis=-1)
    leaning = np.arctan2(ahead, trunk[:, 2])
    reached = np.arccos(np.clip((trunk[:, 2] - lower) / np.hypot(ahead, trunk[:, 2]), -1.0, 1.0))
    return np.where(lower > 0, np.clip(reached - leaning, 0.0, MOST_BENT), 0.0)


def _across(clip: Clip) -> Array:
    """The unit vectors (F, 3) from the left thigh to the right one."""
    left, right = (clip.positions[:, clip.skeleton.role(f"thigh.{side}")] for side in "LR")
    return normalize(right - left)


def _bent(clip: Clip, sunk: Array, bent: Array) -> Clip:
    """The clip with its hips lower by so much (F), metres, and its trunk bent forwards by an angle (F), radians, over
    feet that stay where they are."""
    skeleton = clip.skeleton
    rotations = clip.world[1].copy()
    turn = from_axis_angle(_across(clip), -bent)
    for joint in _above_hips(skeleton):
        rotations[:, joint] = multiply(turn, rotations[:, joint])
    head = skeleton.role("head")
    rotations[:, head] = multiply(from_axis_angle(_across(clip), LOOKING * bent), rotations[:, head])
    roots = clip.root_positions - sunk[:, None] * UP
    positions = clip.positions - sunk[:, None, None] * UP
    for side in "LR":
        leg = Leg.of(skeleton, side)
        reach(skeleton, positions, rotations, leg, clip.positions[:, leg.foot])
    return with_world_rotations(clip, roots, rotations)


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

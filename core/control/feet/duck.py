"""Heads under low ceilings: hips sink and the trunk bends as far as it takes, over legs that stay where they stand."""

from typing import Final

import numpy as np
import scipy

from ...motion import Clip, Skeleton
from ...motion.limb_ik import Leg, reach, with_world_rotations
from ...motion.rotations import UP, Array, from_axis_angle, multiply, normalize
from ...terrain.ground import Scene

DUCK_BLEND_S: Final = 0.3
"""Seconds over which one ducks before a ceiling, and rises behind it."""
HIP_SINK_SHARE: Final = 0.6
"""Share of what is missing by which the hips sink; the rest is bent."""
MAX_HIP_DROP_RATIO: Final = 0.4
"""Share of the leg by which they sink at most."""
MAX_TRUNK_BEND_RAD: Final = 1.2
"""Radians."""
HEAD_COUNTER_ROTATION_SHARE: Final = 0.8
"""Share of the bend that the head takes back: people look where they go."""
HEAD_TOP_RATIO: Final = 0.23
"""The top of the head over its joint, and what is left free above it, as a share of the leg's length."""
CEILING_LOOK_AHEAD_RATIO: Final = 0.6
"""How far before the head ceilings are looked for, as a share of the leg's length: there it gets when one bends."""
CEILING_WINDOW_S: Final = 1.0
"""Seconds before and after the head is under it in which a ceiling counts that is ahead."""
MAX_ITERATIONS: Final = 4
"""How often one looks whether the head is free."""
CEILING_PROBE_DEPTH_RATIO: Final = 0.25
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
        scipy.ndimage.maximum_filter1d(
            _headroom_deficit(clip, scene, 0.0), 2 * round(CEILING_WINDOW_S * clip.rate) + 1, mode="nearest"
        )
        > 0
    )
    need = np.where(under, _headroom_deficit(clip, scene, CEILING_LOOK_AHEAD_RATIO), 0.0)
    result = clip
    for _ in range(MAX_ITERATIONS):
        if need.max(initial=0.0) <= 0:
            break
        result = _lower_head(clip, need)
        missing = _headroom_deficit(result, scene, 0.0)
        if missing.max() <= 0:
            break
        need += missing
    return result


def _lower_head(clip: Clip, deficit: Array) -> Clip:
    """The clip with its head lower by so much (F), metres, and smoothly so before and behind."""
    window = max(round(DUCK_BLEND_S * clip.rate), 1)
    spread = scipy.ndimage.maximum_filter1d(deficit, 2 * window + 1, mode="nearest")
    sunk = np.minimum(HIP_SINK_SHARE * spread, MAX_HIP_DROP_RATIO * clip.skeleton.leg_length)
    # Angles are smoothed and not lengths: a trunk that bends by millimetres has got its head ahead by centimetres. Over
    # no more frames than the need was spread over, so that nothing is lost.
    smooth = (
        scipy.ndimage.gaussian_filter1d(values, window / 3, mode="nearest", radius=window)
        for values in (sunk, _trunk_bend_angles(clip, spread - sunk))
    )
    return _bend_trunk(clip, *smooth)


def _headroom_deficit(clip: Clip, scene: Scene, look_ahead: float) -> Array:
    """By how much (F), metres, the head is higher than there is room, from where it is to so much, as a share of the
    leg, before it."""
    skeleton = clip.skeleton
    head = clip.positions[:, skeleton.role("head")]
    away = np.linspace(0.0, look_ahead, 6 if look_ahead > 0 else 1) * skeleton.leg_length
    forwards = np.cross(UP, _lateral_axis(clip))[:, None] * away[:, None]
    eyes = head[:, None] + forwards
    eyes[..., 2] = clip.positions[:, [skeleton.role("hips")], 2] - CEILING_PROBE_DEPTH_RATIO * skeleton.leg_length
    ceilings = (
        scene.ceilings(eyes)
        if scene.steady
        else np.array([scene.ceilings(points, frame) for frame, points in enumerate(eyes)])
    )
    return np.maximum(head[:, 2] + HEAD_TOP_RATIO * skeleton.leg_length - ceilings.min(axis=1), 0.0)


def _trunk_bend_angles(clip: Clip, head_drop: Array) -> Array:
    """The angles (F), radians, by which the trunk bends so that the head gets lower by so much (F), metres."""
    skeleton = clip.skeleton
    hips, head = skeleton.role("hips"), skeleton.role("head")
    waist = head
    while skeleton.parents[waist] not in (hips, -1):
        waist = skeleton.parents[waist]
    trunk = clip.positions[:, head] - clip.positions[:, waist]
    ahead = np.sum(np.cross(UP, _lateral_axis(clip)) * trunk, axis=-1)
    leaning = np.arctan2(ahead, trunk[:, 2])
    reached = np.arccos(np.clip((trunk[:, 2] - head_drop) / np.hypot(ahead, trunk[:, 2]), -1.0, 1.0))
    return np.where(head_drop > 0, np.clip(reached - leaning, 0.0, MAX_TRUNK_BEND_RAD), 0.0)


def _lateral_axis(clip: Clip) -> Array:
    """The unit vectors (F, 3) from the left thigh to the right one."""
    left, right = (clip.positions[:, clip.skeleton.role(f"thigh.{side}")] for side in "LR")
    return normalize(right - left)


def _bend_trunk(clip: Clip, hip_drop: Array, bend_angle: Array) -> Clip:
    """The clip with its hips lower by so much (F), metres, and its trunk bent forwards by an angle (F), radians, over
    feet that stay where they are."""
    skeleton = clip.skeleton
    rotations = clip.world[1].copy()
    turn = from_axis_angle(_lateral_axis(clip), -bend_angle)
    for joint in _upper_body_joints(skeleton):
        rotations[:, joint] = multiply(turn, rotations[:, joint])
    head = skeleton.role("head")
    rotations[:, head] = multiply(
        from_axis_angle(_lateral_axis(clip), HEAD_COUNTER_ROTATION_SHARE * bend_angle), rotations[:, head]
    )
    roots = clip.root_positions - hip_drop[:, None] * UP
    positions = clip.positions - hip_drop[:, None, None] * UP
    for side in "LR":
        leg = Leg.of(skeleton, side)
        reach(skeleton, positions, rotations, leg, clip.positions[:, leg.foot])
    return with_world_rotations(clip, roots, rotations)


def _upper_body_joints(skeleton: Skeleton) -> list[int]:
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

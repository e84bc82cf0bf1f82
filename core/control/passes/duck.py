"""Ducking: under low ceilings the hips sink and the trunk bends, while the feet stay in place."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...jobs.steps import Stepwise
from ...motion import Clip, Skeleton
from ...motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from ...motion.roles import is_quadruped
from ...motion.rotations import UP, Array, from_axis_angle, multiply, normalize
from ...terrain.ground import Scene
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class Ducking(Tuning):
    blend: float = tuned(0.3, "s", 0.05, 2.0)
    """Time over which the body ducks before a ceiling, and rises after it."""
    hip_sink_share: float = tuned(0.6, "1", 0.0, 1.0)
    """Share of the missing headroom that lowering the hips provides; bending the trunk provides the rest."""
    max_hip_drop: float = tuned(0.4, "1", 0.0, 0.8)
    """Largest distance by which the hips are lowered, as a share of the leg's length."""
    min_hip_height: float = tuned(0.48, "1", 0.2, 1.0)
    """Smallest height of the lowered hips above the lower ankle, as a share of the leg's length."""
    max_trunk_bend: float = tuned(1.2, "rad", 0.0, 1.6)
    """Largest bend of the trunk."""
    head_counter_rotation_share: float = tuned(0.8, "1", 0.0, 1.0)
    """Share of the trunk's bend by which the head counter-rotates, so that it keeps looking ahead."""
    head_top: float = tuned(0.23, "1", 0.1, 0.5)
    """Height of the top of the head above its joint, with clearance, as a share of the leg's length."""
    look_ahead: float = tuned(0.6, "1", 0.0, 2.0)
    """Distance ahead of the head, in leg lengths, within which ceilings count, since a bend moves the head forward."""
    window: float = tuned(1.0, "s", 0.05, 4.0)
    """Time before and after a frame under a ceiling during which ceilings ahead count."""
    probe_depth: float = tuned(0.25, "1", 0.0, 0.5)
    """Depth below the hips from which ceilings are searched upward, as a share of the leg's length."""


TUNING: Final = Ducking()
MAX_ITERATIONS: Final = 4
"""Largest number of corrections until the head is clear of the ceilings."""


@Stepwise
def duck(clip: Clip, scene: Scene) -> Generator[None, None, Clip]:
    """Return the motion with the head lowered below ceilings, as far as possible; a quadruped does not duck.

    A fixed share of the missing headroom comes from lowering the hips, the rest from bending the trunk, by fixed-point
    iteration; the legs follow by two-bone IK.

    Args:
        clip: The motion, in the world of the scene.
        scene: The ceilings above the body's hips.
    """
    skeleton = clip.skeleton
    if "head" not in skeleton.roles or is_quadruped(skeleton.roles):
        return clip
    # A character that stops before a ceiling does not duck.
    is_under = (
        scipy.ndimage.maximum_filter1d(
            _headroom_deficit(clip, scene, 0.0), 2 * round(TUNING.window * clip.rate) + 1, mode="nearest"
        )
        > 0
    )
    deficit = np.where(is_under, _headroom_deficit(clip, scene, TUNING.look_ahead), 0.0)
    result = clip
    for _ in range(MAX_ITERATIONS):
        if deficit.max(initial=0.0) <= 0:
            break
        yield
        result = _lower_head(clip, deficit)
        remaining = _headroom_deficit(result, scene, 0.0)
        if remaining.max() <= 0:
            break
        deficit += remaining
    return result


def _lower_head(clip: Clip, deficit: Array) -> Clip:
    """Return the motion with the head lowered by (F) meters, with smooth transitions before and after."""
    window = max(round(TUNING.blend * clip.rate), 1)
    spread = scipy.ndimage.maximum_filter1d(deficit, 2 * window + 1, mode="nearest")
    hip_drop = np.minimum(TUNING.hip_sink_share * spread, _possible_hip_drop(clip, window))
    # Angles are smoothed instead of lengths: a bend that lowers the head by millimeters moves it ahead by centimeters.
    # The filter is no wider than the maximum filter before it, so that the full deficit is covered.
    smooth = (
        scipy.ndimage.gaussian_filter1d(values, window / 3, mode="nearest", radius=window)
        for values in (hip_drop, _trunk_bend_angles(clip, spread - hip_drop))
    )
    return _bend_trunk(clip, *smooth)


def _possible_hip_drop(clip: Clip, window: int) -> Array:
    """Return how far (F), meters, the hips can be lowered; less where a body already crouches.

    Args:
        clip: The motion.
        window: Number of frames before and after each frame over which the hips' height is averaged.
    """
    skeleton = clip.skeleton
    hips = clip.positions[:, [skeleton.joint(f"thigh.{side}") for side in "LR"], 2].mean(axis=1)
    ankles = clip.positions[:, [skeleton.joint(f"foot.{side}") for side in "LR"], 2].min(axis=1)
    heights = scipy.ndimage.uniform_filter1d(hips - ankles, 2 * window + 1, mode="nearest")
    lowest, most = TUNING.min_hip_height * skeleton.leg_length, TUNING.max_hip_drop * skeleton.leg_length
    return np.clip(heights - lowest, 0.0, most)


def _headroom_deficit(clip: Clip, scene: Scene, look_ahead: float) -> Array:
    """Return the headroom (F) that is missing, meters, from the head to ``look_ahead`` leg lengths ahead of it."""
    skeleton = clip.skeleton
    head = clip.positions[:, skeleton.joint("head")]
    distances = np.linspace(0.0, look_ahead, 6 if look_ahead > 0 else 1) * skeleton.leg_length
    forwards = np.cross(UP, _lateral_axis(clip))[:, None] * distances[:, None]
    probes = head[:, None] + forwards
    probes[..., 2] = clip.positions[:, [skeleton.joint("hips")], 2] - TUNING.probe_depth * skeleton.leg_length
    ceilings = (
        scene.ceilings(probes)
        if scene.is_static
        else np.array([scene.ceilings(points, frame) for frame, points in enumerate(probes)])
    )
    return np.maximum(head[:, 2] + TUNING.head_top * skeleton.leg_length - ceilings.min(axis=1), 0.0)


def _trunk_bend_angles(clip: Clip, head_drop: Array) -> Array:
    """Return how far (F), radians, the trunk must bend to lower the head by (F) meters."""
    skeleton = clip.skeleton
    hips, head = skeleton.joint("hips"), skeleton.joint("head")
    waist = head
    while skeleton.parents[waist] not in (hips, -1):
        waist = skeleton.parents[waist]
    trunk = clip.positions[:, head] - clip.positions[:, waist]
    ahead = np.sum(np.cross(UP, _lateral_axis(clip)) * trunk, axis=-1)
    leaning = np.arctan2(ahead, trunk[:, 2])
    reached = np.arccos(np.clip((trunk[:, 2] - head_drop) / np.hypot(ahead, trunk[:, 2]), -1.0, 1.0))
    return np.where(head_drop > 0, np.clip(reached - leaning, 0.0, TUNING.max_trunk_bend), 0.0)


def _lateral_axis(clip: Clip) -> Array:
    """Return unit vectors (F, 3) from the left thigh to the right one."""
    left, right = (clip.positions[:, clip.skeleton.joint(f"thigh.{side}")] for side in "LR")
    return normalize(right - left)


def _bend_trunk(clip: Clip, hip_drop: Array, bend_angle: Array) -> Clip:
    """Return the motion with hips lowered (F), meters, and trunk bent forward (F), radians; feet stay in place."""
    skeleton = clip.skeleton
    rotations = clip.world[1].copy()
    bend = from_axis_angle(_lateral_axis(clip), -bend_angle)
    for joint in _upper_body_joints(skeleton):
        rotations[:, joint] = multiply(bend, rotations[:, joint])
    head = skeleton.joint("head")
    rotations[:, head] = multiply(
        from_axis_angle(_lateral_axis(clip), TUNING.head_counter_rotation_share * bend_angle), rotations[:, head]
    )
    roots = clip.root_positions - hip_drop[:, None] * UP
    positions = clip.positions - hip_drop[:, None, None] * UP
    for side in "LR":
        leg = Leg.of(skeleton, side)
        solve_leg_ik(skeleton, positions, rotations, leg, clip.positions[:, leg.foot])
    return with_world_rotations(clip, roots, rotations)


def _upper_body_joints(skeleton: Skeleton) -> list[int]:
    """Return the indices of the joints of trunk, head and arms."""
    legs = {skeleton.joint(f"thigh.{side}") for side in "LR"}
    lower_body = {0}
    for joint, parent in enumerate(skeleton.parents):
        if joint in legs or (parent in lower_body and parent != 0):
            lower_body.add(joint)
    # The ancestors of a thigh, such as the hip joints of CMU, belong to the legs.
    for leg in legs:
        while (leg := skeleton.parents[leg]) > 0:
            lower_body.add(leg)
    return [joint for joint in range(len(skeleton)) if joint not in lower_body]

"""Bodies that play a ball: arms hold it, trunks follow takes over planted feet, and hands are led to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...motion import Clip, Skeleton
from ...motion.blending import smooth_falloff, smooth_step
from ...motion.kinematics import forward_kinematics
from ...motion.limb_ik import Leg, solve_arm_ik, solve_leg_ik, with_world_rotations
from ...motion.rotations import Array, exp, inverse, multiply, rotate, unroll
from ...motion.signals import Mask, runs_of
from ...tuning import Tuning, tuned

ARM_PARTS: Final = ("shoulder", "upper_arm", "forearm", "hand")
"""Names of an arm's parts; a skeleton may lack some of them."""


@dataclass(frozen=True, slots=True)
class BallHandsTuning(Tuning):
    straight_legs: float = tuned(0.98, "1", 0.5, 1.0)
    """Largest extension of a leg, as a share of its length, to which a trunk that follows a take may stretch it.

    A leg that is straighter already in the walk stays as straight as it is.
    """
    drop_smoothing: float = tuned(0.1, "s", 0.0, 2.0)
    """Standard deviation of the Gaussian that smooths how far the hips are lowered."""
    inertia_rate: float = tuned(14.0, "1/s", 1.0, 100.0)
    """Rate of the spring that moves a hand to a ball or back, in about a third of a second."""


TUNING: Final = BallHandsTuning()


def blend_arms(clip: Clip, holding: Array, weights: Array) -> Clip:
    """Return a motion whose arms are blended into a pose that holds a ball in front of the chest.

    Args:
        clip: the motion.
        holding: (J, 4) local rotations of a body that holds a ball.
        weights: (F) weights of the holding pose, 0 to 1.
    """
    roles = clip.skeleton.roles
    arms = [roles[f"{part}.{side}"] for side in "LR" for part in ARM_PARTS if f"{part}.{side}" in roles]
    rotations = clip.rotations.copy()
    for joint in arms:
        held = np.broadcast_to(holding[joint], (len(clip), 4))
        rotations[:, joint] = _blend_rotations(rotations[:, joint], held, weights)
    return Clip(clip.skeleton, clip.rate, clip.root_positions, rotations, clip.name)


def blend_take(clip: Clip, take: Clip, start: int, fades: tuple[float, float]) -> Clip:
    """Return a motion whose body follows a take while the feet stay in place.

    Args:
        clip: the motion, of F frames.
        take: motion of the same body, already placed and at the same rate; frames beyond the motion's end are ignored.
        start: frame of the motion at which the take begins.
        fades: durations of the blends into the take and out of it, seconds.
    """
    stop = min(start + len(take), len(clip))
    count, skeleton = stop - start, clip.skeleton
    if count <= 0:
        return clip
    there, frames = clip.cut(start, stop), np.arange(count)
    weights = smooth_step((frames + 1) / (fades[0] * clip.rate))
    weights = weights * smooth_step((len(take) - frames) / (fades[1] * clip.rate))
    rotations = _blend_rotations(there.rotations, take.rotations[:count], weights)
    legs = [Leg.of(skeleton, side) for side in "LR"]
    below = [joint for joint in range(len(skeleton)) if any(_is_below(skeleton, joint, leg.thigh) for leg in legs)]
    rotations[:, below] = there.rotations[:, below]
    roots = there.root_positions + weights[:, None] * (take.root_positions[:count] - there.root_positions)
    roots[:, 2] -= _needed_drop(skeleton, roots, rotations, there, legs, clip.rate)
    positions, turned = forward_kinematics(skeleton, roots, rotations)
    before, standing = there.world
    for leg in legs:
        # Legs start from the walk's directions, whatever the pitch of the hips, so that knees keep their bending
        # directions.
        for joint in (leg.thigh, leg.shin):
            turned[:, joint] = standing[:, joint]
        for joint in (leg.shin, leg.foot):
            parent = skeleton.parents[joint]
            positions[:, joint] = positions[:, parent] + rotate(turned[:, parent], skeleton.offsets[joint])
        solve_leg_ik(skeleton, positions, turned, leg, before[:, leg.foot])
        feet = [joint for joint in below if _is_below(skeleton, joint, leg.foot)]
        turned[:, feet] = standing[:, feet]
    moved = with_world_rotations(there, roots, turned)
    every_root, every = clip.root_positions.copy(), clip.rotations.copy()
    every_root[start:stop], every[start:stop] = roots, moved.rotations
    return Clip(skeleton, clip.rate, every_root, every, clip.name)


def lead_hands(clip: Clip, displacements: Array, contacts: Mask) -> Clip:
    """Return a motion whose hands are displaced while they hold a ball, with the displacement eased in and out.

    Args:
        clip: the motion.
        displacements: (F, 2, 3) displacements of left and right hand, meters, world; used in frames of contact.
        contacts: (F, 2) whether left and right hand hold the ball.
    """
    positions, rotations = (array.copy() for array in clip.world)
    for hand, side in enumerate("LR"):
        if contacts[:, hand].any():
            moved = _with_inertia(displacements[:, hand], contacts[:, hand], clip.rate)
            wrist = positions[:, clip.skeleton.joint(f"hand.{side}")] + moved
            solve_arm_ik(clip.skeleton, positions, rotations, side, wrist)
    return with_world_rotations(clip, clip.root_positions, rotations)


def _with_inertia(displacements: Array, known: Mask, rate: float) -> Array:
    """Return displacements (F, 3), given only in some frames (F), continued until they come to rest.

    They continue as critically damped springs that start with the displacement and velocity at the end of a run of
    given frames; before a run, they do so backward in time.
    """
    result = np.where(known[:, None], displacements, 0.0)
    runs = runs_of(known)
    for start, stop in runs_of(~known):
        after, seconds = np.arange(1, stop - start + 1) / rate, (stop - start + 1) / rate
        sides: Sequence[tuple[Array, int, int]] = ((after, start - 1, -1), (after[::-1], stop, 1))
        for times, end, step in sides:
            if not 0 <= end < len(known):
                continue
            length = int(np.diff(runs[(runs[:, 0] <= end) & (end < runs[:, 1])])[0, 0])
            offset = displacements[end]
            speed = (offset - displacements[end + step]) * rate if length > 1 else np.zeros(3)
            spring = offset + np.outer(times, speed + TUNING.inertia_rate * offset)
            is_between = start > 0 and stop < len(known)
            fade = smooth_falloff(times / seconds) if is_between else np.ones(len(times))
            result[start:stop] += (np.exp(-TUNING.inertia_rate * times) * fade)[:, None] * spring
    return result


def _blend_rotations(first: Array, second: Array, weights: Array) -> Array:
    """Return rotations (F, ..., 4) blended between two motions.

    Each transition turns throughout along the arc that is shorter at its low-weight end, so that arms do not flip when
    the other arc becomes the shorter one.

    Args:
        first: (F, ..., 4) rotations.
        second: (F, ..., 4) rotations.
        weights: (F) weights of the second motion, from 0 to 1.
    """
    result = np.where((weights >= 1.0).reshape(-1, *(1,) * (first.ndim - 1)), second, first)
    for start, stop in runs_of((weights > 0.0) & (weights < 1.0)):
        order = (
            slice(start, stop)
            if weights[start] < weights[stop - 1]
            else slice(stop - 1, start - 1 if start else None, -1)
        )
        between = unroll(multiply(inverse(first[order]), second[order]))
        between = between * np.where(between[:1, ..., :1] < 0.0, -1.0, 1.0)
        sine = np.linalg.norm(between[..., 1:], axis=-1, keepdims=True)
        angle = 2.0 * np.arctan2(sine, between[..., :1])
        share = weights[order].reshape(-1, *(1,) * (first.ndim - 1))
        turned = exp(between[..., 1:] / np.maximum(sine, 1e-12) * angle * share)
        result[order] = multiply(first[order], turned)
    return result


def _needed_drop(
    skeleton: Skeleton, roots: Array, rotations: Array, there: Clip, legs: Sequence[Leg], rate: float
) -> Array:
    """Return how far (F) the hips must be lowered, meters, for both feet to stay where they are."""
    positions = forward_kinematics(skeleton, roots, rotations)[0]
    drop = np.zeros(len(roots))
    for leg in legs:
        away = positions[:, leg.thigh] - there.positions[:, leg.foot]
        level = np.linalg.norm(away[:, :2], axis=1)
        standing = np.linalg.norm(there.positions[:, leg.thigh] - there.positions[:, leg.foot], axis=1)
        longest = np.maximum(TUNING.straight_legs * leg.length(skeleton), standing)
        highest = np.sqrt(np.maximum(longest**2 - level**2, 0.0))
        drop = np.maximum(drop, away[:, 2] - highest)
    width = TUNING.drop_smoothing * rate
    widest = scipy.ndimage.maximum_filter1d(drop, 2 * round(width) + 1, mode="nearest")
    smooth = scipy.ndimage.gaussian_filter1d(widest, width, mode="nearest")
    # At both ends the walk's own hips need no drop.
    ends = np.minimum(np.arange(len(drop)), np.arange(len(drop))[::-1])
    return smooth * smooth_step(ends / (2.0 * width))


def _is_below(skeleton: Skeleton, joint: int, top: int) -> bool:
    """Return whether a joint is `top` itself or a descendant of it."""
    while joint > top:
        joint = skeleton.parents[joint]
    return joint == top

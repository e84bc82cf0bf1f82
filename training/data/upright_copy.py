"""Data augmentation that stands a crouched take up: the same steps, with the person's own upright posture.

A person captured going aside only in a crouch otherwise squats whenever the character goes aside.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...core.errors import FootfallError
from ...core.features.crouch import crouch_depth
from ...core.labelling.semantics.gaits import centre_of_mass
from ...core.motion import Clip, Skeleton
from ...core.motion.contacts import FootContacts
from ...core.motion.kinematics import forward_kinematics
from ...core.motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from ...core.motion.root_frame import root_track
from ...core.motion.rotations import (
    Array,
    inverse,
    mean_rotation,
    multiply,
    normalize,
    rotation_about_up,
    slerp,
    unroll,
)


@dataclass(frozen=True, slots=True)
class UprightTuning:
    """Tuned numbers of an upright copy.

    Attributes:
        upright_depth: depth of a crouch below which a frame is upright, 0 to 1.
        crouched_depth: depth above which the posture is wholly exchanged, 0 to 1.
        min_upright_s: least time of upright frames from which the posture is known, seconds.
        posture_s: standard deviation of the Gaussian over which a posture is exchanged; what is quicker stays, seconds.
        standing_reach: largest distance from hip to ankle of a standing leg, as a share of its length.
        swinging_reach: the same of a swinging leg.
        softness_m: softness of the lowest of the heights that the legs allow, meters.
        height_s: standard deviation of the Gaussian that smooths the height of the hips, seconds.
        balance_s: standard deviation of the Gaussian that smooths the shift of the hips over the feet, seconds.
        balance_passes: how often the hips are shifted and the legs solved.
    """

    upright_depth: float = 0.06
    crouched_depth: float = 0.18
    min_upright_s: float = 2.0
    posture_s: float = 0.6
    standing_reach: float = 0.982
    swinging_reach: float = 0.99
    softness_m: float = 0.01
    height_s: float = 0.07
    balance_s: float = 0.2
    balance_passes: int = 3


TUNING: Final = UprightTuning()


def stand_up(clip: Clip, contacts: FootContacts) -> Clip:
    """Return a clip whose crouched frames are upright, with feet that step where they stepped.

    Above the legs the slow part of each rotation, the posture, is exchanged for the mean of the clip's own upright
    frames. The center of mass stays over the same place, and the hips rise as far as both legs reach.

    Args:
        clip: the motion, with a head.
        contacts: foot contacts.

    Raises:
        FootfallError: the clip has too few upright frames.
    """
    depth = crouch_depth(clip)
    upright = depth < TUNING.upright_depth
    if upright.sum() < TUNING.min_upright_s * clip.rate:
        raise FootfallError("The clip has no upright frames whose posture could be given to the crouched ones")
    span = TUNING.crouched_depth - TUNING.upright_depth
    share = np.clip((depth - TUNING.upright_depth) / span, 0.0, 1.0)
    share = gaussian_filter1d(share, TUNING.balance_s * clip.rate, mode="nearest")
    legs = [Leg.of(clip.skeleton, side) for side in "LR"]
    ankles = [clip.positions[:, leg.foot] for leg in legs]
    body, balance = _with_upright_trunk(clip, upright, share), centre_of_mass(clip)[:, :2]
    own, usual = clip.root_positions[:, 2], np.full(len(clip), np.mean(clip.root_positions[upright, 2]))
    for _ in range(TUNING.balance_passes):
        off = share[:, None] * (balance - centre_of_mass(body)[:, :2])
        roots = body.root_positions.copy()
        roots[:, :2] += gaussian_filter1d(off, TUNING.balance_s * clip.rate, axis=0, mode="nearest")
        body = replace(body, root_positions=roots.copy())
        roots[:, 2] = own + share * (_within_reach(body, usual, legs, ankles, contacts) - own)
        body = _with_ankles(with_world_rotations(body, roots, body.world[1]), legs, ankles)
    return body


def _with_ankles(clip: Clip, legs: list[Leg], ankles: list[Array]) -> Clip:
    """Return a clip with the ankle of each leg at positions (F, 3), meters."""
    positions, world = (array.copy() for array in clip.world)
    for leg, ankle in zip(legs, ankles, strict=True):
        solve_leg_ik(clip.skeleton, positions, world, leg, ankle)
    return with_world_rotations(clip, clip.root_positions, world)


def _with_upright_trunk(clip: Clip, upright: NDArray[np.bool_], share: Array) -> Clip:
    """Return the clip with an upright posture above the legs, whose bones keep their directions in the world.

    Args:
        clip: the motion.
        upright: (F) mask of the upright frames.
        share: (F) share of the exchanged posture, 0 to 1.
    """
    above = _joints_above_legs(clip.skeleton)
    _, world = forward_kinematics(clip.skeleton, clip.root_positions, _upright_rotations(clip, above, upright, share))
    below = [joint for joint in range(len(clip.skeleton)) if joint not in above]
    world[:, below] = clip.world[1][:, below]
    return with_world_rotations(clip, clip.root_positions, world)


def _upright_rotations(clip: Clip, above: list[int], upright: NDArray[np.bool_], share: Array) -> Array:
    """Return the clip's local rotations (F, J, 4) with an upright posture above the legs.

    Args:
        clip: the motion.
        above: joints above the legs.
        upright: (F) mask of the upright frames.
        share: (F) share of the exchanged posture, 0 to 1.
    """
    yaws = root_track(clip).yaws
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(rotation_about_up(-yaws), rotations[:, 0])
    for joint in above:
        own = unroll(rotations[:, joint])
        slow = normalize(gaussian_filter1d(own, TUNING.posture_s * clip.rate, axis=0, mode="nearest"))
        usual = np.broadcast_to(mean_rotation(own[upright]), own.shape)
        rotations[:, joint] = slerp(own, multiply(usual, multiply(inverse(slow), own)), share)
    rotations[:, 0] = multiply(rotation_about_up(yaws), rotations[:, 0])
    return rotations


def _joints_above_legs(skeleton: Skeleton) -> list[int]:
    """Return all joints but those of the legs and below them."""
    legs = {skeleton.joint(f"thigh.{side}") for side in "LR"}
    below: set[int] = set()
    for joint, parent in enumerate(skeleton.parents):
        if joint in legs or parent in below:
            below.add(joint)
    return [joint for joint in range(len(skeleton)) if joint not in below]


def _within_reach(moved: Clip, wanted: Array, legs: list[Leg], ankles: list[Array], contacts: FootContacts) -> Array:
    """Return the heights (F), meters, of the root nearest below the wanted ones at which both legs reach their ankles.

    Args:
        moved: the clip with its new rotations at its old root positions.
        wanted: (F) wanted heights of the root, meters.
        legs: the legs.
        ankles: positions (F, 3) of the ankle of each leg, meters.
        contacts: foot contacts.
    """
    allowed = [wanted]
    for leg, ankle, side in zip(legs, ankles, "LR", strict=True):
        reach = np.where(contacts.planted(side), TUNING.standing_reach, TUNING.swinging_reach)
        reach = gaussian_filter1d(reach, TUNING.height_s * moved.rate) * leg.length(moved.skeleton)
        hip = moved.positions[:, leg.thigh]
        aside = np.linalg.norm(hip[:, :2] - ankle[:, :2], axis=-1)
        above_ankle = np.sqrt(np.maximum(reach**2 - aside**2, 1e-6))
        allowed.append(ankle[:, 2] + above_ankle + moved.root_positions[:, 2] - hip[:, 2])
    heights = -TUNING.softness_m * np.logaddexp.reduce(-np.array(allowed) / TUNING.softness_m, axis=0)
    smooth = gaussian_filter1d(heights, TUNING.height_s * moved.rate, mode="nearest")
    return np.minimum(smooth, heights + TUNING.softness_m)

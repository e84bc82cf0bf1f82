"""Retargeting of quadrupeds: bones turn with the bones that they follow, and four legs reach for their paws.

The trunk travels by the ratio of the legs' lengths, and so do the paws from the hips and shoulders above them: strides
keep their proportions whatever the length of the trunk. Soles stay on the ground.
"""

import numpy as np

from ..motion import Clip, Skeleton
from ..motion.chain_ik import solve_chain_ik
from ..motion.limb_ik import with_world_rotations
from ..motion.paws import LegChain, ancestors, leg_chains
from ..motion.proportions import scale_between
from ..motion.rotations import UP, Array, from_axis_angle, multiply, normalize, rotate
from .rest_pose import rest_position


def reach_for_paws(clip: Clip, target: Skeleton, roots: Array, world: Array) -> Clip:
    """Return a motion on the target with its paws where the source's are, scaled.

    Args:
        clip: the source's motion, over level ground at z = 0.
        target: a quadruped's skeleton.
        roots: (F, 3) root positions of the target, meters.
        world: (F, J, 4) world rotations of the target's joints.
    """
    scale = scale_between(clip.skeleton, target)
    roots, world = _level_trunk(clip, target, roots, world)
    moved = with_world_rotations(Clip(target, clip.rate, roots, world, clip.name), roots, world)
    positions, rotations = (array.copy() for array in moved.world)
    theirs, mine = leg_chains(clip.skeleton), leg_chains(target)
    for their_leg, leg in zip(theirs, mine, strict=True):
        paw = their_leg.paw_positions(*clip.world)
        reach = scale * (paw - clip.positions[:, their_leg.joints[0]])
        goal = positions[:, leg.joints[0]] + reach
        goal[:, 2] = scale * (paw[:, 2] - sole_depth(clip.skeleton, their_leg)) + sole_depth(target, leg)
        solve_chain_ik(positions, rotations, leg, goal)
    return with_world_rotations(moved, roots, rotations)


def _level_trunk(clip: Clip, target: Skeleton, roots: Array, world: Array) -> tuple[Array, Array]:
    """Return roots and world rotations pitched about the hips, so that shoulders are as high as the source's, scaled.

    Rest poses of animals differ in the slope of their trunks: without it, front legs would be too short or folded.
    """
    moved = with_world_rotations(Clip(target, clip.rate, roots, world, clip.name), roots, world)
    theirs, mine = _shoulders_over_hips(clip), _shoulders_over_hips(moved)
    wanted = scale_between(clip.skeleton, target) * theirs[:, 2].mean()
    ahead = np.linalg.norm(mine[:, :2], axis=-1).mean()
    reach = np.hypot(ahead, mine[:, 2].mean())
    pitch = np.arcsin(np.clip(wanted / reach, -1.0, 1.0)) - np.arctan2(mine[:, 2].mean(), ahead)
    across = np.cross(normalize(mine * [1.0, 1.0, 0.0]), UP)
    turn = from_axis_angle(across, np.full(len(clip), pitch))
    center = moved.positions[:, [target.joint("thigh.L"), target.joint("thigh.R")]].mean(axis=1)
    return center + rotate(turn, roots - center), multiply(turn[:, None], world)


def _shoulders_over_hips(clip: Clip) -> Array:
    """Return the vectors (F, 3), meters, from the middle of the hips to that of the shoulders."""
    tops = [clip.positions[:, leg.joints[0]] for leg in leg_chains(clip.skeleton)]
    return (tops[1] + tops[3] - tops[0] - tops[2]) / 2


def sole_depth(skeleton: Skeleton, leg: LegChain) -> float:
    """Return the height of a paw over the ground on which it stands at rest, meters: none for the tip of a bone."""
    if leg.paw is None:
        return 0.0
    below = [joint for joint in range(len(skeleton)) if joint == leg.paw or leg.paw in ancestors(skeleton, joint)]
    lowest = [rest_position(skeleton, joint)[2] + min(float(skeleton.tips[joint, 2]), 0.0) for joint in below]
    return max(float(rest_position(skeleton, leg.paw)[2]) - min(lowest), 0.0)

"""Postures: detection of sitting and lying idles of animals, and their poses on the ground.

Game clips show animals sitting or asleep, but rarely the transitions, so these are composed in takes.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from ...core.features.rest import LIE, SIT
from ...core.motion import Clip, Skeleton
from ...core.motion.chain_ik import solve_chain_ik
from ...core.motion.limb_ik import with_world_rotations
from ...core.motion.paws import LegChain, leg_chains
from ...core.motion.rotations import UP, Array, multiply, normalize, rotation_between, slerp
from ...core.retarget.quadruped import sole_depth

STAND: Final = "stand"
"""Posture of an idle on straight legs, as :func:`posture_of` returns it."""
MAX_LOW_RATIO: Final = 0.6
"""Height of hips or shoulders over the ground, relative to leg length, below which they are low; standing animals have
0.8 to 1."""
MIN_TRUNK_RATIO: Final = 0.25
"""Least height of hips and shoulders over the ground, relative to leg length, since the trunk is below them."""


def posture_of(clip: Clip) -> str:
    """Return ``"lie"`` if hips and shoulders of an idle are low, ``"sit"`` if only the hips are, else ``"stand"``."""
    lowest = float(clip.positions[..., 2].min())
    tops = [float(clip.positions[:, chain.joints[0], 2].mean()) - lowest for chain in leg_chains(clip.skeleton)]
    limit = MAX_LOW_RATIO * clip.skeleton.leg_length
    hips, shoulders = (tops[0] + tops[2]) / 2, (tops[1] + tops[3]) / 2
    if hips > limit:
        return STAND
    return SIT if shoulders > limit else LIE


def on_the_ground(clip: Clip) -> Clip:
    """Return a clip moved up or down so that its lowest joint is at z = 0."""
    return replace(clip, root_positions=clip.root_positions - clip.positions[..., 2].min() * UP)


def symmetrical(clip: Clip) -> Clip:
    """Return a clip averaged with its mirror image; a network would learn this mean anyway, as takes are mirrored.

    Args:
        clip: a motion that faces +Y about the origin.
    """
    other = clip.mirrored()
    halves = np.full(clip.rotations.shape[:2], 0.5)
    return replace(
        clip,
        root_positions=(clip.root_positions + other.root_positions) / 2,
        rotations=slerp(clip.rotations, other.rotations, halves),
    )


def with_folded_legs(clip: Clip) -> Clip:
    """Return a clip whose trunk and legs stay above the ground z = 0, and whose legs are parallel.

    Rest poses of animals differ in the rotation of their legs, so that folded legs taken from another animal would
    cross.

    Args:
        clip: a motion that faces +Y about the origin.
    """
    skeleton = clip.skeleton
    positions, rotations = (array.copy() for array in clip.world)
    chains = leg_chains(skeleton)
    tops = np.stack([positions[:, chain.joints[0], 2] for chain in chains], axis=1)
    rise = max(MIN_TRUNK_RATIO * skeleton.leg_length - float(tops.min()), 0.0)
    positions += rise * UP
    for chain in chains:
        _turn_ahead(positions, rotations, chain)
        paw = chain.paw_positions(positions, rotations)
        paw[:, 0] = np.sign(paw[:, 0]) * np.abs(chain.paw_positions(*_rest(skeleton))[:, 0])
        paw[:, 2] = sole_depth(skeleton, chain)
        solve_chain_ik(positions, rotations, chain, paw, paw[:, 2])
    return with_world_rotations(clip, clip.root_positions + rise * UP, rotations)


def _turn_ahead(positions: Array, rotations: Array, chain: LegChain) -> None:
    """Turn the bones of a leg about its first joint into the plane along +Y, modifying the arrays in place."""
    joints = list(chain.joints)
    before = np.concatenate([positions[:, joints], chain.paw_positions(positions, rotations)[:, None]], axis=1)
    bones = np.diff(before, axis=1)
    flat = normalize(bones * [0.0, 1.0, 1.0]) * np.linalg.norm(bones, axis=-1, keepdims=True)
    after = np.concatenate([before[:, :1], before[:, :1] + np.cumsum(flat, axis=1)], axis=1)
    turns = rotation_between(bones, flat)
    for index, joint in enumerate(joints):
        rotations[:, joint] = multiply(turns[:, index], rotations[:, joint])
        positions[:, joint] = after[:, index]
    if chain.paw is not None:
        positions[:, chain.paw] = after[:, -1]


def _rest(skeleton: Skeleton) -> tuple[Array, Array]:
    """Return positions (1, J, 3), meters, and world rotations (1, J, 4) of a skeleton at rest."""
    unturned = np.tile([1.0, 0.0, 0.0, 0.0], (1, len(skeleton), 1))
    return Clip(skeleton, 1.0, np.zeros((1, 3)), unturned).world

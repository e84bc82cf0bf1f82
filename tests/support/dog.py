"""A dog of 29 joints, and its walks on the spot and along."""

import numpy as np

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.chain_ik import solve_chain_ik
from footfall.core.motion.limb_ik import with_world_rotations
from footfall.core.motion.paws import leg_chains
from footfall.core.motion.rotations import IDENTITY, Array

PHASES = (0.0, 0.5, 0.5, 0.0)
"""Phases of a trot, in the order of ``PAW_CONTACTS``: diagonal pairs."""
BEAT_HZ = 2.0
STRIDE_M = 0.24
"""Way of a paw over the ground in its stance, which takes half a cycle."""


def dog(scale: float = 1.0) -> Skeleton:
    """A dog that faces -Y, its left at +X, with hocks and wrists."""
    joints: list[tuple[str, int, tuple[float, float, float]]] = [
        ("hips", -1, (0, 0, 0)),
        ("spine", 0, (0, -0.2, 0)),
        ("chest", 1, (0, -0.25, 0)),
        ("neck", 2, (0, -0.1, 0.1)),
        ("head", 3, (0, -0.1, 0.15)),
    ]
    roles = {"hips": 0, "spine": 1, "chest": 2, "neck": 3, "head": 4}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for fore, parent, chain in (
            ("", 0, ((0.08, 0, -0.02), (0, -0.08, -0.17), (0, 0.1, -0.14), (0, -0.02, -0.12))),
            ("front_", 2, ((0.08, 0, -0.02), (0, 0.05, -0.17), (0, -0.03, -0.16), (0, -0.01, -0.1))),
        ):
            above = parent
            for part, (x, y, z) in zip(("thigh", "shin", "foot", "toe"), chain, strict=True):
                roles[f"{fore}{part}.{side}"] = len(joints)
                joints.append((f"{fore}{part}.{side}", above, (sign * x, y, z)))
                above = len(joints) - 1
    names, parents, offsets = zip(*joints, strict=True)
    return Skeleton(names, parents, scale * np.array(offsets, dtype=float), np.zeros((len(names), 3)), roles)


def standing(skeleton: Skeleton, frames: int = 60) -> Clip:
    """The dog at rest, its paws on z = 0."""
    clip = Clip(skeleton, 60.0, np.zeros((frames, 3)), np.tile(IDENTITY, (frames, len(skeleton), 1)))
    lowest = float(clip.positions[..., 2].min())
    return Clip(skeleton, 60.0, np.tile([0.0, 0.0, -lowest], (frames, 1)), clip.rotations)


def paw_paths(frames: int, travels: bool, stride: float = STRIDE_M) -> tuple[Array, Array]:
    """Offsets (F, 4, 3) of trotting paws from where they stand, meters, and whether they stand (F, 4)."""
    cycles = np.arange(frames)[:, None] / 60.0 * BEAT_HZ + np.array(PHASES)
    phase = cycles % 1.0
    stands = phase < 0.5
    ahead = np.where(stands, stride * (0.5 - phase / 0.5), stride * (-0.5 + (phase - 0.5) / 0.5))
    lift = np.where(stands, 0.0, 0.08 * np.sin((phase - 0.5) * 2 * np.pi))
    offsets = np.stack([np.zeros_like(ahead), -ahead, lift], axis=-1)
    if travels:
        offsets[..., 1] -= np.arange(frames)[:, None] / 60.0 * stride * 2 * BEAT_HZ
    return offsets, stands


def trot(skeleton: Skeleton, frames: int = 121, travels: bool = False) -> tuple[Clip, Array]:
    """A trot of the dog, and whether its paws stand (F, 4)."""
    scale = skeleton.leg_length / dog().leg_length
    offsets, stands = paw_paths(frames, travels=False)
    clip = standing(skeleton, frames)
    roots = clip.root_positions - np.array([0.0, 0.0, 0.03 * scale])
    clip = Clip(skeleton, 60.0, roots, clip.rotations, "trot")
    positions, rotations = (array.copy() for array in clip.world)
    for number, chain in enumerate(leg_chains(skeleton)):
        goal = chain.paw_positions(*clip.world) + scale * (offsets[:, number] + np.array([0.0, 0.0, 0.03]))
        solve_chain_ik(positions, rotations, chain, goal)
    if travels:
        roots = roots.copy()
        roots[:, 1] -= scale * np.arange(frames) / 60.0 * STRIDE_M * 2 * BEAT_HZ
    return with_world_rotations(clip, roots, rotations), stands

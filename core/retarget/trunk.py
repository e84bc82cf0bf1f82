"""Spines and necks with different numbers of joints: the bend of one chain is distributed over another.

Each target joint follows those source joints whose bones overlap its own along the chain.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from ..motion import Skeleton

JointShares = tuple[tuple[int, float], ...]
"""Indices of the joints that a joint follows, each with its share; the shares sum to 1."""

MIN_SHARE: Final = 1e-3
"""Share below which a joint is ignored."""


def spine_joints(skeleton: Skeleton) -> tuple[int, ...]:
    """Return the joint indices of the spine, from the joint above the hips up to the chest; empty if there are none."""
    roles = skeleton.roles
    above = [chain_from_hips(skeleton, roles[role])[:-1] for role in ("neck", "head") if role in roles]
    whole = [chain_from_hips(skeleton, roles[role]) for role in ("chest", "spine") if role in roles]
    return next((path for path in (*above, *whole) if path), ())


def neck_joints(skeleton: Skeleton) -> tuple[int, ...]:
    """Return the joint indices of the neck, up to the joint below the head; empty if there are none."""
    roles = skeleton.roles
    if "neck" not in roles:
        return ()
    path = chain_from_hips(skeleton, roles["head"])[:-1] if "head" in roles else ()
    return path[path.index(roles["neck"]) :] if roles["neck"] in path else (roles["neck"],)


def chain_from_hips(skeleton: Skeleton, joint: int) -> tuple[int, ...]:
    """Return the indices of the joints from the hips' child to ``joint``; empty if it does not descend from the hips.

    The order is outward.
    """
    hips, path = skeleton.roles.get("hips", 0), []
    while joint > hips:
        path.append(joint)
        joint = skeleton.parents[joint]
    return tuple(reversed(path)) if joint == hips else ()


def chain_shares(
    source: Skeleton, source_chain: Sequence[int], target: Skeleton, target_chain: Sequence[int], carries: bool = True
) -> list[JointShares]:
    """Return, for each joint of the target's chain, the joints of the source's chain to follow, with shares.

    Chains of equal length match joint by joint. Otherwise a joint follows those joints whose bones overlap its own bone
    along the chain, by lengths at rest. If ``carries`` is true, the target's last joint follows only the source's last
    joint.

    Args:
        source: the followed skeleton.
        source_chain: joint indices of the source's spine or neck, upward.
        target: the following skeleton.
        target_chain: joint indices of the target's spine or neck, upward.
        carries: whether the last joint carries joints without a counterpart of their own, such as arms.
    """
    if not source_chain or not target_chain:
        return [()] * len(target_chain)
    if len(source_chain) == len(target_chain):
        return [((joint, 1.0),) for joint in source_chain]
    below, theirs = _bone_edges(source, source_chain)
    _, mine = _bone_edges(target, target_chain)
    result = [_overlap_shares(edges, below, theirs) for edges in pairwise(mine)]
    if carries:
        result[-1] = ((source_chain[-1], 1.0),)
    return result


def _bone_edges(skeleton: Skeleton, chain: Sequence[int]) -> tuple[list[int], list[float]]:
    """Return a chain's joints, and the positions along it, from 0 to 1, where their bones begin and end.

    Bones without lengths, such as a lone joint without children, count as equally long.
    """
    next_joints = [child for child in skeleton.children[chain[-1]] if _is_trunk(skeleton, child)]
    end = float(np.linalg.norm(skeleton.offsets[next_joints[0]] if next_joints else skeleton.tips[chain[-1]]))
    lengths = [*(float(np.linalg.norm(skeleton.offsets[joint])) for joint in chain[1:]), end]
    edges = np.concatenate([[0.0], np.cumsum(lengths)])
    if edges[-1] < 1e-9:
        edges = np.arange(len(chain) + 1.0)
    return list(chain), (edges / edges[-1]).tolist()


def _is_trunk(skeleton: Skeleton, joint: int) -> bool:
    """Return whether a joint is the neck or the head."""
    return joint in [skeleton.roles.get(role) for role in ("neck", "head")]


def _overlap_shares(edges: tuple[float, float], joints: Sequence[int], theirs: Sequence[float]) -> JointShares:
    """Return the joints whose bones overlap the interval between two edges, with the shares of their overlaps."""
    low, high = edges
    if high - low < 1e-6:
        low, high = low - 1e-6, high + 1e-6
    found = [
        (joint, max(min(high, end) - max(low, start), 0.0) / (high - low))
        for joint, (start, end) in zip(joints, pairwise(theirs), strict=True)
    ]
    followed = [(joint, share) for joint, share in found if share > MIN_SHARE]
    total = sum(share for _, share in followed)
    return tuple((joint, share / total) for joint, share in followed)

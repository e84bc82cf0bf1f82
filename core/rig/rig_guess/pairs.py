"""Mirrored pairs: two branches of the tree that are mirror images of each other."""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from ...motion.rotations import Array, normalize
from .body_tree import BodyTree

MAX_DISSIMILARITY: Final = 3.0
"""Largest dissimilarity of a pair's branches; see :func:`dissimilarity`."""


@dataclass(frozen=True, slots=True)
class MirroredPair:
    """Two branches with the same parent.

    Attributes:
        parent: the common parent.
        first: the first bone of one branch; whether it is the left one is not known yet.
        second: the first bone of the other branch.
        paths: the bones of each branch's longest chain, cut to equal numbers.
    """

    parent: int
    first: int
    second: int
    paths: tuple[tuple[int, ...], tuple[int, ...]]


def mirrored_pairs(tree: BodyTree) -> list[MirroredPair]:
    """Return all mirrored pairs of branches; at each bone, the most similar ones are paired first, each only once."""
    found = []
    for parent in tree.bones:
        below = tree.children[parent]
        costs = (
            sorted(
                (dissimilarity(tree, a, b), *sorted((a, b), key=lambda one: tree.rig.heads[one].tolist()))
                for a, b in combinations(below, 2)
            )
            if len(below) < 40
            else []
        )
        taken: set[int] = set()
        for cost, first, second in costs:
            if cost < MAX_DISSIMILARITY and not taken & {first, second}:
                taken |= {first, second}
                paths = tree.longest_path(first), tree.longest_path(second)
                count = min(map(len, paths))
                found.append(MirroredPair(parent, first, second, (tuple(paths[0][:count]), tuple(paths[1][:count]))))
    return found


def dissimilarity(tree: BodyTree, first: int, second: int) -> float:
    """Return a measure of the difference of two branches in bone count, reach and geometry; 0 for mirror images.

    ``first`` and ``second`` are the first bones of the branches.
    """
    sizes = tree.branch_sizes[first], tree.branch_sizes[second]
    reaches = (
        tree.branch_reach[first] + tree.distance_from_parent(first),
        tree.branch_reach[second] + tree.distance_from_parent(second),
    )
    if min(reaches) <= 0.5 * max(reaches) or min(sizes) <= 0.5 * max(sizes):
        return np.inf
    cost = abs(np.log(reaches[0] / reaches[1])) / 0.08 + (max(sizes) - min(sizes)) / (0.2 * max(sizes) + 1.0)
    paths = tree.longest_path(first), tree.longest_path(second)
    cost += 1.5 * abs(len(paths[0]) - len(paths[1]))
    across = _mirror_offsets(tree, paths[0], paths[1])
    largest = np.linalg.norm(across, axis=-1).max()
    if largest < 0.02 * max(reaches):
        return np.inf
    axis = normalize(across.sum(axis=0))
    # In a mirror image, the vectors between all counterparts are parallel.
    slant = np.linalg.norm(across - (across @ axis)[:, None] * axis, axis=-1).max() / largest
    return float(cost + 2.0 * slant)


def _mirror_offsets(tree: BodyTree, first: list[int], second: list[int]) -> Array:
    """Return the vectors (N, 3) from each joint, and the end, of one chain to the corresponding point of the other."""
    count = min(len(first), len(second))
    heads = tree.rig.heads[second[:count]] - tree.rig.heads[first[:count]]
    return np.vstack([heads, tree.bone_ends[second[count - 1]] - tree.bone_ends[first[count - 1]]])

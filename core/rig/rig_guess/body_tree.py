"""The tree of the deforming bones, independent of a control rig's hierarchy."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from .rig_tree import RigTree, topological_order

Flags = NDArray[np.bool_]

MIN_BONE_COUNT: Final = 6
"""Number of deforming bones below which all bones count."""
COINCIDENT_DISTANCE_RATIO: Final = 1e-3
"""Distance, relative to the armature's size, within which points count as coincident."""
TAIL_AT_CHILD_RATIO: Final = 0.3
"""Distance of a bone's tail from a child's head, relative to its length, within which they count as connected."""
AIMED_BONES_SHARE: Final = 0.5
"""Least share of bones that end at a child's head for the tails of leaf bones to be meaningful."""


@dataclass(frozen=True, eq=False)
class BodyTree:
    """The tree of an armature's deforming bones; bones are indexed as in the rig tree.

    Attributes:
        rig: the whole armature.
        parents: (B) parent of each bone in this tree; -1 at the top, and for bones outside the tree.
        bones: the bones in the tree, each after its parent.
    """

    rig: RigTree
    parents: tuple[int, ...]
    bones: tuple[int, ...]

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The indices of each bone's children in the tree (B)."""
        below: list[list[int]] = [[] for _ in self.parents]
        for bone in self.bones:
            if self.parents[bone] >= 0:
                below[self.parents[bone]].append(bone)
        return tuple(map(tuple, below))

    @cached_property
    def bone_ends(self) -> Array:
        """The end of every bone (B, 3): its tail, or its head in rigs whose tails do not point at the next bone."""
        rig, aimed, joined = self.rig, 0, 0
        for bone in self.bones:
            if self.children[bone]:
                joined += 1
                off = np.linalg.norm(rig.heads[list(self.children[bone])] - rig.tails[bone], axis=-1)
                far = np.linalg.norm(rig.heads[list(self.children[bone])] - rig.heads[bone], axis=-1)
                aimed += bool(np.any(off <= TAIL_AT_CHILD_RATIO * far))
        return rig.tails if aimed >= AIMED_BONES_SHARE * max(joined, 1) else rig.heads

    @cached_property
    def branch_reach(self) -> Array:
        """Distance (B) from each bone's head to the farthest end among its descendants, along the bones."""
        result = np.linalg.norm(self.bone_ends - self.rig.heads, axis=-1)
        for bone in reversed(self.bones):
            for child in self.children[bone]:
                result[bone] = max(result[bone], self.distance_from_parent(child) + result[child])
        return result

    @cached_property
    def branch_sizes(self) -> tuple[int, ...]:
        """Number (B) of bones in each bone's subtree, itself included."""
        result = [1] * len(self.parents)
        for bone in reversed(self.bones):
            result[bone] += sum(result[child] for child in self.children[bone])
        return tuple(result)

    @cached_property
    def branch_depths(self) -> tuple[int, ...]:
        """Number (B) of bones in the longest chain that starts with each bone."""
        result = [1] * len(self.parents)
        for bone in reversed(self.bones):
            result[bone] += max((result[child] for child in self.children[bone]), default=0)
        return tuple(result)

    def distance_from_parent(self, bone: int) -> float:
        """Return the distance of a bone's head from its parent's head in the tree; zero without a parent."""
        parent = self.parents[bone]
        return float(np.linalg.norm(self.rig.heads[bone] - self.rig.heads[parent])) if parent >= 0 else 0.0

    def path_to_root(self, bone: int) -> list[int]:
        """Return the indices of a bone and its ancestors in the tree, the bone first."""
        path = [bone]
        while self.parents[path[-1]] >= 0:
            path.append(self.parents[path[-1]])
        return path

    def longest_path(self, bone: int) -> list[int]:
        """Return the indices of the bones from ``bone`` to its descendant with the farthest end, along the bones."""
        path = [bone]
        while self.children[path[-1]]:
            path.append(
                max(
                    self.children[path[-1]],
                    key=lambda child: (
                        self.distance_from_parent(child) + self.branch_reach[child],
                        self.branch_depths[child],
                    ),
                )
            )
        return path

    def subtree(self, bone: int) -> list[int]:
        """Return the indices of a bone and its descendants in the tree, the bone first."""
        found = [bone]
        for one in found:
            found += self.children[one]
        return found


def build_body_tree(rig: RigTree) -> BodyTree:
    """Build the tree of an armature's deforming bones, or of all its bones if too few deform.

    The parent of a bone in the tree is the first deforming bone among these: its own parent, a bone that coincides with
    that parent, a bone that ends at the child's head (as with limb halves that follow a control), its other ancestors.
    """
    count = int(rig.deform.sum())
    deforming: Flags = rig.deform if MIN_BONE_COUNT <= count < len(rig) else np.ones(len(rig), dtype=bool)
    size = float(np.ptp(rig.heads[deforming], axis=0).max()) if deforming.any() else 0.0
    tolerance = COINCIDENT_DISTANCE_RATIO * max(size, 1e-9)
    parents = [-1] * len(rig)
    distant_ancestors: dict[int, int] = {}
    for bone in topological_order(rig.parents):
        if deforming[bone]:
            ancestor, direct = _deforming_ancestor(rig, bone, deforming, tolerance)
            if direct and not _is_in_subtree(ancestor, bone, parents):
                parents[bone] = ancestor
            else:
                distant_ancestors[bone] = ancestor
    for bone, ancestor in distant_ancestors.items():
        before = _bone_ending_at(rig, bone, deforming, tolerance, parents)
        if before >= 0 or not _is_in_subtree(ancestor, bone, parents):
            parents[bone] = before if before >= 0 else ancestor
    order = [bone for bone in topological_order(parents) if deforming[bone]]
    return BodyTree(rig, tuple(parents), tuple(order))


def _deforming_ancestor(rig: RigTree, bone: int, deforming: Flags, tolerance: float) -> tuple[int, bool]:
    """Return the first deforming bone that is or coincides with an ancestor, and whether no bone lies in between."""
    above, direct = rig.parents[bone], True
    while above >= 0:
        twin = above if deforming[above] else _coincident_bone(rig, above, deforming, tolerance)
        if twin >= 0 and twin != bone:
            return twin, direct
        direct = direct and twin == bone
        above = rig.parents[above]
    return -1, False


def _coincident_bone(rig: RigTree, bone: int, deforming: Flags, tolerance: float) -> int:
    """Return the deforming bone that coincides with another bone; -1 if there is none."""
    apart = np.linalg.norm(rig.heads - rig.heads[bone], axis=-1) + np.linalg.norm(rig.tails - rig.tails[bone], axis=-1)
    apart = np.where(deforming, apart, np.inf)
    return int(np.argmin(apart)) if apart.min() < tolerance else -1


def _bone_ending_at(rig: RigTree, bone: int, deforming: Flags, tolerance: float, parents: list[int]) -> int:
    """Return the deforming bone that ends at the start of ``bone``; -1 if there is none."""
    apart = np.where(deforming, np.linalg.norm(rig.tails - rig.heads[bone], axis=-1), np.inf)
    apart[bone] = np.inf
    for one in np.argsort(apart, kind="stable"):
        if apart[one] >= tolerance:
            break
        if not _is_in_subtree(int(one), bone, parents):
            return int(one)
    return -1


def _is_in_subtree(bone: int, other: int, parents: list[int]) -> bool:
    """Return whether ``other`` is ``bone`` or one of its ancestors."""
    while bone >= 0 and bone != other:
        bone = parents[bone]
    return bone == other

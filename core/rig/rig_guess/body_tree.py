"""The tree of the bones that carry the body, however a control rig's bones hang."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from .rig_tree import RigTree, topological_order

Flags = NDArray[np.bool_]

MIN_BONE_COUNT: Final = 6
"""Fewer bones than this make no body: where so few carry the mesh, all bones are looked at."""
COINCIDENT_DISTANCE_RATIO: Final = 1e-3
"""Shares of the armature's size that places may be apart and still be the same."""
TAIL_AT_CHILD_RATIO: Final = 0.3
"""How far off a child a bone may end that ends there, as a share of its length."""
AIMED_BONES_SHARE: Final = 0.5
"""Share of the bones that must end where another begins, so that the ends of the last bones are believed."""


@dataclass(frozen=True, eq=False)
class BodyTree:
    """Bones by their index in the rig tree; those that carry no mesh have been taken out, the others hung together.

    Attributes:
        rig: the whole armature.
        parents: each bone's parent (B); -1 at the top, and for the bones that were taken out.
        kept: the bones that are in the tree, every one after its parent.
    """

    rig: RigTree
    parents: tuple[int, ...]
    bones: tuple[int, ...]

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """What hangs on every bone."""
        below: list[list[int]] = [[] for _ in self.parents]
        for bone in self.bones:
            if self.parents[bone] >= 0:
                below[self.parents[bone]].append(bone)
        return tuple(map(tuple, below))

    @cached_property
    def bone_ends(self) -> Array:
        """Where every bone ends (B, 3): for the last of a chain its tail, if this rig's tails mean anything."""
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
        """How far it is from every bone's head along the bones to the farthest end below it (B)."""
        result = np.linalg.norm(self.bone_ends - self.rig.heads, axis=-1)
        for bone in reversed(self.bones):
            for child in self.children[bone]:
                result[bone] = max(result[bone], self.distance_from_parent(child) + result[child])
        return result

    @cached_property
    def branch_sizes(self) -> tuple[int, ...]:
        """How many bones there are from every bone on (B)."""
        result = [1] * len(self.parents)
        for bone in reversed(self.bones):
            result[bone] += sum(result[child] for child in self.children[bone])
        return tuple(result)

    @cached_property
    def branch_depths(self) -> tuple[int, ...]:
        """How many bones the longest chain from every bone on has (B)."""
        result = [1] * len(self.parents)
        for bone in reversed(self.bones):
            result[bone] += max((result[child] for child in self.children[bone]), default=0)
        return tuple(result)

    def distance_from_parent(self, bone: int) -> float:
        """How far a bone begins from its parent; zero at the top."""
        parent = self.parents[bone]
        return float(np.linalg.norm(self.rig.heads[bone] - self.rig.heads[parent])) if parent >= 0 else 0.0

    def path_to_root(self, bone: int) -> list[int]:
        """Return a bone and all that it hangs on."""
        path = [bone]
        while self.parents[path[-1]] >= 0:
            path.append(self.parents[path[-1]])
        return path

    def longest_path(self, bone: int) -> list[int]:
        """From a bone to the end that is farthest along the bones."""
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
        """Return a bone and all that hangs on it."""
        found = [bone]
        for one in found:
            found += self.children[one]
        return found


def build_body_tree(rig: RigTree) -> BodyTree:
    """Take the bones out that carry no mesh, where there are any, and hangs the others together.

    A bone that carries the mesh hangs on its own parent; or on the bone that lies where its parent does; or on the one
    that ends where it begins, as the halves of limbs do that follow a control; or on the first that is found above it.
    """
    count = int(rig.deform.sum())
    kept: Flags = rig.deform if MIN_BONE_COUNT <= count < len(rig) else np.ones(len(rig), dtype=bool)
    near = COINCIDENT_DISTANCE_RATIO * max(float(np.ptp(rig.heads[kept], axis=0).max()) if kept.any() else 0.0, 1e-9)
    parents = [-1] * len(rig)
    further: dict[int, int] = {}
    for bone in topological_order(rig.parents):
        if kept[bone]:
            carrier, direct = _deforming_ancestor(rig, bone, kept, near)
            if direct and not _is_in_subtree(carrier, bone, parents):
                parents[bone] = carrier
            else:
                further[bone] = carrier
    for bone, carrier in further.items():
        before = _bone_ending_at(rig, bone, kept, near, parents)
        if before >= 0 or not _is_in_subtree(carrier, bone, parents):
            parents[bone] = before if before >= 0 else carrier
    order = [bone for bone in topological_order(parents) if kept[bone]]
    return BodyTree(rig, tuple(parents), tuple(order))


def _deforming_ancestor(rig: RigTree, bone: int, deforming: Flags, tolerance: float) -> tuple[int, bool]:
    """Return the first bone above that carries the mesh, or lies where one does; and whether nothing lies in
    between.
    """
    above, direct = rig.parents[bone], True
    while above >= 0:
        twin = above if deforming[above] else _coincident_bone(rig, above, deforming, tolerance)
        if twin >= 0 and twin != bone:
            return twin, direct
        direct = direct and twin == bone
        above = rig.parents[above]
    return -1, False


def _coincident_bone(rig: RigTree, bone: int, deforming: Flags, tolerance: float) -> int:
    """Return the bone that carries the mesh and lies where another does; -1 where there is none."""
    apart = np.linalg.norm(rig.heads - rig.heads[bone], axis=-1) + np.linalg.norm(rig.tails - rig.tails[bone], axis=-1)
    apart = np.where(deforming, apart, np.inf)
    return int(np.argmin(apart)) if apart.min() < tolerance else -1


def _bone_ending_at(rig: RigTree, bone: int, deforming: Flags, tolerance: float, parents: list[int]) -> int:
    """Return the bone that carries the mesh and ends where another begins; -1 where there is none."""
    apart = np.where(deforming, np.linalg.norm(rig.tails - rig.heads[bone], axis=-1), np.inf)
    apart[bone] = np.inf
    for one in np.argsort(apart, kind="stable"):
        if apart[one] >= tolerance:
            break
        if not _is_in_subtree(int(one), bone, parents):
            return int(one)
    return -1


def _is_in_subtree(bone: int, other: int, parents: list[int]) -> bool:
    while bone >= 0 and bone != other:
        bone = parents[bone]
    return bone == other

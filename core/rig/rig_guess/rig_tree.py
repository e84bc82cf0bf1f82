"""An armature as input of the guess: bones, hierarchy, positions and deformation flags."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array


@dataclass(frozen=True, eq=False)
class RigTree:
    """The bones of an armature in a natural standing pose, usually the rest pose.

    Attributes:
        names: (B) names of the bones, in any order.
        parents: (B) index of each bone's parent; -1 without a parent.
        heads: (B, 3) heads of the bones; preferably in meters, world, Z up, but any unit and axes work.
        tails: (B, 3) tails of the bones, in the same unit and axes.
        deform: (B) whether the bone deforms the mesh; all equal if unknown.
        movable: (B) whether the bone can be translated, not only rotated; all true if unknown.

    Raises:
        ValueError: the attributes are of different lengths, or the hierarchy has a cycle.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    heads: Array
    tails: Array
    deform: NDArray[np.bool_]
    movable: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        count = len(self.names)
        movable = np.ones(count, dtype=bool) if self.movable is None else self.movable
        shapes = (len(self.parents), *self.heads.shape, *self.tails.shape, *self.deform.shape, *movable.shape)
        if shapes != (count, count, 3, count, 3, count, count):
            raise ValueError("a rig tree needs one parent, head, tail and flag per name")
        topological_order(self.parents)

    def __len__(self) -> int:
        return len(self.names)

    def can_move(self, bone: int) -> bool:
        """Return whether a bone can be translated, not only rotated; true if unknown."""
        return self.movable is None or bool(self.movable[bone])

    def path_to_root(self, bone: int) -> list[int]:
        """Return the indices of a bone and its ancestors, the bone first."""
        path = [bone]
        while self.parents[path[-1]] >= 0:
            path.append(self.parents[path[-1]])
        return path


def topological_order(parents: Sequence[int]) -> list[int]:
    """Return the bones' indices, ordered so that each bone comes after its parent.

    Raises:
        ValueError: the hierarchy has a cycle.
    """
    below: list[list[int]] = [[] for _ in parents]
    order = []
    for bone, parent in enumerate(parents):
        (below[parent] if parent >= 0 else order).append(bone)
    for bone in order:
        order += below[bone]
    if len(order) != len(parents):
        raise ValueError("the bones of a rig tree form a loop")
    return order

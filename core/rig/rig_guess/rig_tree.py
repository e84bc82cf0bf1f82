"""An armature as a guess sees it: bones, how they hang, where they lie, and whether they carry the mesh."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array


@dataclass(frozen=True, eq=False)
class RigTree:
    """The bones of an armature in a pose in which the body stands naturally, which is mostly the rest pose.

    Attributes:
        names: the bones (B), in any order.
        parents: their parents' indices (B); -1 where there is none.
        heads: where they begin (B, 3): metres, world, Z up where that is known; any unit and axes will do.
        tails: where they end (B, 3).
        deform: whether they carry the mesh (B); all the same where nobody knows.

    Raises:
        ValueError: the attributes are of different lengths, or bones hang on each other in a ring.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    heads: Array
    tails: Array
    deform: NDArray[np.bool_]

    def __post_init__(self) -> None:
        count = len(self.names)
        shapes = (len(self.parents), *self.heads.shape, *self.tails.shape, *self.deform.shape)
        if shapes != (count, count, 3, count, 3, count):
            raise ValueError("a rig tree needs as many parents, heads, tails and flags as names")
        topological_order(self.parents)

    def __len__(self) -> int:
        return len(self.names)


def topological_order(parents: Sequence[int]) -> list[int]:
    """Return the bones so that every one comes after its parent; raises :class:`ValueError` where they hang in a
    ring.
    """
    below: list[list[int]] = [[] for _ in parents]
    order = []
    for bone, parent in enumerate(parents):
        (below[parent] if parent >= 0 else order).append(bone)
    for bone in order:
        order += below[bone]
    if len(order) != len(parents):
        raise ValueError("the bones of a rig tree hang on each other in a ring")
    return order

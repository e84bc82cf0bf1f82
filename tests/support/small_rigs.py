"""Small made-up rigs: a few bones in round places, with lengths that can be reckoned in the head."""

from collections.abc import Collection, Iterable

import numpy as np

from footfall.core.rig.rig_guess import RigTree
from footfall.core.rig.rig_guess.body_tree import BodyTree, build_body_tree
from footfall.core.rig.rig_guess.limbs import Limbs
from footfall.core.rig.rig_guess.pairs import MirroredPair

Point = tuple[float, float, float]
Bone = tuple[str, str, Point, Point]
"""Name, parent's name, start and end of a bone; the parent of the first one is ``""``."""


def rig_tree(bones: Iterable[Bone], controls: Collection[str] = ()) -> RigTree:
    """Return a rig of some bones; those that are named as controls deform nothing."""
    names, parents, heads, tails = zip(*bones, strict=True)
    return RigTree(
        names,
        tuple(names.index(parent) if parent else -1 for parent in parents),
        np.array(heads, dtype=float),
        np.array(tails, dtype=float),
        np.array([name not in controls for name in names]),
    )


def body_tree(bones: Iterable[Bone], controls: Collection[str] = ()) -> BodyTree:
    """Return the tree of the bones that deform the body."""
    return build_body_tree(rig_tree(bones, controls))


def chain(name: str, parent: str, *points: Point) -> list[Bone]:
    """Return the bones ``name1``, ``name2`` and so on from point to point."""
    names = [parent, *(f"{name}{number}" for number in range(1, len(points)))]
    return [(names[n + 1], names[n], points[n], points[n + 1]) for n in range(len(points) - 1)]


def both_sides(name: str, parent: str, *points: Point) -> list[Bone]:
    """Return a left chain, ``name.L1`` and so on, through points in +X, and its mirror image on the right."""
    mirror_image = [(-x, y, z) for x, y, z in points]
    return [*chain(f"{name}.L", parent, *points), *chain(f"{name}.R", parent, *mirror_image)]


def bone(tree: BodyTree, name: str) -> int:
    """Return the bone with a name."""
    return tree.rig.names.index(name)


def names_of(tree: BodyTree, bones: Iterable[int]) -> list[str]:
    """Return the names of some bones, in their order."""
    return [tree.rig.names[one] for one in bones]


def pair_of(tree: BodyTree, name: str, first: str = "L", second: str = "R") -> MirroredPair:
    """Return the pair of both sides' chains; the first branch is the left one unless told otherwise."""
    begin, other_begin = bone(tree, f"{name}.{first}1"), bone(tree, f"{name}.{second}1")
    path, other_path = tree.longest_path(begin), tree.longest_path(other_begin)
    count = min(len(path), len(other_path))
    return MirroredPair(tree.parents[begin], begin, other_begin, (tuple(path[:count]), tuple(other_path[:count])))


def limbs_of(tree: BodyTree, legs: str = "leg", arms: str | None = "arm") -> Limbs:
    """Return the limbs of a body whose chains are named so."""
    return Limbs(tree, pair_of(tree, legs), pair_of(tree, arms) if arms else None, 3.0)

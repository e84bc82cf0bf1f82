"""A rig type: its bones with real names and parents, their positions in a body, and the correct map."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...core.motion.rotations import Array
from ...core.rig.rig_guess import RigTree
from ...core.rig.rig_map import RigMap, bind_rig_map, shipped_rig_maps
from .variety import Variety

Points = Callable[[Variety], Mapping[str, Array]]


@dataclass(frozen=True, slots=True)
class Bone:
    """A bone with its start and end, as points of the body; see :func:`place`."""

    name: str
    parent: str
    head: str
    tail: str
    deform: bool = True


@dataclass(frozen=True, eq=False)
class RigType:
    """One kind of rig.

    Attributes:
        name: name in the tables.
        preset: the shipped map for it.
        bones: its bones, parents first.
        points: the points of a body with given proportions.
        sideways: whether its importer creates bones that end away from the next one.
        equals: alternative bones by role, which move with the map's bone and are accepted instead.
    """

    name: str
    preset: str
    bones: tuple[Bone, ...]
    points: Points
    sideways: bool = False
    equals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def truth(self) -> RigMap:
        """The reference map."""
        return bind_rig_map(shipped_rig_maps()[self.preset], [bone.name for bone in self.bones])

    def tree(self, variety: Variety | None = None) -> RigTree:
        """Return the rig on a body: meters times the body's scale, Z up, facing -Y."""
        variety = variety or Variety()
        random = np.random.default_rng(variety.seed)
        points = {
            name: point + random.uniform(-variety.uneven, variety.uneven, 3)
            for name, point in self.points(variety).items()
        }
        index = {bone.name: place for place, bone in enumerate(self.bones)}
        heads = np.array([place(points, bone.head) for bone in self.bones])
        tails = np.array([place(points, bone.tail) for bone in self.bones])
        parents = tuple(index.get(bone.parent, -1) for bone in self.bones)
        short = np.linalg.norm(tails - heads, axis=-1) < 1e-3
        tails[short] = heads[short] + np.array([0.0, 0.0, 0.03])
        if self.sideways or (variety.sideways and all(bone.deform for bone in self.bones)):
            lengths = np.linalg.norm(tails - heads, axis=-1)
            tails = heads + lengths[:, None] * np.array([0.0, 0.8, 0.6])
        deform = np.array([bone.deform for bone in self.bones])
        return RigTree(tuple(index), parents, heads * variety.scale, tails * variety.scale, deform)


def place(points: Mapping[str, Array], text: str) -> Array:
    """Return a point (3) by its name, ``knee.L``, or one on a line, ``hip.L~knee.L~0.5``.

    A share above 1 is beyond the second point.
    """
    start, *rest = text.split("~")
    if not rest:
        return points[start]
    end, share = rest
    return points[start] + (points[end] - points[start]) * float(share)


def bones(text: str, sides: tuple[str, str] = ("L", "R"), deform: bool = True) -> tuple[Bone, ...]:
    """Return the bones of lines ``name parent head [tail]``; ``-`` is no parent.

    A line with ``{S}`` is for both sides, with their names in its place; ``.S`` in its points is ``.L`` or ``.R``. A
    line that starts with ``!`` is for a bone without deformation. Without a tail a bone ends at its first child, or
    without a child a bit beyond its head, away from its parent.
    """
    rows: list[tuple[str, str, str, str, bool]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        deforms = deform and not line.startswith("!")
        for side, letter in zip(sides, "LR", strict=True) if "{S}" in line else (("", ""),):
            name, parent, head, *tail = line.removeprefix("!").replace("{S}", side).replace(".S", f".{letter}").split()
            rows.append((name, parent, head, tail[0] if tail else "", deforms))
    return tuple(
        Bone(name, parent, head, tail or _tail(rows, name, parent, head), on) for name, parent, head, tail, on in rows
    )


def _tail(rows: Sequence[tuple[str, str, str, str, bool]], name: str, parent: str, head: str) -> str:
    child = next((row[2] for row in rows if row[1] == name and row[2] != head), None)
    before = next((row[2] for row in rows if row[0] == parent), head)
    return child or (f"{before}~{head}~1.4" if "~" not in head + before else head)

"""Names for the numbers of a feature vector: which slice is which channel, in which unit and frame of reference."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Group:
    """One named channel group of a vector: ``pose.position``, say: shape (joints, 3), metres, in the root's frame."""

    name: str
    shape: tuple[int, ...]
    unit: str
    frame: str

    def __str__(self) -> str:
        return f"group '{self.name}' {self.shape} ({self.unit}, {self.frame})"

    @property
    def size(self) -> int:
        """How many numbers the group takes."""
        return prod(self.shape)


@dataclass(frozen=True)
class Layout:
    """The groups of a vector in their order. Builders, networks, model files and the runtime all use the same one."""

    groups: tuple[Group, ...]

    @cached_property
    def slices(self) -> Mapping[str, slice]:
        """Where each group lies in the vector."""
        result: dict[str, slice] = {}
        start = 0
        for group in self.groups:
            result[group.name] = slice(start, start + group.size)
            start += group.size
        return result

    @property
    def size(self) -> int:
        """Length of the vector."""
        return sum(group.size for group in self.groups)

    def __iter__(self) -> Iterator[Group]:
        return iter(self.groups)

    def view(self, vectors: NDArray[Any], name: str) -> NDArray[Any]:
        """Return a group of vectors (..., size) as an array (..., *shape); writes go through where numpy can make a
        view.
        """
        group = next(group for group in self.groups if group.name == name)
        return vectors[..., self.slices[name]].reshape(*vectors.shape[:-1], *group.shape)

    def difference(self, other: "Layout") -> str | None:
        """What differs first, as words for an error message; ``None`` where both are the same."""
        for mine, theirs in zip(self.groups, other.groups, strict=False):
            if mine != theirs:
                return f"{mine} against {theirs}"
        if len(self.groups) != len(other.groups):
            longer = max(self.groups, other.groups, key=len)
            return f"group '{longer[min(len(self.groups), len(other.groups))].name}' is in one of them only"
        return None

    def to_json(self) -> list[dict[str, Any]]:
        """Plain data for a model file's header."""
        return [{"name": g.name, "shape": list(g.shape), "unit": g.unit, "frame": g.frame} for g in self.groups]

    @staticmethod
    def from_json(data: Iterable[Mapping[str, Any]]) -> "Layout":
        """Return the inverse of :meth:`to_json`; raises ``KeyError`` or ``TypeError`` on foreign data."""
        return Layout(
            tuple(
                Group(str(g["name"]), tuple(int(n) for n in g["shape"]), str(g["unit"]), str(g["frame"])) for g in data
            )
        )

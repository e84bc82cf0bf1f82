"""Layouts: names, units and frames of reference for the slices of a feature vector."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Group:
    """A named group of values in a vector.

    For example ``pose.position``: shape (joints, 3), meters, in the root's frame.
    """

    name: str
    shape: tuple[int, ...]
    unit: str
    frame: str

    def __str__(self) -> str:
        return f"group '{self.name}' {self.shape} ({self.unit}, {self.frame})"

    @property
    def size(self) -> int:
        """Number of values of the group."""
        return prod(self.shape)


@dataclass(frozen=True)
class Layout:
    """The named groups of a feature vector, in order; feature builders, networks and model files share it."""

    groups: tuple[Group, ...]

    @cached_property
    def slices(self) -> Mapping[str, slice]:
        """The slice of each group in the vector, by name."""
        result: dict[str, slice] = {}
        start = 0
        for group in self.groups:
            result[group.name] = slice(start, start + group.size)
            start += group.size
        return result

    @cached_property
    def _shaped_slices(self) -> Mapping[str, tuple[slice, tuple[int, ...]]]:
        """The slice of each group in the vector and its shape, by name."""
        return {group.name: (self.slices[group.name], group.shape) for group in self.groups}

    @cached_property
    def size(self) -> int:
        """Length of the vector."""
        return sum(group.size for group in self.groups)

    def __iter__(self) -> Iterator[Group]:
        return iter(self.groups)

    def view(self, vectors: NDArray[Any], name: str) -> NDArray[Any]:
        """Return the values of the group ``name`` in ``vectors`` (..., size), in the group's shape (..., *shape).

        The result is a writable view of ``vectors`` if numpy can make one.
        """
        place, shape = self._shaped_slices[name]
        found = vectors[..., place]
        return found if len(shape) == 1 else found.reshape(vectors.shape[:-1] + shape)

    def difference(self, other: "Layout") -> str | None:
        """Return a description of the first difference from another layout, for an error message.

        The result is ``None`` if they are equal.
        """
        for mine, theirs in zip(self.groups, other.groups, strict=False):
            if mine != theirs:
                return f"{mine} against {theirs}"
        if len(self.groups) != len(other.groups):
            longer = max(self.groups, other.groups, key=len)
            return f"group '{longer[min(len(self.groups), len(other.groups))].name}' is in one of them only"
        return None

    def to_json(self) -> list[dict[str, Any]]:
        """Return the layout as plain data for a model file's header."""
        return [{"name": g.name, "shape": list(g.shape), "unit": g.unit, "frame": g.frame} for g in self.groups]

    @staticmethod
    def from_json(data: Iterable[Mapping[str, Any]]) -> "Layout":
        """Restore a layout from plain data, the inverse of :meth:`to_json`.

        Raises:
            KeyError: the data is not a layout.
            TypeError: the data is not a layout.
        """
        return Layout(
            tuple(
                Group(str(g["name"]), tuple(int(n) for n in g["shape"]), str(g["unit"]), str(g["frame"])) for g in data
            )
        )

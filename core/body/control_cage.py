"""A coarse closed surface of quads with skin weights, which subdivision makes smooth."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array

Weights = Mapping[int, float]
"""Skin weights by joint index; they need not sum to 1."""


class ControlCage:
    """Vertices with skin weights, and faces whose corners run counterclockwise as seen from outside.

    Args:
        joint_count: number of joints of the skeleton, J.
    """

    def __init__(self, joint_count: int) -> None:
        self.faces: list[tuple[int, ...]] = []
        self.face_materials: list[int] = []
        self._joint_count = joint_count
        self._points: list[Array] = []
        self._weights: list[Array] = []

    def add_points(self, points: Array, weights: Sequence[Weights]) -> list[int]:
        """Add vertices at ``points`` (N, 3), meters, each with its skin weights by joint, and return their indices."""
        first = len(self._points)
        for point, shares in zip(points, weights, strict=True):
            row = np.zeros(self._joint_count)
            for joint, share in shares.items():
                row[joint] += share
            self._points.append(np.asarray(point, dtype=float))
            self._weights.append(row / row.sum())
        return list(range(first, len(self._points)))

    def point(self, index: int) -> Array:
        """Return the position (3) of a vertex, meters."""
        return self._points[index]

    def share(self, vertex: int, joint: int, weight: float) -> None:
        """Give a joint the weight ``weight`` at a vertex, and scale the vertex's previous weights by ``1 - weight``."""
        row = self._weights[vertex] * (1 - weight)
        row[joint] += weight
        self._weights[vertex] = row

    def add_face(self, corners: Sequence[int], material: int) -> None:
        self.faces.append(tuple(corners))
        self.face_materials.append(material)

    def bridge(self, first: Sequence[int], second: Sequence[int], material: int) -> None:
        """Add the quads between two loops of equally many vertices.

        Args:
            first: vertices of a loop, counterclockwise as seen from the side of ``second``.
            second: vertices of the next loop, in the same order.
            material: material of the quads.
        """
        count = len(first)
        for corner in range(count):
            following = (corner + 1) % count
            self.add_face((first[corner], first[following], second[following], second[corner]), material)

    def surface(self) -> tuple[Array, list[tuple[int, ...]]]:
        """Return the vertices that have faces (V, 3 + J), positions then weights, and each face's vertex indices."""
        used, corners = np.unique(np.concatenate(self.faces), return_inverse=True)
        values = np.concatenate([np.array(self._points), np.array(self._weights)], axis=1)[used]
        ends = np.cumsum([len(face) for face in self.faces])
        return values, [tuple(face.tolist()) for face in np.split(corners, ends[:-1])]

    @property
    def materials(self) -> NDArray[np.intp]:
        """Material of each face (F), as a :class:`.skinned_mesh.Material`."""
        return np.array(self.face_materials, dtype=np.intp)

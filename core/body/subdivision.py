"""Subdivision of a closed surface of polygons (Catmull and Clark 1978)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array

Indices = NDArray[np.intp]


def subdivide(values: Array, faces: Sequence[Sequence[int]]) -> tuple[Array, Indices, Indices]:
    """Subdivide a closed surface by one step of Catmull and Clark's scheme.

    Args:
        values: (V, C) values of the vertices: positions, weights, or both.
        faces: corners of the polygons, all in one sense of rotation; every edge belongs to two polygons.

    Returns:
        The values of the vertices (V + E + F, C), the quads (Q, 4), and the original polygon (Q) of each quad.
    """
    sizes = np.array([len(face) for face in faces])
    owners = np.repeat(np.arange(len(faces)), sizes)
    corners = np.concatenate([np.asarray(face) for face in faces])
    ends = np.concatenate([np.roll(face, -1) for face in faces])
    before = np.concatenate([np.roll(np.arange(len(face)), 1) for face in faces]) + np.repeat(
        np.cumsum(sizes) - sizes, sizes
    )
    keys = np.minimum(corners, ends) * len(values) + np.maximum(corners, ends)
    unique, edges = np.unique(keys, return_inverse=True)
    lows, highs = unique // len(values), unique % len(values)

    face_values = _sums(owners, values[corners], len(faces)) / sizes[:, None]
    middles = (values[lows] + values[highs]) / 2
    edge_values = (middles + _sums(edges, face_values[owners], len(unique)) / 2) / 2
    valence = np.bincount(corners, minlength=len(values))[:, None]
    around = _sums(corners, face_values[owners], len(values)) / valence
    beside = (_sums(lows, middles, len(values)) + _sums(highs, middles, len(values))) / valence
    vertex_values = (around + 2 * beside + (valence - 3) * values) / valence

    first_edge, first_face = len(values), len(values) + len(unique)
    quads = np.stack([corners, first_edge + edges, first_face + owners, first_edge + edges[before]], axis=1)
    return np.concatenate([vertex_values, edge_values, face_values]), quads, owners


def _sums(indices: Indices, values: Array, count: int) -> Array:
    """Return the sums (count, C) of those values (N, C) that have the same index (N)."""
    order = np.argsort(indices, kind="stable")
    starts = np.flatnonzero(np.diff(indices[order], prepend=-1))
    sums = np.zeros((count, values.shape[1]))
    sums[indices[order][starts]] = np.add.reduceat(values[order], starts, axis=0)
    return sums

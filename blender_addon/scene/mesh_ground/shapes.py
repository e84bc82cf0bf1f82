"""Meshes as trees for ray casts, shared by all instances and all frames."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import bmesh
import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

from ....core.errors import FootfallError
from ....core.motion.rotations import Array

MAX_UNUSED_TRIANGLES: Final = 2_000_000
"""Largest number of triangles of unused shapes kept for the next bake."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A mesh in its own space.

    Attributes:
        tree: tree of the mesh's triangles.
        low, high: (3) corners of the bounding box.
        triangles: number of triangles.
    """

    tree: BVHTree
    low: Array
    high: Array
    triangles: int


class _ShapeStore:
    """Shapes by the content of their meshes, the most recently used last."""

    shapes: OrderedDict[bytes, Shape] = OrderedDict()


def shape_of(mesh: bpy.types.Mesh) -> Shape | None:
    """Return the shape of an evaluated mesh; ``None`` if the mesh has no faces.

    The shape is identified by the mesh's content, which is quick to read: a mesh that Blender has evaluated again or
    copied, or that recurs in a loop, gives the same shape if its points are the same.

    Raises:
        FootfallError: some points are not finite.
    """
    if not len(mesh.polygons):
        return None
    points = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
    # As attributes, both are read in one call instead of point by point.
    mesh.attributes["position"].data.foreach_get("vector", points)
    corners = np.empty(len(mesh.loops), dtype=np.int32)
    mesh.attributes[".corner_vert"].data.foreach_get("value", corners)
    starts = np.empty(len(mesh.polygons), dtype=np.int32)
    mesh.polygons.foreach_get("loop_start", starts)
    if not np.isfinite(points).all():
        raise FootfallError("the mesh '{name}' has vertices with invalid positions", name=mesh.name)
    digest = hashlib.blake2b(digest_size=16)
    for content in (points, corners, starts):
        digest.update(content.tobytes())
    key = digest.digest()
    shape = _ShapeStore.shapes.pop(key, None) or _build(mesh, points.reshape(-1, 3))
    _ShapeStore.shapes[key] = shape
    _evict_oldest()
    return shape


def _build(mesh: bpy.types.Mesh, points: Array) -> Shape:
    form = bmesh.new()
    try:
        form.from_mesh(mesh, vertex_normals=False)
        tree = BVHTree.FromBMesh(form)
    finally:
        form.free()
    low, high = points.min(axis=0).astype(float), points.max(axis=0).astype(float)
    return Shape(tree, low, high, len(mesh.loops) - 2 * len(mesh.polygons))


def _evict_oldest() -> None:
    total = sum(shape.triangles for shape in _ShapeStore.shapes.values())
    while total > MAX_UNUSED_TRIANGLES and len(_ShapeStore.shapes) > 1:
        _, shape = _ShapeStore.shapes.popitem(last=False)
        total -= shape.triangles

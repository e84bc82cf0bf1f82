"""An object's mesh as a ghost: drawn at the place to which a preview moves it, while the object itself stays."""

from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.motion.rotations import Array
from .evaluated_mesh import EvaluatedMesh

GHOST_COLOR: Final = (0.95, 0.75, 0.35)

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class GhostMesh:
    """An object's evaluated mesh: vertices (V, 3) in its own space, colors (V, 4), triangles (T, 3)."""

    vertices: Array
    colors: Floats
    triangles: NDArray[np.int32]

    @staticmethod
    def of(obj: bpy.types.Object) -> "GhostMesh":
        """Return the mesh of an object to draw as a ghost; each corner has its own vertex, lit from above."""
        mesh = EvaluatedMesh.of(obj)
        light = np.repeat(0.55 + 0.45 * np.abs(mesh.normals @ [0.3, 0.4, 0.86]), 3)
        colours = np.column_stack([light[:, None] * GHOST_COLOR, np.ones(len(light))]).astype(np.float32)
        corners = np.arange(len(light), dtype=np.int32).reshape(-1, 3)
        return GhostMesh(mesh.vertices[mesh.triangles.ravel()], colours, corners)

    def world_vertices(self, matrix: Matrix) -> Floats:
        """Return the world positions (V, 3) of the vertices, given the object's matrix."""
        turned = np.array(matrix, dtype=float)
        return (self.vertices @ turned[:3, :3].T + turned[:3, 3]).astype(np.float32)

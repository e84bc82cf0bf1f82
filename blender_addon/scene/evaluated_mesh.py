"""An object's evaluated mesh, with its modifiers."""

from dataclasses import dataclass

import bpy
import numpy as np

from ...core.motion.rotations import Array
from ...core.scene.voxels import Triangles


@dataclass(frozen=True, slots=True, eq=False)
class EvaluatedMesh:
    """A mesh in its object's own space.

    Attributes:
        vertices: (V, 3) vertices.
        triangles: (T, 3) indices of vertices.
        normals: (T, 3) normals of the triangles.
    """

    vertices: Array
    triangles: Triangles
    normals: Array

    @staticmethod
    def of(obj: bpy.types.Object) -> "EvaluatedMesh":
        """Return the mesh of an object after modifiers and constraints."""
        evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh()
        try:
            mesh.calc_loop_triangles()
            points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
            mesh.vertices.foreach_get("co", points)
            corners = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
            mesh.loop_triangles.foreach_get("vertices", corners)
            normals = np.empty(3 * len(mesh.loop_triangles), dtype=np.float32)
            mesh.loop_triangles.foreach_get("normal", normals)
        finally:
            evaluated.to_mesh_clear()
        return EvaluatedMesh(
            points.reshape(-1, 3).astype(float), corners.reshape(-1, 3), normals.reshape(-1, 3).astype(float)
        )

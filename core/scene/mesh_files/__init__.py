"""Meshes of Wavefront (OBJ) and glTF files, as Blender's importers read them: Z up, with the file's front at -Y."""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...errors import FootfallError
from ...jobs.bounded_files import ContentError, read_bytes
from ...motion.rotations import Array
from .gltf import read_binary_gltf, read_text_gltf
from .wavefront import parse_wavefront

MAX_BYTES: Final = 1 << 28
"""Largest size of a file, and of each buffer beside it, bytes."""
Mesh = tuple[Array, NDArray[np.intp]]
"""Vertices (V, 3) in the units of the file, and triangles (T, 3), indices of vertices."""


def read_mesh_file(path: Path) -> Mesh:
    """Read all meshes of a file as one mesh, each transformed by its node.

    Raises:
        FootfallError: the file cannot be read, is damaged, is of another format or has no faces.
    """
    suffix = path.suffix.lower()
    try:
        if suffix == ".obj":
            vertices, triangles = parse_wavefront(read_bytes(path, MAX_BYTES).decode("utf-8-sig", "replace"))
        elif suffix == ".glb":
            vertices, triangles = read_binary_gltf(read_bytes(path, MAX_BYTES))
        elif suffix == ".gltf":
            vertices, triangles = read_text_gltf(
                read_bytes(path, MAX_BYTES), lambda name: read_bytes(path.parent / name, MAX_BYTES)
            )
        else:
            raise ContentError("the name of the file does not end in .obj, .glb or .gltf")
        _require_faces(vertices, triangles)
    except OSError as error:
        raise FootfallError(
            "The mesh '{path}' cannot be read: {reason}", path=path, reason=error.strerror or str(error)
        ) from error
    except ContentError as error:
        raise FootfallError(
            "The mesh '{path}' cannot be used: {reason}. Export it from Blender as glTF or OBJ", path=path, reason=error
        ) from error
    return vertices[:, [0, 2, 1]] * [1.0, -1.0, 1.0], triangles


def _require_faces(vertices: Array, triangles: NDArray[np.intp]) -> None:
    """Check the numbers of a mesh.

    Raises:
        ContentError: the mesh has no faces, faces with missing vertices, or non-finite vertices.
    """
    if not len(triangles):
        raise ContentError("the mesh has no faces")
    if triangles.min() < 0 or triangles.max() >= len(vertices):
        raise ContentError("a face refers to a vertex that is missing")
    if not np.isfinite(vertices).all():
        raise ContentError("the position of a vertex is not a finite number")

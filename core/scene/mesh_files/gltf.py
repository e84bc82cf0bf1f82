"""glTF 2.0: the triangles of all meshes of the scene (Khronos, glTF 2.0 specification, sections 3.6, 3.7, 4)."""

import base64
import binascii
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...jobs.bounded_files import ContentError, parse_json
from ...motion.rotations import Array, to_matrix

COMPONENT_TYPES: Final = {
    5120: np.int8,
    5121: np.uint8,
    5122: np.int16,
    5123: np.uint16,
    5125: np.uint32,
    5126: np.float32,
}
ELEMENT_WIDTHS: Final = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
TRIANGLES_MODE: Final = 4
"""Mode of triangles, the default mode of primitives."""
SKIPPED_MODES: Final = (0, 1, 2, 3)
"""Modes of points and lines."""
MAX_VISITED_NODES: Final = 1 << 16
"""Largest number of visited nodes; a node with several parents is visited several times."""
MAX_INSTANCED_VERTICES: Final = 1 << 23
"""Largest number of vertices of all meshes; a mesh counts once for each node that shows it."""
BINARY_HEADER_BYTES: Final = 20
DATA_URI_START: Final = "data:"


def read_binary_gltf(data: bytes) -> tuple[Array, NDArray[np.intp]]:
    """Read the vertices (V, 3), Y up, and triangles (T, 3) of a ``.glb`` file, given as bytes.

    It raises the errors of :func:`read_text_gltf`.
    """
    if len(data) < BINARY_HEADER_BYTES or data[:4] != b"glTF":
        raise ContentError("the file is not a binary glTF file")
    length = int(struct.unpack_from("<I", data, 12)[0])
    end = BINARY_HEADER_BYTES + length
    return _read_document(parse_json(data[BINARY_HEADER_BYTES:end], len(data)), lambda _: data[end + 8 :])


def read_text_gltf(data: bytes, read_file: Callable[[str], bytes]) -> tuple[Array, NDArray[np.intp]]:
    """Read the vertices (V, 3), Y up, and triangles (T, 3) of a ``.gltf`` file, given as bytes.

    Args:
        data: content of the file.
        read_file: function that returns the content of a file that ``data`` names, relative to it.

    Raises:
        ContentError: the file is damaged, or uses an unsupported feature: compressed meshes, strips, sparse accessors.
        OSError: ``read_file`` failed.
    """

    def read_buffer(uri: str) -> bytes:
        if uri.startswith(DATA_URI_START):
            return base64.b64decode(uri.partition(",")[2], validate=True)
        if "/" in uri or "\\" in uri or uri in ("", ".", ".."):
            raise ContentError("one of the buffers of the file is not in the same folder")
        return read_file(uri)

    return _read_document(parse_json(data, len(data)), read_buffer)


def _read_document(document: Any, read_buffer: Callable[[str], bytes]) -> tuple[Array, NDArray[np.intp]]:
    """Return the vertices and triangles of a glTF document; ``read_buffer`` reads a buffer, given its URI."""
    try:
        buffers = [read_buffer(buffer.get("uri", "")) for buffer in document.get("buffers", ())]
        parts = list(_scene_parts(document, buffers))
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, binascii.Error) as error:
        if isinstance(error, ContentError):
            raise
        raise ContentError("the file is damaged") from error
    firsts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    triangles = [part + first for (_, part), first in zip(parts, firsts, strict=False)]
    if not parts:
        return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.intp)
    return np.concatenate([vertices for vertices, _ in parts]), np.concatenate(triangles)


def _scene_parts(document: Mapping[str, Any], buffers: Sequence[bytes]) -> Iterator[tuple[Array, NDArray[np.intp]]]:
    """Yield, for each primitive, its vertices in the scene's space and its triangles."""
    scenes, nodes = document.get("scenes", ()), document.get("nodes", ())
    roots = scenes[document.get("scene", 0)].get("nodes", ()) if scenes else range(len(nodes))
    pending, visited, shown = [(number, np.eye(4)) for number in roots], 0, 0
    while pending:
        number, above = pending.pop()
        visited += 1
        if visited > MAX_VISITED_NODES:
            raise ContentError("the file has too many nodes, or nodes that form a loop")
        node = nodes[number]
        matrix = above @ _node_matrix(node)
        if "mesh" in node:
            for primitive in document["meshes"][node["mesh"]]["primitives"]:
                if primitive.get("mode", TRIANGLES_MODE) in SKIPPED_MODES:
                    continue
                vertices, triangles = _read_primitive(document, buffers, primitive)
                shown += len(vertices)
                if shown > MAX_INSTANCED_VERTICES:
                    raise ContentError(
                        "the nodes of the file have more than {most} vertices in total", most=MAX_INSTANCED_VERTICES
                    )
                yield vertices @ matrix[:3, :3].T + matrix[:3, 3], triangles
        pending += [(child, matrix) for child in node.get("children", ())]


def _read_primitive(
    document: Mapping[str, Any], buffers: Sequence[bytes], primitive: Mapping[str, Any]
) -> tuple[Array, NDArray[np.intp]]:
    """Return the vertices (V, 3) and triangles (T, 3) of a primitive in the space of its node."""
    if primitive.get("mode", TRIANGLES_MODE) != TRIANGLES_MODE:
        raise ContentError("the file has strips or fans of triangles")
    if "KHR_draco_mesh_compression" in primitive.get("extensions", ()):
        raise ContentError("the meshes in the file are compressed")
    vertices = _read_accessor(document, buffers, primitive["attributes"]["POSITION"]).astype(float)
    if "indices" not in primitive:
        return vertices, np.arange(len(vertices)).reshape(-1, 3)
    triangles = _read_accessor(document, buffers, primitive["indices"]).astype(np.intp).reshape(-1, 3)
    if triangles.size and triangles.max() >= len(vertices):
        raise ContentError("a face refers to a vertex that is missing")
    return vertices, triangles


def _read_accessor(document: Mapping[str, Any], buffers: Sequence[bytes], number: int) -> Array:
    """Return the elements (N, W) of an accessor."""
    accessor = document["accessors"][number]
    if "sparse" in accessor or "bufferView" not in accessor:
        raise ContentError("the file has sparse accessors")
    view = document["bufferViews"][accessor["bufferView"]]
    kind, width = np.dtype(COMPONENT_TYPES[accessor["componentType"]]), ELEMENT_WIDTHS[accessor["type"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    stride = view.get("byteStride", 0) or kind.itemsize * width
    shape = (accessor["count"], width)
    elements = np.ndarray(shape, kind.newbyteorder("<"), buffers[view["buffer"]], start, (stride, kind.itemsize))
    return elements.copy()


def _node_matrix(node: Mapping[str, Any]) -> Array:
    """Return the matrix (4, 4) from a node's space to its parent's."""
    if "matrix" in node:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    matrix = np.eye(4)
    rotation = np.array(node.get("rotation", (0.0, 0.0, 0.0, 1.0)), dtype=float)[[3, 0, 1, 2]]
    matrix[:3, :3] = to_matrix(rotation) * np.array(node.get("scale", (1.0, 1.0, 1.0)), dtype=float)
    matrix[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return matrix

"""Meshes of binary glTF and Wavefront files, as Blender would import them: Z up, with the front approximately at -Y."""

import json
import struct
from itertools import pairwise
from pathlib import Path

import numpy as np

from ..core.motion.rotations import Array, to_matrix
from ..training.interactions.props.mesh_primitives import Mesh, merge_meshes

COMPONENTS = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def read_mesh(path: Path) -> Mesh:
    """Return the vertices (V, 3) and triangles (N, 3) of all meshes of a file, in its own units."""
    return _read_obj(path) if path.suffix == ".obj" else _read_glb(path)


def life_size(mesh: Mesh, height: float) -> Mesh:
    """Return a mesh scaled to a height, meters, on the floor, with the middle of its outline at the origin."""
    vertices, triangles = mesh
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    middle = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    return (vertices - middle) * height / (high[2] - low[2]), triangles


def _read_glb(path: Path) -> Mesh:
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20 : 20 + length])
    binary = data[20 + length + 8 :]

    def values(number: int) -> Array:
        accessor = document["accessors"][number]
        view = document["bufferViews"][accessor["bufferView"]]
        kind, width = np.dtype(COMPONENTS[accessor["componentType"]]), WIDTHS[accessor["type"]]
        start, stride = view.get("byteOffset", 0) + accessor.get("byteOffset", 0), view.get("byteStride", 0)
        stride = stride or kind.itemsize * width
        shape, strides = (accessor["count"], width), (stride, kind.itemsize)
        return np.ndarray(shape, kind, binary, start, strides).copy()

    parts: list[Mesh] = []

    def visit(number: int, above: Array) -> None:
        node = document["nodes"][number]
        own = above @ _matrix(node)
        for primitive in document["meshes"][node["mesh"]]["primitives"] if "mesh" in node else ():
            places = values(primitive["attributes"]["POSITION"]).astype(float)
            indices = values(primitive["indices"]) if "indices" in primitive else np.arange(len(places))
            parts.append((places @ own[:3, :3].T + own[:3, 3], indices.reshape(-1, 3).astype(np.intp)))
        for child in node.get("children", ()):
            visit(child, own)

    for root in document["scenes"][document.get("scene", 0)]["nodes"]:
        visit(root, np.eye(4))
    vertices, triangles = merge_meshes(parts)
    return vertices[:, [0, 2, 1]] * [1.0, -1.0, 1.0], triangles


def _matrix(node: dict) -> Array:
    if "matrix" in node:
        return np.array(node["matrix"]).reshape(4, 4).T
    result = np.eye(4)
    turn = np.array(node.get("rotation", (0.0, 0.0, 0.0, 1.0)))[[3, 0, 1, 2]]
    result[:3, :3] = to_matrix(turn) * np.array(node.get("scale", (1.0, 1.0, 1.0)))
    result[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return result


def _read_obj(path: Path) -> Mesh:
    lines = [line.split() for line in path.read_text().splitlines()]
    vertices = np.array([line[1:4] for line in lines if line[:1] == ["v"]], dtype=float)
    faces = [[int(corner.split("/")[0]) - 1 for corner in line[1:]] for line in lines if line[:1] == ["f"]]
    triangles = [(face[0], a, b) for face in faces for a, b in pairwise(face[1:])]
    return vertices, np.array(triangles)

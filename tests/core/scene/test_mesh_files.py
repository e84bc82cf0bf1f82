"""Meshes of OBJ and glTF files: Z up as Blender imports them, and one sentence for what cannot be read."""

import base64
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.scene.mesh_files import read_mesh_file

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], dtype="<f4")
"""A corner of a box 1 wide (X), 2 high (Y) and 3 deep (Z), as files have it."""
FACES = np.array([[0, 1, 2], [0, 2, 3]], dtype="<u2")
IN_BLENDER = [[0, 0, 0], [1, 0, 0], [0, 0, 2], [0, -3, 0]]


def gltf(**changes: Any) -> tuple[dict[str, Any], bytes]:
    """A document of one node with the faces above, and its buffer."""
    data = CORNERS.tobytes() + FACES.tobytes()
    views = [
        {"buffer": 0, "byteLength": CORNERS.nbytes},
        {"buffer": 0, "byteOffset": CORNERS.nbytes, "byteLength": FACES.nbytes},
    ]
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"},
    ]
    primitive = {"attributes": {"POSITION": 0}, "indices": 1}
    document = {
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [primitive]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(data)}],
    }
    return document | changes, data


def write_glb(path: Path, document: dict[str, Any], data: bytes) -> Path:
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(FootfallError) as refused:
        read_mesh_file(path)
    assert str(path) in str(refused.value)
    return str(refused.value)


def test_a_binary_file_comes_z_up_with_its_front_at_minus_y(tmp_path: Path) -> None:
    vertices, triangles = read_mesh_file(write_glb(tmp_path / "corner.glb", *gltf()))
    np.testing.assert_allclose(vertices, IN_BLENDER)
    assert triangles.tolist() == FACES.tolist()


def test_nodes_move_turn_and_scale_their_meshes(tmp_path: Path) -> None:
    half = np.sqrt(0.5)
    nodes = [
        {"children": [1], "translation": [10, 0, 0]},
        {"mesh": 0, "rotation": [0, half, 0, half], "scale": [2] * 3},
    ]
    vertices, _ = read_mesh_file(write_glb(tmp_path / "moved.glb", *gltf(nodes=nodes)))
    # A quarter turn about the file's Y brings its X to -Z, which is +Y in Blender.
    np.testing.assert_allclose(vertices, [[10, 0, 0], [10, 2, 0], [10, 0, 4], [16, 0, 0]], atol=1e-6)


@pytest.mark.parametrize("embedded", [True, False])
def test_a_text_file_has_its_buffer_inside_or_beside_it(tmp_path: Path, embedded: bool) -> None:
    document, data = gltf()
    encoded = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    document["buffers"][0]["uri"] = encoded if embedded else "corner.bin"
    (tmp_path / "corner.bin").write_bytes(data)
    (tmp_path / "corner.gltf").write_text(json.dumps(document))
    np.testing.assert_allclose(read_mesh_file(tmp_path / "corner.gltf")[0], IN_BLENDER)


def test_polygons_of_a_wavefront_file_become_fans(tmp_path: Path) -> None:
    file = tmp_path / "corner.obj"
    file.write_text("# a corner\nv 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nvn 0 0 1\nf 1//1 2//1 3//1 -1//1\n")
    vertices, triangles = read_mesh_file(file)
    np.testing.assert_allclose(vertices, IN_BLENDER)
    assert triangles.tolist() == [[0, 1, 2], [0, 2, 3]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("v 0 0 0\n", "the mesh has no faces"),
        ("v 0 0\n", "line 1 of the file is damaged"),
        ("v 0 0 0\nf 1 2 3\n", "a face refers to a vertex that is missing"),
        ("v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "the position of a vertex is not a finite number"),
        ("v 0 0 0\nf one two three\n", "line 2 of the file is damaged"),
    ],
)
def test_a_damaged_wavefront_file_is_one_sentence(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "damaged.obj"
    file.write_text(text)
    assert reason in refusal(file)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"nodes": [{"mesh": 7}]}, "the file is damaged"),
        ({"nodes": [{"mesh": 0, "children": [0, 0]}]}, "the file has too many nodes, or nodes that form a loop"),
        ({"bufferViews": [{"buffer": 0, "byteOffset": 1000}] * 2}, "the file is damaged"),
        ({"accessors": [{"count": 4, "type": "VEC3", "componentType": 5126}] * 2}, "the file has sparse accessors"),
        ({"meshes": [{"primitives": [{"mode": 5, "attributes": {}}]}]}, "the file has strips or fans of triangles"),
        ({"meshes": [{"primitives": [{"mode": 1, "attributes": {}}]}]}, "the mesh has no faces"),
        ({"meshes": []}, "the file is damaged"),
    ],
)
def test_a_damaged_or_compressed_gltf_file_is_one_sentence(
    tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    assert reason in refusal(write_glb(tmp_path / "damaged.glb", *gltf(**changes)))


def test_a_buffer_elsewhere_is_not_read(tmp_path: Path) -> None:
    document, _ = gltf(buffers=[{"byteLength": 60, "uri": "../secret.bin"}])
    (tmp_path / "corner.gltf").write_text(json.dumps(document))
    assert "one of the buffers of the file is not in the same folder" in refusal(tmp_path / "corner.gltf")


@pytest.mark.parametrize("name", ["chairs/kenney_chair.glb", "boxes/quaternius_Crate.glb", "boxes/bullet_cube.obj"])
def test_real_files_have_the_size_that_their_index_names(shared_data: Path, name: str) -> None:
    rows = (shared_data / "objects" / "INDEX.csv").read_text(encoding="utf-8").splitlines()
    size = next(row.split(",")[4] for row in rows if row.startswith(f"objects/{name}"))
    width, height, depth = (float(part) for part in size.split(" x "))
    vertices, _ = read_mesh_file(shared_data / "objects" / name)
    np.testing.assert_allclose(np.ptp(vertices, axis=0), [width, depth, height], atol=0.006)

"""Readers of objects, of ground and of what is fitted under a clip."""

import json
import struct
from pathlib import Path
from typing import Final

import numpy as np

from footfall.core.scene.clip_objects import ClipObject, load_clip_objects, save_clip_objects
from footfall.core.scene.collider import Collider
from footfall.core.scene.mesh_files import read_mesh_file
from footfall.core.terrain.image import read_heightfield
from footfall.core.terrain.patches import PatchDatabase, build_patches
from footfall.core.terrain.terrain_file import TerrainFile
from footfall.tests.support.meshes import box

from ..reader import Reader
from .corpus import contents, walk, written

WAVEFRONT: Final = b"o box\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nf 1 2 3 4\nf 1/1/1 2/2/1 5/3/1\nf -5 -4 -1\n"
SYNTAX: Final = {".png": "png", ".exr": "bytes", ".tif": "bytes"}
GRID: Final = b"0 0.1 0.2\n0 0.1 0.2\n0 0.1 0.3\n"


def _gltf(uri: str) -> tuple[dict, bytes]:
    """Return the document and the buffer of a box."""
    vertices, triangles = box((0, 0, 0), (1, 1, 1))
    body = vertices.astype("<f4").tobytes() + triangles.astype("<u2").tobytes()
    views = [{"buffer": 0, "byteLength": 12 * len(vertices)}]
    views += [{"buffer": 0, "byteOffset": 12 * len(vertices), "byteLength": 2 * triangles.size}]
    accessors = [{"bufferView": 0, "componentType": 5126, "count": len(vertices), "type": "VEC3"}]
    accessors += [{"bufferView": 1, "componentType": 5123, "count": triangles.size, "type": "SCALAR"}]
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "translation": [0, 1, 0], "scale": [1, 2, 1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(body), **({"uri": uri} if uri else {})}],
    }, body


def _gltf_text(folder: Path) -> list[bytes]:
    document, body = _gltf("box.bin")
    (folder / "box.bin").write_bytes(body)
    return [json.dumps(document).encode()]


def _gltf_binary() -> bytes:
    document, body = _gltf("")
    text = json.dumps(document).encode()
    text, body = text + b" " * (-len(text) % 4), body + bytes(-len(body) % 4)
    head = b"glTF" + struct.pack("<II", 2, 28 + len(text) + len(body))
    return head + struct.pack("<I", len(text)) + b"JSON" + text + struct.pack("<I", len(body)) + b"BIN\x00" + body


def _objects() -> bytes:
    collider = Collider(np.zeros((2, 3)), np.ones((2, 3)))
    still = ClipObject("sit", "Chair", collider, np.zeros((1, 3)), np.array([[1.0, 0, 0, 0]]))
    return written(lambda path: save_clip_objects(path, [still]), "walk.objects.npz")


def _terrain() -> bytes:
    file = TerrainFile(
        np.array([[0, 30], [30, 60]]),
        np.zeros((2, 2, 8, 8), np.float32),
        np.zeros((2, 2)),
        0.1,
        np.zeros((2, 2)),
        np.zeros((2, 2), np.intp),
    )
    return written(file.save, "walk.terrain.npz")


def _patches(name: str):
    def prepare(folder: Path) -> list[bytes]:
        build_patches(folder, count=8, seed=0)
        return [(folder / name).read_bytes()]

    return prepare


def _image(suffix: str) -> bytes:
    import OpenImageIO

    def write(path: Path) -> None:
        values = np.linspace(0, 1, 64, dtype=np.float32).reshape(8, 8, 1)
        image = OpenImageIO.ImageOutput.create(str(path))
        specification = OpenImageIO.ImageSpec(8, 8, 1, "float" if suffix == ".exr" else "uint16")
        specification.attribute("DateTime", "2026:01:01 00:00:00")  # Or every run begins with another file.
        image.open(str(path), specification)
        image.write_image(values)
        image.close()

    return written(write, f"ground{suffix}")


def _heights(path: Path) -> object:
    return read_heightfield(path, 0.1)


READERS: Final = (
    Reader("wavefront", "box.obj", "obj", contents(lambda: WAVEFRONT), read_mesh_file),
    Reader("gltf", "box.gltf", "gltf", _gltf_text, read_mesh_file),
    Reader("binary-gltf", "box.glb", "glb", contents(_gltf_binary), read_mesh_file),
    Reader("objects", "walk.objects.npz", "npz", contents(_objects), lambda path: load_clip_objects(path, len(walk()))),
    Reader("terrain", "walk.terrain.npz", "npz", contents(_terrain), TerrainFile.load),
    Reader("patches", "patches.json", "json", _patches("patches.json"), lambda path: PatchDatabase.open(path.parent)),
    Reader(
        "patch-heights", "heights.npy", "npy", _patches("heights.npy"), lambda path: PatchDatabase.open(path.parent)
    ),
    Reader("height-grid", "ground.csv", "csv", contents(lambda: GRID, lambda: GRID.replace(b" ", b",")), _heights),
    *(
        Reader(
            f"{suffix[1:]}-heights", f"ground{suffix}", SYNTAX[suffix], contents(lambda s=suffix: _image(s)), _heights
        )
        for suffix in SYNTAX
    ),
)

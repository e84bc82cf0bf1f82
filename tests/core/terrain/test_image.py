"""Heightmaps of every depth are read alike, and what is none is said in one sentence."""

import builtins
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from footfall.core.terrain.image import HeightmapError, read_heightfield

SLOPE = np.linspace(0.0, 1.0, 12).reshape(3, 4)


def write_image(path: Path, pixels: np.ndarray, kind: str) -> Path:
    oiio = pytest.importorskip("OpenImageIO")
    rows, columns, *channels = pixels.shape
    image = oiio.ImageOutput.create(str(path))
    assert image.open(str(path), oiio.ImageSpec(columns, rows, *(channels or [1]), kind))
    assert image.write_image(pixels.astype(np.float32).reshape(rows, columns, -1))
    image.close()
    return path


@pytest.mark.parametrize(
    ("name", "kind", "step"), [("a.png", "uint8", 1 / 255), ("a.png", "uint16", 1 / 65535), ("a.exr", "float", 1e-7)]
)
def test_images_of_every_depth(tmp_path: Path, name: str, kind: str, step: float):
    ground = read_heightfield(write_image(tmp_path / name, SLOPE, kind), cell_size=0.5, unit_height=4.0)
    np.testing.assert_allclose(ground.grid, 4.0 * SLOPE[::-1], atol=4.0 * step)
    np.testing.assert_allclose(ground.extent, [[-0.75, -0.5], [0.75, 0.5]])


def test_the_first_row_of_an_image_is_the_far_one(tmp_path: Path):
    ground = read_heightfield(write_image(tmp_path / "a.exr", SLOPE, "float"), cell_size=1.0)
    assert ground.heights_at(np.array([-1.5, 1.0])) == pytest.approx(SLOPE[0, 0])
    assert ground.heights_at(np.array([1.5, -1.0])) == pytest.approx(SLOPE[2, 3])


def test_exr_keeps_heights_beyond_white_and_its_infinities_are_holes(tmp_path: Path):
    pixels = np.array([[-3.0, 250.0], [np.inf, np.nan]])
    ground = read_heightfield(write_image(tmp_path / "a.exr", pixels, "float"), cell_size=1.0)
    np.testing.assert_array_equal(ground.grid, [[np.nan, np.nan], [-3.0, 250.0]])


def test_the_first_channel_of_colours_counts(tmp_path: Path):
    pixels = np.stack([SLOPE, 0 * SLOPE, 0 * SLOPE], axis=-1)
    ground = read_heightfield(write_image(tmp_path / "a.png", pixels, "uint16"), cell_size=1.0)
    np.testing.assert_allclose(ground.grid, SLOPE[::-1], atol=1e-4)


def test_the_shared_heightmaps(shared_data: Path):
    folder = shared_data / "terrain" / "heightmaps"
    ground = read_heightfield(folder / "bullet_ground0.txt", cell_size=0.2)
    assert ground.grid.shape == (401, 401)
    assert (round(ground.grid.min(), 2), round(ground.grid.max(), 2)) == (-5.76, 4.26)
    pytest.importorskip("OpenImageIO")
    assert read_heightfield(folder / "bullet_Maze.png", cell_size=0.1).grid.shape == (256, 256)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", "1 2\n3", "grid"),
        ("a.txt", "1 2\n3 four", "cannot be read as numbers"),
        ("a.txt", "1 2 3", "has 1 by 3 heights, too few for terrain"),
        ("a.txt", "", "grid"),
        ("a.txt", "nan nan\nnan nan", "too few"),
        ("a.png", "no image", "cannot be read"),
        ("a.exr", "no image", "cannot be read"),
    ],
)
def test_what_holds_no_heights_is_one_clear_sentence(tmp_path: Path, name: str, content: str, words: str):
    if not name.endswith(".txt"):
        pytest.importorskip("OpenImageIO")
    (tmp_path / name).write_text(content)
    with pytest.raises(HeightmapError, match=words) as error:
        read_heightfield(tmp_path / name, cell_size=1.0)
    assert "\n" not in str(error.value)


def test_an_image_that_is_cut_short(tmp_path: Path):
    path = write_image(tmp_path / "a.png", np.random.default_rng(0).random((64, 64)), "uint16")
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(HeightmapError, match="damaged"):
        read_heightfield(path, cell_size=1.0)


def test_without_its_library_images_say_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    real = builtins.__import__

    def without(name: str, *rest: object) -> object:
        if name == "OpenImageIO":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(HeightmapError, match="pip install OpenImageIO"):
        read_heightfield(tmp_path / "a.png", cell_size=1.0)


def test_an_image_of_too_many_pixels_is_not_unpacked(tmp_path: Path):
    side = 1 << 14
    header = struct.pack(">4sIIBBBBB", b"IHDR", side, side, 8, 0, 0, 0, 0)
    path = tmp_path / "a.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunk(part) for part in (header, b"IDAT", b"IEND")))
    with pytest.raises(HeightmapError, match="has 16384 by 16384 pixels, more than can be read: make it smaller"):
        read_heightfield(path, 1.0)


def chunk(content: bytes) -> bytes:
    """A part of a PNG file: its name and data with their length and check sum."""
    return struct.pack(">I", len(content) - 4) + content + struct.pack(">I", zlib.crc32(content))

"""Heightfields from files: images of 8 and 16 bit and EXR, and grids of numbers as text.

Images are read by OpenImageIO, which supports all of these, comes with Blender, and is on PyPI for the command line and
the trainer; Pillow cannot read EXR, and Blender's own loader is missing outside Blender. It is imported only when an
image is read.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from ..errors import FootfallError
from ..jobs.bounded_files import ContentError, open_regular, read_bytes
from ..motion.rotations import Array
from .heightfield import Heightfield

TEXT_SUFFIXES: Final = (".txt", ".csv", ".asc", ".xyz", ".dat")
"""Suffixes of files read as text."""
MAX_GRID_BYTES: Final = 1 << 26
"""Largest size of a text file, bytes: about 3000 by 3000 heights."""
MAX_PIXELS: Final = 1 << 26
"""Largest number of pixels of an image, since a small file may claim to have more than memory can hold."""


class HeightmapError(FootfallError):
    """Error: a file has no readable heights."""


def read_heightfield(path: Path, cell_size: float, unit_height: float = 1.0) -> Heightfield:
    """Read a heightfield, centered on the world's origin, from an image or a text grid.

    The first row of the file is at the far end (+Y), as the image is viewed.

    Args:
        path: a PNG, EXR or other image (its first channel is used; white is 1), or text with a row of numbers in each
            line, separated by commas or spaces; ``nan`` and non-finite pixels are holes.
        cell_size: spacing of pixels, or numbers, meters.
        unit_height: height of one unit of the file, white or the number 1, meters.

    Raises:
        HeightmapError: the file cannot be read, is not a grid of at least two by two, or OpenImageIO is missing.
    """
    grid = read_text_grid(path) if path.suffix.lower() in TEXT_SUFFIXES else read_image(path)
    if min(grid.shape) < 2 or np.isnan(grid).all():
        raise HeightmapError(
            "The heightmap '{path}' has {rows} by {columns} heights, too few for terrain: choose a larger one",
            path=path,
            rows=grid.shape[0],
            columns=grid.shape[1],
        )
    return Heightfield.centred(grid[::-1] * unit_height, cell_size)


def read_text_grid(path: Path) -> Array:
    """Read the numbers (R, C) of a text file, one row per line; raise :class:`HeightmapError` on failure."""
    try:
        lines = read_bytes(path, MAX_GRID_BYTES).decode("utf-8-sig").splitlines()
        rows = [[float(word) for word in line.replace(",", " ").replace(";", " ").split()] for line in lines]
    except (OSError, ValueError) as error:
        raise HeightmapError(
            "The heightmap '{path}' cannot be read as numbers ({error})", path=path, error=error
        ) from error
    rows = [row for row in rows if row]
    if len({len(row) for row in rows}) != 1:
        raise HeightmapError(
            "The heightmap '{path}' is not a grid: its lines have different numbers of heights", path=path
        )
    return _replace_non_finite(np.array(rows))


def read_image(path: Path) -> Array:
    """Read the first channel (R, C) of an image; integers of any depth are scaled to 0 to 1, floats are unchanged.

    Raises:
        HeightmapError: the image cannot be read, or OpenImageIO is missing.
    """
    try:
        import OpenImageIO  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise HeightmapError(
            "The heightmap '{path}' is an image, which this Python cannot read without OpenImageIO: pip install "
            "OpenImageIO, or give the heights as text",
            path=path,
        ) from error
    try:
        open_regular(path).close()
    except (OSError, ContentError) as error:
        raise HeightmapError("The heightmap '{path}' cannot be read ({error})", path=path, error=error) from error
    image = OpenImageIO.ImageInput.open(str(path))
    if image is None:
        raise HeightmapError(
            "The heightmap '{path}' cannot be read ({error})",
            path=path,
            error=_first_line(OpenImageIO.geterror),
        )
    try:
        spec = image.spec()
        if spec.width * spec.height > MAX_PIXELS:
            raise HeightmapError(
                "The heightmap '{path}' has {width} by {height} pixels, more than can be read: make it smaller",
                path=path,
                width=spec.width,
                height=spec.height,
            )
        pixels = image.read_image(0, 0, 0, 1, OpenImageIO.FLOAT)
        if pixels is None:
            raise HeightmapError(
                "The heightmap '{path}' is damaged ({error})", path=path, error=_first_line(image.geterror)
            )
    finally:
        image.close()
    return _replace_non_finite(np.array(pixels, dtype=float)[:, :, 0])


def _replace_non_finite(grid: Array) -> Array:
    """Return a grid with its non-finite numbers replaced with NaN."""
    return np.where(np.isfinite(grid), grid, np.nan)


def _first_line(geterror: Callable[[], str]) -> str:
    """Return the first line of OpenImageIO's last error, which may quote binary bytes of the file."""
    try:
        return geterror().strip().partition("\n")[0] or "no image"
    except UnicodeDecodeError:
        return "no image"

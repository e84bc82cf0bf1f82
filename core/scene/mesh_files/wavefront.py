"""Wavefront OBJ: vertices and faces; all other lines are skipped (Wavefront, Object Files, appendix B1)."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jobs.bounded_files import ContentError
from ...motion.rotations import Array

MAX_VERTICES: Final = 1 << 31
"""Upper bound of a vertex number in a face."""


def parse_wavefront(text: str) -> tuple[Array, NDArray[np.intp]]:
    """Parse OBJ text into vertices (V, 3), in the file's axes, and triangles (T, 3); polygons become fans.

    Raises:
        ContentError: a vertex or a face is damaged; the message names the line.
    """
    vertices: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        kind, *words = line.split() or [""]
        try:
            if kind == "v":
                x, y, z = map(float, words[:3])
                vertices.append([x, y, z])
            elif kind == "f":
                first, *rest = (_vertex_index(word, len(vertices)) for word in words)
                triangles += [(first, rest[place], rest[place + 1]) for place in range(len(rest) - 1)]
        except ValueError as error:
            raise ContentError("line {number} of the file is damaged", number=number) from error
    return np.array(vertices).reshape(-1, 3), np.array(triangles, dtype=np.intp).reshape(-1, 3)


def _vertex_index(word: str, count: int) -> int:
    """Return the vertex index, from 0, of a face's corner ``v/vt/vn``.

    A negative number counts back from the last vertex.
    """
    number = int(word.split("/")[0])
    if abs(number) > MAX_VERTICES:
        raise ValueError(word)
    return number - 1 if number > 0 else count + number

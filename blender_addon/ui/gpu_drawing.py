"""Lines, triangles and tags on the graphics card, in the units of the target space."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

import blf
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from numpy.typing import ArrayLike

from .colors import Color

FONT_ID: Final = 0
TAG_COLOR: Final = (0.05, 0.05, 0.05, 0.75)
TEXT_COLOR: Final = (1.0, 1.0, 1.0, 1.0)


@contextlib.contextmanager
def scene_depth(writes: bool = True) -> Iterator[None]:
    """During the body, blend what is drawn, and hide it behind the scene's objects.

    Args:
        writes: whether what is drawn hides later drawings behind it.
    """
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.state.depth_mask_set(writes)
    gpu.state.blend_set("ALPHA")
    try:
        yield
    finally:
        gpu.state.blend_set("NONE")
        gpu.state.depth_mask_set(False)
        gpu.state.depth_test_set("NONE")


def draw_lines(points: ArrayLike, color: Sequence[float], width: float, kind: str = "LINES") -> None:
    """Draw lines in a single color.

    Args:
        points: (N, 3), end points of segments, or with ``kind`` ``"LINE_STRIP"`` the points of a polyline.
        color: red, green, blue and opacity.
        width: pixels.
        kind: Blender's name of the primitive.
    """
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", width)
    shader.uniform_float("color", color)
    batch_for_shader(shader, kind, {"pos": np.asarray(points, np.float32)}).draw(shader)


def line_batch(points: ArrayLike, colors: ArrayLike) -> gpu.types.GPUBatch:
    """Return a batch of line segments for :func:`draw_line_batch`, from end points (N, 3) and their colors (N, 4)."""
    return _batch("POLYLINE_FLAT_COLOR", "LINES", points, colors)


def draw_line_batch(batch: gpu.types.GPUBatch, width: float) -> None:
    """Draw the segments in a :func:`line_batch`, ``width`` pixels wide."""
    shader = gpu.shader.from_builtin("POLYLINE_FLAT_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", width)
    batch.draw(shader)


def fill_batch(points: ArrayLike, colors: ArrayLike) -> gpu.types.GPUBatch:
    """Return a batch of triangles for :func:`draw_fill_batch`, from corners (3 N, 3) and their colors (3 N, 4)."""
    return _batch("FLAT_COLOR", "TRIS", points, colors)


def draw_fill_batch(batch: gpu.types.GPUBatch) -> None:
    """Draw the triangles in a :func:`fill_batch`."""
    batch.draw(gpu.shader.from_builtin("FLAT_COLOR"))


def draw_mesh(vertices: ArrayLike, colors: ArrayLike, triangles: Any) -> None:
    """Draw a mesh of vertices (V, 3) with colors (V, 4), and triangles (T, 3) that index the vertices."""
    shader = gpu.shader.from_builtin("SMOOTH_COLOR")
    batch_for_shader(shader, "TRIS", {"pos": vertices, "color": colors}, indices=triangles).draw(shader)


def draw_ghost(vertices: ArrayLike, colors: ArrayLike, triangles: Any) -> None:
    """Draw a closed mesh like :func:`draw_mesh`, but translucent and with only the nearest surface visible."""
    shader = gpu.shader.from_builtin("SMOOTH_COLOR")
    batch = batch_for_shader(shader, "TRIS", {"pos": vertices, "color": colors}, indices=triangles)
    gpu.state.depth_mask_set(True)
    gpu.state.color_mask_set(False, False, False, False)
    batch.draw(shader)
    gpu.state.color_mask_set(True, True, True, True)
    batch.draw(shader)


def draw_boxes(boxes: Sequence[tuple[float, float, float, float]], color: Sequence[float]) -> None:
    """Draw boxes (x, y, width, height), in pixels, in a single color."""
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    corners = [
        (*corner, 0.0)
        for x, y, width, height in boxes
        for corner in ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    ]
    first = 4 * np.arange(len(boxes))[:, None, None]
    triangles = (first + np.array([(0, 1, 2), (0, 2, 3)])).reshape(-1, 3).astype(np.int32)
    gpu.state.blend_set("ALPHA")
    shader.bind()
    shader.uniform_float("color", color)
    batch_for_shader(shader, "TRIS", {"pos": corners}, indices=triangles).draw(shader)
    gpu.state.blend_set("NONE")


def draw_tag(text: str, x: float, y: float, size: float, color: Color | None = None) -> None:
    """Draw a text on a dark box.

    Args:
        text: one line.
        x: the text's start, pixels.
        y: the text's baseline, pixels.
        size: size of the text, pixels.
        color: color of a bar at the left of the box; without a color, there is no bar.
    """
    blf.size(FONT_ID, size)
    height = 1.6 * size
    box = (x - 0.5 * size, y - 0.45 * size, blf.dimensions(FONT_ID, text)[0] + size, height)
    draw_boxes([box], TAG_COLOR)
    if color is not None:
        draw_boxes([(box[0], box[1], height / 6, height)], color)
    draw_text(text, x, y, size)


def draw_text(text: str, x: float, y: float, size: float, color: Sequence[float] = TEXT_COLOR) -> None:
    """Draw a line of text that starts at a point on its baseline, pixels."""
    blf.size(FONT_ID, size)
    blf.color(FONT_ID, *color)
    blf.position(FONT_ID, x, y, 0.0)
    blf.draw(FONT_ID, text)


def text_width(text: str, size: float) -> float:
    """Return the width in pixels of a line of text."""
    blf.size(FONT_ID, size)
    return blf.dimensions(FONT_ID, text)[0]


def _batch(shader: str, kind: str, points: ArrayLike, colors: ArrayLike) -> gpu.types.GPUBatch:
    content = {"pos": np.asarray(points, np.float32), "color": np.asarray(colors, np.float32)}
    return batch_for_shader(gpu.shader.from_builtin(shader), kind, content)

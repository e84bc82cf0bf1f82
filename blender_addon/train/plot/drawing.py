"""Drawing the plot into a corner of the 3D viewport; its layout is computed only after changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import blf
import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from .. import runs
from .colors import Color, colors_on
from .layout import Box, PlotDrawing, PlotLine, layout_plot

PLOT_WIDTH_PX: Final = 630.0  # pixels before the interface's scale
PLOT_HEIGHT_PX: Final = 300.0
PLOT_MARGIN_PX: Final = 16.0
MAX_VIEWPORT_SHARE: Final = 0.9  # of the viewport, at most
MIN_PLOT_SIZE_PX: Final = (180.0, 120.0)
FONT_ID: Final = 0
OVERLAPPING_REGIONS: Final = ("TOOLS", "ASSET_SHELF", "ASSET_SHELF_HEADER")


@dataclass(frozen=True, eq=False)
class _GpuPlot:
    """The layout for a key, and its batches by line width."""

    key: tuple[Any, ...]
    drawing: PlotDrawing
    fills: gpu.types.GPUBatch | None
    strokes: Sequence[tuple[float, gpu.types.GPUBatch]]


class _LastPlot:
    plot: _GpuPlot | None = None


def free_gpu_resources() -> None:
    """Free the buffers on the graphics card."""
    _LastPlot.plot = None


def draw(context: bpy.types.Context) -> None:
    """Draw the active run's curves, if they are switched on and there is space."""
    session = context.window_manager.footfall
    if not session.show_curves or session.active_training_run >= len(session.training_runs):
        return
    scale = context.preferences.system.ui_scale
    box = plot_corner(context, scale)
    if box is None:
        return
    paint(session.training_runs[session.active_training_run].name, box, scale, background_of(context))


def plot_corner(context: bpy.types.Context, scale: float) -> Box | None:
    """Return the box of the plot at the lower left of the viewport, beside other regions; ``None`` without space."""
    left, low = PLOT_MARGIN_PX * scale, PLOT_MARGIN_PX * scale
    for region in context.area.regions:
        overlaps = region.type in OVERLAPPING_REGIONS and region.width > 1 and region.height > 1
        if overlaps and region.type == "TOOLS" and region.x <= context.region.x + 1:
            left += region.width
        elif overlaps and region.type != "TOOLS":
            low += region.height
    sidebar = next((region.width for region in context.area.regions if region.type == "UI"), 0)
    room = context.region.width - left - PLOT_MARGIN_PX * scale - (sidebar if sidebar > 1 else 0)
    width, height = (
        min(PLOT_WIDTH_PX * scale, MAX_VIEWPORT_SHARE * room),
        min(PLOT_HEIGHT_PX * scale, MAX_VIEWPORT_SHARE * (context.region.height - low)),
    )
    if width < MIN_PLOT_SIZE_PX[0] * scale or height < MIN_PLOT_SIZE_PX[1] * scale:
        return None
    return Box(left, low, left + width, low + height)


def background_of(context: bpy.types.Context) -> tuple[float, float, float]:
    """Return the color of the viewport's background in the theme."""
    return tuple(context.preferences.themes[0].view_3d.space.gradients.high_gradient[:3])


def paint(run: str, box: Box, scale: float, background: Sequence[float]) -> None:
    """Paint the curves of a run into the current region."""
    curves = runs.curves_of(run)
    colours = colors_on(background)
    key = (run, id(curves), curves.revision, box, scale, id(colours))
    card = _LastPlot.plot
    if card is None or card.key != key:
        drawing = layout_plot(curves, box, run, scale, _text_width)
        card = _LastPlot.plot = _GpuPlot(key, drawing, _fills(drawing, colours), _strokes(drawing, colours, scale))
    gpu.state.blend_set("ALPHA")
    if card.fills is not None:
        card.fills.draw(gpu.shader.from_builtin("FLAT_COLOR"))
    shader = gpu.shader.from_builtin("POLYLINE_FLAT_COLOR")
    for width, batch in card.strokes:
        shader.bind()
        shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
        shader.uniform_float("lineWidth", width)
        batch.draw(shader)
    for text in card.drawing.texts:
        blf.size(FONT_ID, text.size)
        blf.color(FONT_ID, *colours[text.role])
        blf.position(FONT_ID, text.x, text.y, 0.0)
        blf.draw(FONT_ID, text.text)
    gpu.state.blend_set("NONE")


def _text_width(text: str, size: float) -> float:
    blf.size(FONT_ID, size)
    return blf.dimensions(FONT_ID, text)[0]


def _fills(drawing: PlotDrawing, colors: Any) -> gpu.types.GPUBatch | None:
    """Return two triangles for each box."""
    if not drawing.boxes:
        return None
    corners = [
        (x, y, 0.0)
        for box, _ in drawing.boxes
        for x, y in (
            *((box.left, box.low), (box.right, box.low), (box.right, box.high)),
            *((box.left, box.low), (box.right, box.high), (box.left, box.high)),
        )
    ]
    shades = np.repeat(np.array([colors[role] for _, role in drawing.boxes], dtype=np.float32), 6, axis=0)
    content = {"pos": np.array(corners, dtype=np.float32), "color": shades}
    return batch_for_shader(gpu.shader.from_builtin("FLAT_COLOR"), "TRIS", content)


def _strokes(drawing: PlotDrawing, colors: Any, scale: float) -> list[tuple[float, gpu.types.GPUBatch]]:
    """Return the lines of each width as one batch."""
    shader = gpu.shader.from_builtin("POLYLINE_FLAT_COLOR")
    result: list[tuple[float, gpu.types.GPUBatch]] = []
    for width in dict.fromkeys(line.width for line in drawing.lines):
        pieces = [_line_segments(line, colors[line.role]) for line in drawing.lines if line.width == width]
        places, shades = (np.concatenate(part) for part in zip(*pieces, strict=True))
        result.append((width * scale, batch_for_shader(shader, "LINES", {"pos": places, "color": shades})))
    return result


def _line_segments(line: PlotLine, color: Color) -> tuple[np.ndarray, np.ndarray]:
    """Return the segments of a curve: positions (2 (N - 1), 3) and colors."""
    points = np.repeat(line.points, 2, axis=0)[1:-1]
    places = np.concatenate([points, np.zeros((len(points), 1), dtype=np.float32)], axis=1)
    return places, np.tile(np.array(color, dtype=np.float32), (len(points), 1))

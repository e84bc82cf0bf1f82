"""Drawing of the plot into a corner of the 3D viewport; its layout is computed only after changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import bpy
import gpu
import numpy as np

from ...ui.gpu_drawing import draw_fill_batch, draw_line_batch, draw_text, fill_batch, line_batch, text_width
from ...ui.memo import Memo
from .. import runs
from .colors import Color, colors_on
from .layout import Box, PlotDrawing, PlotLine, layout_plot

PLOT_WIDTH_PX: Final = 630.0  # pixels before the interface's scale
PLOT_HEIGHT_PX: Final = 300.0
PLOT_MARGIN_PX: Final = 16.0
MAX_VIEWPORT_SHARE: Final = 0.9  # of the viewport, at most
MIN_PLOT_SIZE_PX: Final = (180.0, 120.0)
OVERLAPPING_REGIONS: Final = ("TOOLS", "ASSET_SHELF", "ASSET_SHELF_HEADER")


@dataclass(frozen=True, eq=False)
class _GpuPlot:
    """The laid out plot, and a batch of lines for each line width."""

    drawing: PlotDrawing
    fills: gpu.types.GPUBatch | None
    strokes: Sequence[tuple[float, gpu.types.GPUBatch]]


_plots: Memo[_GpuPlot] = Memo()


def free_gpu_resources() -> None:
    """Free the buffers in GPU memory."""
    _plots.clear()


def draw(context: bpy.types.Context) -> None:
    """Draw the curves of the active run, if they are switched on and there is room."""
    session = context.window_manager.footfall
    if not session.show_curves or session.active_training_run >= len(session.training_runs):
        return
    scale = context.preferences.system.ui_scale
    box = plot_corner(context, scale)
    if box is None:
        return
    paint(session.training_runs[session.active_training_run].name, box, scale, background_of(context))


def plot_corner(context: bpy.types.Context, scale: float) -> Box | None:
    """Return the box for the plot at the lower left of the viewport, beside other regions; ``None`` without room."""
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
    """Return the background color of the viewport in the user's theme."""
    return tuple(context.preferences.themes[0].view_3d.space.gradients.high_gradient[:3])


def paint(run: str, box: Box, scale: float, background: Sequence[float]) -> None:
    """Paint the curves of a run into the current region."""
    curves = runs.curves_of(run)
    colours = colors_on(background)
    key = (run, id(curves), curves.revision, box, scale, id(colours))
    plot = _plots.get(key, lambda: _make_plot(layout_plot(curves, box, run, scale, text_width), colours, scale))
    gpu.state.blend_set("ALPHA")
    if plot.fills is not None:
        draw_fill_batch(plot.fills)
    for width, batch in plot.strokes:
        draw_line_batch(batch, width)
    for text in plot.drawing.texts:
        draw_text(text.text, text.x, text.y, text.size, colours[text.role])
    gpu.state.blend_set("NONE")


def _make_plot(drawing: PlotDrawing, colors: Any, scale: float) -> _GpuPlot:
    return _GpuPlot(drawing, _fills(drawing, colors), _strokes(drawing, colors, scale))


def _fills(drawing: PlotDrawing, colors: Any) -> gpu.types.GPUBatch | None:
    """Return a batch with two triangles for each filled box; ``None`` if there is none."""
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
    return fill_batch(corners, shades)


def _strokes(drawing: PlotDrawing, colors: Any, scale: float) -> list[tuple[float, gpu.types.GPUBatch]]:
    """Return one batch of lines for each line width."""
    result: list[tuple[float, gpu.types.GPUBatch]] = []
    for width in dict.fromkeys(line.width for line in drawing.lines):
        pieces = [_line_segments(line, colors[line.role]) for line in drawing.lines if line.width == width]
        places, shades = (np.concatenate(part) for part in zip(*pieces, strict=True))
        result.append((width * scale, line_batch(places, shades)))
    return result


def _line_segments(line: PlotLine, color: Color) -> tuple[np.ndarray, np.ndarray]:
    """Return the segments of a curve: positions (2 (N - 1), 3), and a color for each."""
    points = np.repeat(line.points, 2, axis=0)[1:-1]
    places = np.concatenate([points, np.zeros((len(points), 1), dtype=np.float32)], axis=1)
    return places, np.tile(np.array(color, dtype=np.float32), (len(points), 1))

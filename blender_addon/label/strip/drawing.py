"""Drawing of the strip into Timeline and Dope Sheet.

Geometry of the labels is on the graphics card once per revision, in frames and rows. The view at a zoom and pan is an
image, painted when they change: during playback or mouse moves, a redraw is one rectangle.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import blf
import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix

from ...ui.colors import Color, Palette, palette_for, with_opacity
from ...ui.gpu_drawing import draw_line_batch
from ...ui.memo import Memo
from ...ui.operator_base import active_armature
from ...ui.translations import translate_interface
from . import batches
from .layout import COMPACT_ROW_HEIGHT_PX, READABLE_ROW_HEIGHT_PX, Hit, Layout, Row, Ruler, fit_layout
from .reading import read_strip_labels
from .shown import StripLabels
from .state import EditState

TEXT_SIZE_PT: Final = 11.0  # points of a name at a row of full height
TEXT_ROW_RATIO: Final = 0.78
MIN_TEXT_SIZE_PT: Final = 6.5
TEXT_PADDING_PX: Final = 4.0
TICK_HALF_WIDTH_PX: Final = 4.5  # half a triangle's width, pixels
MIN_TICK_SPACING_PX: Final = 9.0  # pixels from tick to tick under which triangles are left out
FONT_ID: Final = 0
EDITOR_MODES: Final = ("TIMELINE", "DOPESHEET", "ACTION")
MAX_CACHED: Final = 6

_Text = tuple[Color, float, float, str]


@dataclass(frozen=True, eq=False)
class StripView:
    """The state of an editor's strip at a redraw."""

    strip_labels: StripLabels
    layout: Layout
    ruler: Ruler
    palette: Palette
    scale: float
    width: int


@dataclass(frozen=True, eq=False)
class _GpuDrawing:
    """The geometry of the labels on the graphics card, in frames and units, for some rows and a palette."""

    drawing: batches.StripDrawing
    bars: gpu.types.GPUBatch | None
    ramp: gpu.types.GPUBatch | None
    lines: gpu.types.GPUBatch | None


@dataclass(eq=False)
class _StripImage:
    """A strip as an image for one editor, and its last painted view."""

    screen: gpu.types.GPUOffScreen
    batch: gpu.types.GPUBatch
    view: StripView | None = None


_gpu_drawings: Memo[tuple[StripView, _GpuDrawing]] = Memo(MAX_CACHED)
_layouts: Memo[tuple[StripLabels, Layout | None]] = Memo(MAX_CACHED)
"""Both keep the data that their keys identify."""
_images: dict[int, _StripImage] = {}
_requested_sizes: dict[int, tuple[int, int]] = {}


def free_gpu_resources() -> None:
    """Free the buffers in GPU memory."""
    if bpy.app.timers.is_registered(render_images):
        bpy.app.timers.unregister(render_images)
    for image in _images.values():
        image.screen.free()
    for cache in (_gpu_drawings, _layouts, _images, _requested_sizes):
        cache.clear()


def strip_view(context: bpy.types.Context, space: bpy.types.Space, region: bpy.types.Region) -> StripView | None:
    """Return the strip in a region of a Timeline or Dope Sheet; ``None`` without labels or without room."""
    armature = active_armature(context)
    data = armature.animation_data if armature else None
    if armature is None or data is None or data.action is None or not data.action.footfall.segments:
        return None
    if space.mode not in EDITOR_MODES:
        return None
    shown = read_strip_labels(armature, data.action) if EditState.preview is None else EditState.preview
    scale = context.preferences.system.ui_scale
    layout = _layout(shown, region.height, scale, space.mode == "TIMELINE")
    if layout is None:
        return None
    left, _ = region.view2d.region_to_view(0, 0)
    right, _ = region.view2d.region_to_view(region.width, 0)
    pixels = region.width / (right - left)
    palette = palette_for(context.preferences.themes[0].dopesheet_editor.space.back)
    return StripView(shown, layout, Ruler(pixels, -left * pixels), palette, scale, region.width)


def _layout(strip_labels: StripLabels, height: int, scale: float, is_timeline: bool) -> Layout | None:
    key = (id(strip_labels), height, scale, is_timeline)
    return _layouts.get(key, lambda: (strip_labels, fit_layout(strip_labels, height, scale, is_timeline)))[1]


def draw(context: bpy.types.Context) -> None:
    """Draw the strip of the active armature's action into the current region."""
    if not context.scene.footfall_label_overlays.show_strip:
        return
    scene = strip_view(context, context.space_data, context.region)
    if scene is None:
        return
    editor = context.area.as_pointer()
    gpu.state.blend_set("ALPHA")
    if not _show_image(scene, editor):
        _paint(scene)
    if EditState.running and EditState.area_pointer == editor:
        _draw_mouse(scene)
    gpu.state.blend_set("NONE")


def _show_image(view: StripView, editor: int) -> bool:
    """Draw the strip as an image, repainting the image if this editor showed another view before.

    Returns:
        False if there is no image of this size yet. It is created after drawing, since that unbinds the current frame
            buffer.
    """
    size = view.width, math.ceil(view.layout.top + TEXT_PADDING_PX * view.scale)
    image = _images.get(editor)
    if image is None or (image.screen.width, image.screen.height) != size:
        _requested_sizes[editor] = size
        if not bpy.app.timers.is_registered(render_images):
            bpy.app.timers.register(render_images, first_interval=0.0)
        return False
    if image.view is None or not _is_same_view(image.view, view):
        _paint_image(view, image.screen)
        image.view = view
    texture = image.screen.texture_color  # a reference during drawing
    shader = gpu.shader.from_builtin("IMAGE")
    gpu.state.blend_set("ALPHA_PREMULT")
    shader.bind()
    shader.uniform_sampler("image", texture)
    image.batch.draw(shader)
    gpu.state.blend_set("ALPHA")
    return True


def render_images() -> None:
    """Create the images that were requested; if that fails, strips are drawn without images."""
    for editor, size in _requested_sizes.items():
        if editor in _images:
            _images.pop(editor).screen.free()
        while len(_images) >= MAX_CACHED:
            _images.pop(next(iter(_images))).screen.free()
        try:
            screen = gpu.types.GPUOffScreen(*size)
        except (RuntimeError, SystemError):
            continue
        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)], dtype=np.float32)
        content = {"pos": batches.to_3d(corners * np.array(size, dtype=np.float32)), "texCoord": corners}
        _images[editor] = _StripImage(screen, batch_for_shader(gpu.shader.from_builtin("IMAGE"), "TRIS", content))
    _requested_sizes.clear()


def _paint_image(view: StripView, screen: gpu.types.GPUOffScreen) -> None:
    """Paint the strip into an image, and multiply its colors by their coverage."""
    with screen.bind(), gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.state.active_framebuffer_get().clear(color=(0.0, 0.0, 0.0, 0.0))
        size = Matrix.Diagonal((2 / screen.width, 2 / screen.height, 1, 1))
        gpu.matrix.load_matrix(Matrix.Translation((-1, -1, 0)) @ size)
        gpu.matrix.load_projection_matrix(Matrix.Identity(4))
        _paint(view)


def _paint(view: StripView) -> None:
    """Paint the strip in pixels, with its lower left corner at the origin."""
    card = _get_gpu_drawing(view)
    titles, patches = _draw_titles(view)
    beside = float(patches.positions[:, 0].max()) if titles else 0.0
    names = (
        _draw_names(view, card.drawing, beside)
        if view.layout.unit_height >= READABLE_ROW_HEIGHT_PX * view.scale
        else []
    )
    _fill_now(_draw_background(view))
    with gpu.matrix.push_pop():
        gpu.matrix.translate((view.ruler.origin, view.layout.margin_below))
        gpu.matrix.scale((view.ruler.pixels_per_frame, view.layout.unit_height))
        _fill(card.bars)
        _stroke(card.ramp, view, 1.2)
        if view.layout.unit_height >= COMPACT_ROW_HEIGHT_PX * view.scale:
            _stroke(card.lines, view, 1.0)
    _fill_now(batches.concatenate_shapes([_draw_ticks(view, ticks) for ticks in card.drawing.ticks]))
    _fill_now(patches)
    _draw_texts(view, [*names, *titles])


def _get_gpu_drawing(view: StripView) -> _GpuDrawing:
    key = (id(view.strip_labels), id(view.layout), id(view.palette))
    return _gpu_drawings.get(key, lambda: (view, _make_gpu_drawing(view)))[1]


def _make_gpu_drawing(view: StripView) -> _GpuDrawing:
    drawing = batches.build_drawing(view.strip_labels, view.layout.rows, view.palette)
    return _GpuDrawing(
        drawing,
        _batch("FLAT_COLOR", "TRIS", drawing.bars),
        _batch("POLYLINE_FLAT_COLOR", "LINES", drawing.ramp),
        _batch("POLYLINE_FLAT_COLOR", "LINES", drawing.lines),
    )


def _is_same_view(first: StripView, second: StripView) -> bool:
    return (
        first.strip_labels is second.strip_labels
        and first.layout is second.layout
        and first.palette is second.palette
        and (first.ruler, first.scale, first.width) == (second.ruler, second.scale, second.width)
    )


def _batch(shader: str, kind: str, shapes: batches.ColoredVertices) -> gpu.types.GPUBatch | None:
    if not len(shapes):
        return None
    content = {"pos": batches.to_3d(shapes.positions), "color": shapes.colors}
    return batch_for_shader(gpu.shader.from_builtin(shader), kind, content)


def _fill(batch: gpu.types.GPUBatch | None) -> None:
    if batch is not None:
        batch.draw(gpu.shader.from_builtin("FLAT_COLOR"))


def _fill_now(shapes: batches.ColoredVertices) -> None:
    _fill(_batch("FLAT_COLOR", "TRIS", shapes))


def _stroke(batch: gpu.types.GPUBatch | None, view: StripView, width: float) -> None:
    if batch is None:
        return
    draw_line_batch(batch, width * view.scale)


def _draw_background(view: StripView) -> batches.ColoredVertices:
    """Return the background boxes of the strip and of each row."""
    layout, width, palette = view.layout, view.width, view.palette
    rows = [(0.0, width, layout.y(row.low), layout.y(row.high)) for row in layout.rows]
    whole = (0.0, width, layout.margin_below, layout.top + TEXT_PADDING_PX / 2 * view.scale)
    return batches.quads([whole, *rows], [palette.background, *[palette.row] * len(rows)])


def _draw_box(left: float, low: float, right: float, high: float, color: Color) -> None:
    _fill_now(batches.quads([(left, right, low, high)], [color]))


def _draw_ticks(view: StripView, ticks: batches.Ticks) -> batches.ColoredVertices:
    """Return triangles that hang from the top of a row; none if they would be too close together."""
    first, last = np.searchsorted(ticks.frames, [view.ruler.frame_at(0.0), view.ruler.frame_at(view.width)])
    count = last - first
    if not count or view.width / count < MIN_TICK_SPACING_PX * view.scale:
        return batches.NO_VERTICES
    row = ticks.row
    xs = view.ruler.origin + view.ruler.pixels_per_frame * ticks.frames[first:last].astype(float)
    half = min(TICK_HALF_WIDTH_PX * view.scale, 0.4 * view.layout.unit_height)
    base = view.layout.y(row.high) + (0.25 * half if row.kind == "CONTACT" else 0.0)
    tip = base - 1.5 * half
    rim = batches.triangles_at(xs, tip - 1.6 * view.scale, base + view.scale, half + 1.4 * view.scale)
    body = batches.triangles_at(xs, tip, base, half)
    colours = np.repeat(np.concatenate([ticks.rims[first:last], ticks.colors[first:last]]), 3, axis=0)
    return batches.ColoredVertices(np.concatenate([rim, body]), colours)


def _draw_names(view: StripView, drawing: batches.StripDrawing, beside: float) -> list[_Text]:
    """Return the names of gaits and actions to draw in visible spans that are wide enough."""
    size, ruler, pad = _text_size(view), view.ruler, TEXT_PADDING_PX * view.scale
    blf.size(FONT_ID, size)
    texts: list[_Text] = []
    for row in drawing.names:
        left = np.maximum(ruler.origin + ruler.pixels_per_frame * row.starts, beside)
        right = np.minimum(ruler.origin + ruler.pixels_per_frame * row.ends, view.width)
        for number in np.flatnonzero(right - left > 2 * pad + 2 * size).tolist():
            name = row.names[number]
            width, _ = blf.dimensions(FONT_ID, name)
            if right[number] - left[number] > width + 2 * pad:
                middle = (left[number] + right[number] - width) / 2
                texts.append((view.palette.text, middle, _baseline(row.row, view.layout, size), name))
    return texts


def _draw_titles(view: StripView) -> tuple[list[_Text], batches.ColoredVertices]:
    """Return the title at the left of each row, and the background boxes of the titles."""
    layout, pad, size = view.layout, TEXT_PADDING_PX * view.scale, _text_size(view)
    rows = [
        row for row in layout.rows if row.title and row.height * layout.unit_height >= MIN_TEXT_SIZE_PT * view.scale
    ]
    if not rows or size < MIN_TEXT_SIZE_PT * view.scale:
        return [], batches.NO_VERTICES
    blf.size(FONT_ID, size)
    right = max(blf.dimensions(FONT_ID, row.title)[0] for row in rows) + 2 * pad
    boxes = [(0.0, right, layout.y(row.low), layout.y(row.high)) for row in rows]
    texts = [
        (
            view.palette.side_color(row.side) if row.side else view.palette.text,
            pad,
            _baseline(row, layout, size),
            row.title,
        )
        for row in rows
    ]
    return texts, batches.quads(boxes, [(*view.palette.background[:3], 1.0)] * len(boxes))


def _draw_texts(view: StripView, texts: Sequence[_Text]) -> None:
    blf.size(FONT_ID, _text_size(view))
    for colour, x, y, text in texts:
        blf.color(FONT_ID, *colour)
        blf.position(FONT_ID, x, y, 0)
        blf.draw(FONT_ID, text)


def _text_size(view: StripView) -> float:
    return min(TEXT_SIZE_PT * view.scale, TEXT_ROW_RATIO * view.layout.unit_height)


def _baseline(row: Row, layout: Layout, size: float) -> float:
    return layout.y(row.bottom + row.height / 2) - 0.34 * size


def _draw_mouse(view: StripView) -> None:
    """Draw the item under the mouse, or the range being painted, with a remark."""
    layout, ruler, colour = view.layout, view.ruler, view.palette.hover
    if EditState.highlight is not None:
        drawn = EditState.highlight
        low, high = layout.y(drawn.bottom), layout.y(drawn.bottom + drawn.height)
        _draw_box(ruler.x(drawn.start - 0.5), low, ruler.x(drawn.end + 0.5), high, with_opacity(colour, 1.4))
    elif EditState.hovered_hit is not None:
        for left, right in _highlight_extent(view, EditState.hovered_hit):
            row = EditState.hovered_hit.row
            _draw_box(left, layout.y(row.low), right, layout.y(row.high), colour)
    if EditState.note is not None:
        _draw_note(view, *EditState.note)


def _highlight_extent(view: StripView, hit: Hit) -> list[tuple[float, float]]:
    """Return left and right edges of the highlight: a span's whole body, or a narrow bar at an edge or tick."""
    ruler, half = view.ruler, 2.0 * view.scale
    if hit.kind == "EMPTY":
        return []
    if hit.kind in ("STRIKE", "SPOT"):
        at = view.strip_labels.strikes[hit.item].frame - 0.5 if hit.kind == "STRIKE" else hit.frame
        return [(ruler.x(at) - half, ruler.x(at) + half)]
    span = next((span for span in view.strip_labels.spans if span.index == hit.item), None)
    if span is None:
        return []
    left, right = ruler.x(span.start - 0.5), ruler.x(span.end + 0.5)
    if hit.kind == "SPAN":
        return [(left, right)]
    edge = left if hit.kind == "START" else right
    return [(edge - half, edge + half)]


def _draw_note(view: StripView, x: float, y: float, text: str) -> None:
    size, pad, text = TEXT_SIZE_PT * view.scale, TEXT_PADDING_PX * view.scale, translate_interface(text)
    blf.size(FONT_ID, size)
    width, _ = blf.dimensions(FONT_ID, text)
    left = min(max(x + 3 * pad, 0.0), view.width - width - 2 * pad)
    low = y + 2 * pad
    _draw_box(left, low, left + width + 2 * pad, low + 1.6 * size, view.palette.background)
    blf.color(FONT_ID, *view.palette.text)
    blf.position(FONT_ID, left + pad, low + 0.45 * size, 0)
    blf.draw(FONT_ID, text)

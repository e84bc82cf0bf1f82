"""Drawing the strip into Timeline and Dope Sheet.

What depends on the labels is on the graphics card once for each revision, in frames and rows; a redraw only says where
frame 0 is and how wide a frame. Text and small triangles, which must not be stretched, are made for what is in view.
"""

from dataclasses import dataclass
from typing import Final

import blf
import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ..guard import active_armature
from . import batches
from .colours import Colour, Palette, faded, palette_on
from .layout import READABLE, SHARE, Hit, Layout, Row, Ruler, fit
from .reading import shown_of
from .shown import Shown
from .state import Editing

TEXT: Final = 11.0  # points of a name at a row of full height
TEXT_OF_ROW: Final = 0.72
SMALLEST_TEXT: Final = 7.5
PADDING: Final = 4.0
TICK: Final = 4.5  # half a triangle's width, pixels
TICKS_APART: Final = 3.0  # pixels from tick to tick under which triangles are left out
FONT: Final = 0
REMEMBERED: Final = 6


@dataclass(frozen=True, eq=False)
class Scene:
    """What the strip of one editor is made of at this redraw."""

    shown: Shown
    layout: Layout
    ruler: Ruler
    palette: Palette
    scale: float
    width: int


@dataclass(frozen=True, eq=False)
class _OnCard:
    shown: Shown  # kept, so that no other labels can have its identity
    drawing: batches.Drawing
    rows: gpu.types.GPUBatch | None
    bars: gpu.types.GPUBatch | None
    ramp: gpu.types.GPUBatch | None
    lines: gpu.types.GPUBatch | None


_cache: dict[tuple, _OnCard] = {}


def forget() -> None:
    """Frees what is on the graphics card."""
    _cache.clear()


def scene_of(context: bpy.types.Context, space: bpy.types.Space, region: bpy.types.Region) -> Scene | None:
    """The strip of a region of a Timeline or Dope Sheet; ``None`` where there are no labels or there is no room."""
    armature = active_armature(context)
    data = armature.animation_data if armature else None
    if armature is None or data is None or data.action is None or not data.action.footfall.segments:
        return None
    shown = shown_of(armature, data.action) if Editing.preview is None else Editing.preview
    scale = context.preferences.system.ui_scale
    share = 1.0 if space.mode == "TIMELINE" else SHARE
    layout = fit(shown, region.height, scale, share)
    if layout is None:
        return None
    left, _ = region.view2d.region_to_view(0, 0)
    right, _ = region.view2d.region_to_view(region.width, 0)
    pixels = region.width / (right - left)
    palette = palette_on(context.preferences.themes[0].dopesheet_editor.space.back)
    ruler = Ruler(pixels, -left * pixels)
    return Scene(shown, layout, ruler, palette, scale, region.width)


def draw(context: bpy.types.Context) -> None:
    """Draws the strip of the active armature's action into the region that is being drawn."""
    if not context.scene.footfall_overlays.show_strip:
        return
    scene = scene_of(context, context.space_data, context.region)
    if scene is None:
        return
    card = _on_card(scene)
    gpu.state.blend_set("ALPHA")
    _draw_back(scene, card)
    with gpu.matrix.push_pop():
        gpu.matrix.translate((scene.ruler.origin, 0.0))
        gpu.matrix.scale((scene.ruler.pixels, scene.layout.unit))
        _fill(card.bars)
        _stroke(card.ramp, scene, 1.2)
        _stroke(card.lines, scene, 1.0)
    for ticks in card.drawing.ticks:
        _draw_ticks(scene, ticks)
    if Editing.running and Editing.area == context.area.as_pointer():
        _draw_mouse(scene)
    if scene.layout.unit >= READABLE * scene.scale:
        _draw_names(scene, card.drawing)
    _draw_titles(scene)
    if Editing.running and Editing.area == context.area.as_pointer() and Editing.note is not None:
        _draw_note(scene, *Editing.note)
    gpu.state.blend_set("NONE")


def _on_card(scene: Scene) -> _OnCard:
    key = (id(scene.shown), scene.layout.rows, id(scene.palette))
    if key not in _cache:
        while len(_cache) >= REMEMBERED:
            del _cache[next(iter(_cache))]
        drawing = batches.build(scene.shown, scene.layout.rows, scene.palette)
        _cache[key] = _OnCard(
            scene.shown,
            drawing,
            _batch("FLAT_COLOR", "TRIS", drawing.rows),
            _batch("FLAT_COLOR", "TRIS", drawing.bars),
            _batch("POLYLINE_FLAT_COLOR", "LINES", drawing.ramp),
            _batch("POLYLINE_FLAT_COLOR", "LINES", drawing.lines),
        )
    return _cache[key]


def _batch(shader: str, kind: str, shapes: batches.Shapes) -> gpu.types.GPUBatch | None:
    if not len(shapes):
        return None
    content = {"pos": batches.flat(shapes.places), "color": shapes.colours}
    return batch_for_shader(gpu.shader.from_builtin(shader), kind, content)


def _fill(batch: gpu.types.GPUBatch | None) -> None:
    if batch is not None:
        batch.draw(gpu.shader.from_builtin("FLAT_COLOR"))


def _stroke(batch: gpu.types.GPUBatch | None, scene: Scene, width: float) -> None:
    if batch is None:
        return
    shader = gpu.shader.from_builtin("POLYLINE_FLAT_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", width * scene.scale)
    batch.draw(shader)


def _draw_back(scene: Scene, card: _OnCard) -> None:
    _draw_box(0.0, 0.0, scene.width, scene.layout.height + PADDING / 2 * scene.scale, scene.palette.back)
    with gpu.matrix.push_pop():
        gpu.matrix.scale((scene.width, scene.layout.unit))
        _fill(card.rows)


def _draw_box(left: float, low: float, right: float, high: float, colour: Colour) -> None:
    _fill(_batch("FLAT_COLOR", "TRIS", batches.quads([(left, right, low, high)], [colour])))


def _draw_ticks(scene: Scene, ticks: batches.Ticks) -> None:
    """Triangles that hang from the row's top, where they are far enough from each other to be told apart."""
    first, last = np.searchsorted(ticks.places, [scene.ruler.at(0.0), scene.ruler.at(scene.width)])
    count = last - first
    if not count or scene.width / count < TICKS_APART * scene.scale:
        return
    row, unit = ticks.row, scene.layout.unit
    xs = scene.ruler.origin + scene.ruler.pixels * ticks.places[first:last].astype(float)
    half = min(TICK * scene.scale, 0.5 * unit)
    base = row.high * unit + (0.25 * half if row.kind == "CONTACT" else 0.0)
    tip = base - 1.5 * half
    rim = batches.triangles_at(xs, tip - 1.6 * scene.scale, base + scene.scale, half + 1.4 * scene.scale)
    body = batches.triangles_at(xs, tip, base, half)
    edge = np.tile(np.array(scene.palette.back, dtype=np.float32), (len(rim), 1))
    colours = np.repeat(ticks.colours[first:last], 3, axis=0)
    _fill(_batch("FLAT_COLOR", "TRIS", batches.Shapes(np.concatenate([rim, body]), np.concatenate([edge, colours]))))


def _draw_names(scene: Scene, drawing: batches.Drawing) -> None:
    """The names of gaits and actions, in those spans in view that are wide enough."""
    size = _text_size(scene)
    blf.size(FONT, size)
    blf.color(FONT, *scene.palette.text)
    ruler, unit, pad = scene.ruler, scene.layout.unit, PADDING * scene.scale
    for row in drawing.names:
        left = np.maximum(ruler.origin + ruler.pixels * row.starts, 0.0)
        right = np.minimum(ruler.origin + ruler.pixels * row.ends, scene.width)
        for number in np.flatnonzero(right - left > 2 * pad + 2 * size).tolist():
            name = row.names[number]
            width, _ = blf.dimensions(FONT, name)
            if right[number] - left[number] > width + 2 * pad:
                middle = (left[number] + right[number] - width) / 2
                blf.position(FONT, middle, _baseline(row.row, unit, size), 0)
                blf.draw(FONT, name)


def _draw_titles(scene: Scene) -> None:
    """Each row's name at the left, on a patch of background."""
    unit, pad, size = scene.layout.unit, PADDING * scene.scale, _text_size(scene)
    rows = [row for row in scene.layout.rows if row.title and row.height * unit >= SMALLEST_TEXT * scene.scale]
    if not rows or size < SMALLEST_TEXT * scene.scale:
        return
    blf.size(FONT, size)
    widths = [blf.dimensions(FONT, row.title)[0] for row in rows]
    right = max(widths) + 2 * pad
    back = faded(scene.palette.back, 0.9)
    boxes = [(0.0, right, row.low * unit, row.high * unit) for row in rows]
    _fill(_batch("FLAT_COLOR", "TRIS", batches.quads(boxes, [back] * len(boxes))))
    for row in rows:
        colour = scene.palette.side(row.side) if row.side else scene.palette.text
        blf.color(FONT, *colour)
        blf.position(FONT, pad, _baseline(row, unit, size), 0)
        blf.draw(FONT, row.title)


def _text_size(scene: Scene) -> float:
    return min(TEXT * scene.scale, TEXT_OF_ROW * scene.layout.unit)


def _baseline(row: Row, unit: float, size: float) -> float:
    return (row.bottom + row.height / 2) * unit - 0.34 * size


def _draw_mouse(scene: Scene) -> None:
    """What is under the mouse, and the range that it has been drawn over."""
    unit, ruler, colour = scene.layout.unit, scene.ruler, scene.palette.hover
    if Editing.range is not None:
        drawn = Editing.range
        low, high = drawn.bottom * unit, (drawn.bottom + drawn.height) * unit
        _draw_box(ruler.x(drawn.start - 0.5), low, ruler.x(drawn.end + 0.5), high, faded(colour, 1.4))
        return
    if Editing.hover is not None:
        for left, right in _under(scene, Editing.hover):
            row = Editing.hover.row
            _draw_box(left, row.low * unit, right, row.high * unit, colour)


def _under(scene: Scene, found: Hit) -> list[tuple[float, float]]:
    """Left and right of what is highlighted: a body as a whole, an edge or a tick as a bar of a few pixels."""
    ruler, half = scene.ruler, 2.0 * scene.scale
    if found.what == "EMPTY":
        return []
    if found.what in ("STRIKE", "SPOT"):
        at = scene.shown.strikes[found.item].frame - 0.5 if found.what == "STRIKE" else found.frame
        return [(ruler.x(at) - half, ruler.x(at) + half)]
    span = next((span for span in scene.shown.spans if span.index == found.item), None)
    if span is None:
        return []
    left, right = ruler.x(span.start - 0.5), ruler.x(span.end + 0.5)
    if found.what == "SPAN":
        return [(left, right)]
    edge = left if found.what == "START" else right
    return [(edge - half, edge + half)]


def _draw_note(scene: Scene, x: float, y: float, text: str) -> None:
    size, pad = TEXT * scene.scale, PADDING * scene.scale
    blf.size(FONT, size)
    width, _ = blf.dimensions(FONT, text)
    left = min(max(x + 3 * pad, 0.0), scene.width - width - 2 * pad)
    low = y + 2 * pad
    _draw_box(left, low, left + width + 2 * pad, low + 1.6 * size, scene.palette.back)
    blf.color(FONT, *scene.palette.text)
    blf.position(FONT, left + pad, low + 0.45 * size, 0)
    blf.draw(FONT, text)

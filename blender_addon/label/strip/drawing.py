"""Drawing the strip into Timeline and Dope Sheet.

What depends on the labels is on the graphics card once for each revision, in frames and rows. What depends on zoom and
pan too is an image, painted when they change: while Blender plays or the mouse moves, a redraw is one rectangle.
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

from ...ui.colors import Colour, Palette, faded, palette_on
from ...ui.operator_base import active_armature
from . import batches
from .layout import COMPACT, READABLE, Hit, Layout, Row, Ruler, fit
from .reading import shown_of
from .shown import Shown
from .state import Editing

TEXT: Final = 11.0  # points of a name at a row of full height
TEXT_OF_ROW: Final = 0.78
SMALLEST_TEXT: Final = 6.5
PADDING: Final = 4.0
TICK: Final = 4.5  # half a triangle's width, pixels
TICKS_APART: Final = 9.0  # pixels from tick to tick under which triangles are left out
FONT: Final = 0
MODES: Final = ("TIMELINE", "DOPESHEET", "ACTION")
REMEMBERED: Final = 6

_Text = tuple[Colour, float, float, str]


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
    """The labels on the graphics card, in frames and units, for some rows and a palette."""

    shown: Shown
    drawing: batches.Drawing
    bars: gpu.types.GPUBatch | None
    ramp: gpu.types.GPUBatch | None
    lines: gpu.types.GPUBatch | None


@dataclass(eq=False)
class _Image:
    """A strip as an image for one editor, and what was painted into it last."""

    screen: gpu.types.GPUOffScreen
    batch: gpu.types.GPUBatch
    scene: Scene | None = None


_cards: dict[tuple, _OnCard] = {}
_layouts: dict[tuple, tuple[Shown, Layout | None]] = {}
_images: dict[int, _Image] = {}
_wanted: dict[int, tuple[int, int]] = {}


def forget() -> None:
    """Frees what is on the graphics card."""
    if bpy.app.timers.is_registered(make_images):
        bpy.app.timers.unregister(make_images)
    for image in _images.values():
        image.screen.free()
    for cache in (_cards, _layouts, _images, _wanted):
        cache.clear()


def scene_of(context: bpy.types.Context, space: bpy.types.Space, region: bpy.types.Region) -> Scene | None:
    """The strip of a region of a Timeline or Dope Sheet; ``None`` where there are no labels or there is no room."""
    armature = active_armature(context)
    data = armature.animation_data if armature else None
    if armature is None or data is None or data.action is None or not data.action.footfall.segments:
        return None
    if space.mode not in MODES:
        return None
    shown = shown_of(armature, data.action) if Editing.preview is None else Editing.preview
    scale = context.preferences.system.ui_scale
    layout = _layout(shown, region.height, scale, space.mode == "TIMELINE")
    if layout is None:
        return None
    left, _ = region.view2d.region_to_view(0, 0)
    right, _ = region.view2d.region_to_view(region.width, 0)
    pixels = region.width / (right - left)
    palette = palette_on(context.preferences.themes[0].dopesheet_editor.space.back)
    return Scene(shown, layout, Ruler(pixels, -left * pixels), palette, scale, region.width)


def _layout(shown: Shown, height: int, scale: float, is_timeline: bool) -> Layout | None:
    key = (id(shown), height, scale, is_timeline)
    if key not in _layouts:
        _make_room(_layouts)
        _layouts[key] = shown, fit(shown, height, scale, is_timeline)
    return _layouts[key][1]


def _make_room(cache: dict) -> None:
    while len(cache) >= REMEMBERED:
        del cache[next(iter(cache))]


def draw(context: bpy.types.Context) -> None:
    """Draws the strip of the active armature's action into the region that is being drawn."""
    if not context.scene.footfall_overlays.show_strip:
        return
    scene = scene_of(context, context.space_data, context.region)
    if scene is None:
        return
    editor = context.area.as_pointer()
    gpu.state.blend_set("ALPHA")
    if not _show_image(scene, editor):
        _paint(scene)
    if Editing.running and Editing.area == editor:
        _draw_mouse(scene)
    gpu.state.blend_set("NONE")


def _show_image(scene: Scene, editor: int) -> bool:
    """Draws the strip as an image, painted again where it is not what this editor showed last.

    Returns:
        False where there is no image of this size yet. It is made after drawing: making one lets go of what is being
        drawn into.
    """
    size = scene.width, math.ceil(scene.layout.top + PADDING * scene.scale)
    image = _images.get(editor)
    if image is None or (image.screen.width, image.screen.height) != size:
        _wanted[editor] = size
        if not bpy.app.timers.is_registered(make_images):
            bpy.app.timers.register(make_images, first_interval=0.0)
        return False
    if image.scene is None or not _same(image.scene, scene):
        _paint_image(scene, image.screen)
        image.scene = scene
    texture = image.screen.texture_color  # to be kept while it is drawn
    shader = gpu.shader.from_builtin("IMAGE")
    gpu.state.blend_set("ALPHA_PREMULT")
    shader.bind()
    shader.uniform_sampler("image", texture)
    image.batch.draw(shader)
    gpu.state.blend_set("ALPHA")
    return True


def make_images() -> None:
    """Makes the images that editors have asked for; where the graphics are busy, the strip goes on without."""
    for editor, size in _wanted.items():
        if editor in _images:
            _images.pop(editor).screen.free()
        while len(_images) >= REMEMBERED:
            _images.pop(next(iter(_images))).screen.free()
        try:
            screen = gpu.types.GPUOffScreen(*size)
        except (RuntimeError, SystemError):
            continue
        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)], dtype=np.float32)
        content = {"pos": batches.flat(corners * np.array(size, dtype=np.float32)), "texCoord": corners}
        _images[editor] = _Image(screen, batch_for_shader(gpu.shader.from_builtin("IMAGE"), "TRIS", content))
    _wanted.clear()


def _paint_image(scene: Scene, screen: gpu.types.GPUOffScreen) -> None:
    """Paints the strip into an image; its colours are then multiplied by how much they cover."""
    with screen.bind(), gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.state.active_framebuffer_get().clear(color=(0.0, 0.0, 0.0, 0.0))
        size = Matrix.Diagonal((2 / screen.width, 2 / screen.height, 1, 1))
        gpu.matrix.load_matrix(Matrix.Translation((-1, -1, 0)) @ size)
        gpu.matrix.load_projection_matrix(Matrix.Identity(4))
        _paint(scene)


def _paint(scene: Scene) -> None:
    """Paints the strip, its left bottom corner at the origin, a unit a pixel."""
    card = _on_card(scene)
    titles, patches = _titles(scene)
    beside = float(patches.places[:, 0].max()) if titles else 0.0
    names = _names(scene, card.drawing, beside) if scene.layout.unit >= READABLE * scene.scale else []
    _fill_now(_back(scene))
    with gpu.matrix.push_pop():
        gpu.matrix.translate((scene.ruler.origin, scene.layout.below))
        gpu.matrix.scale((scene.ruler.pixels, scene.layout.unit))
        _fill(card.bars)
        _stroke(card.ramp, scene, 1.2)
        if scene.layout.unit >= COMPACT * scene.scale:
            _stroke(card.lines, scene, 1.0)
    _fill_now(batches.joined([_ticks(scene, ticks) for ticks in card.drawing.ticks]))
    _fill_now(patches)
    _write(scene, [*names, *titles])


def _on_card(scene: Scene) -> _OnCard:
    key = (id(scene.shown), id(scene.layout), id(scene.palette))
    if key not in _cards:
        _make_room(_cards)
        drawing = batches.build(scene.shown, scene.layout.rows, scene.palette)
        _cards[key] = _OnCard(
            scene.shown,
            drawing,
            _batch("FLAT_COLOR", "TRIS", drawing.bars),
            _batch("POLYLINE_FLAT_COLOR", "LINES", drawing.ramp),
            _batch("POLYLINE_FLAT_COLOR", "LINES", drawing.lines),
        )
    return _cards[key]


def _same(one: Scene, other: Scene) -> bool:
    return (
        one.shown is other.shown
        and one.layout is other.layout
        and one.palette is other.palette
        and (one.ruler, one.scale, one.width) == (other.ruler, other.scale, other.width)
    )


def _batch(shader: str, kind: str, shapes: batches.Shapes) -> gpu.types.GPUBatch | None:
    if not len(shapes):
        return None
    content = {"pos": batches.flat(shapes.places), "color": shapes.colours}
    return batch_for_shader(gpu.shader.from_builtin(shader), kind, content)


def _fill(batch: gpu.types.GPUBatch | None) -> None:
    if batch is not None:
        batch.draw(gpu.shader.from_builtin("FLAT_COLOR"))


def _fill_now(shapes: batches.Shapes) -> None:
    _fill(_batch("FLAT_COLOR", "TRIS", shapes))


def _stroke(batch: gpu.types.GPUBatch | None, scene: Scene, width: float) -> None:
    if batch is None:
        return
    shader = gpu.shader.from_builtin("POLYLINE_FLAT_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", width * scene.scale)
    batch.draw(shader)


def _back(scene: Scene) -> batches.Shapes:
    """Behind everything, and behind each row."""
    layout, width, palette = scene.layout, scene.width, scene.palette
    rows = [(0.0, width, layout.y(row.low), layout.y(row.high)) for row in layout.rows]
    whole = (0.0, width, layout.below, layout.top + PADDING / 2 * scene.scale)
    return batches.quads([whole, *rows], [palette.back, *[palette.row] * len(rows)])


def _draw_box(left: float, low: float, right: float, high: float, colour: Colour) -> None:
    _fill_now(batches.quads([(left, right, low, high)], [colour]))


def _ticks(scene: Scene, ticks: batches.Ticks) -> batches.Shapes:
    """Triangles that hang from the row's top, where they are far enough from each other to be told apart."""
    first, last = np.searchsorted(ticks.places, [scene.ruler.at(0.0), scene.ruler.at(scene.width)])
    count = last - first
    if not count or scene.width / count < TICKS_APART * scene.scale:
        return batches.EMPTY
    row = ticks.row
    xs = scene.ruler.origin + scene.ruler.pixels * ticks.places[first:last].astype(float)
    half = min(TICK * scene.scale, 0.4 * scene.layout.unit)
    base = scene.layout.y(row.high) + (0.25 * half if row.kind == "CONTACT" else 0.0)
    tip = base - 1.5 * half
    rim = batches.triangles_at(xs, tip - 1.6 * scene.scale, base + scene.scale, half + 1.4 * scene.scale)
    body = batches.triangles_at(xs, tip, base, half)
    colours = np.repeat(np.concatenate([ticks.rims[first:last], ticks.colours[first:last]]), 3, axis=0)
    return batches.Shapes(np.concatenate([rim, body]), colours)


def _names(scene: Scene, drawing: batches.Drawing, beside: float) -> list[_Text]:
    """The names of gaits and actions, in those spans that are wide enough in view and beside the titles."""
    size, ruler, pad = _text_size(scene), scene.ruler, PADDING * scene.scale
    blf.size(FONT, size)
    texts: list[_Text] = []
    for row in drawing.names:
        left = np.maximum(ruler.origin + ruler.pixels * row.starts, beside)
        right = np.minimum(ruler.origin + ruler.pixels * row.ends, scene.width)
        for number in np.flatnonzero(right - left > 2 * pad + 2 * size).tolist():
            name = row.names[number]
            width, _ = blf.dimensions(FONT, name)
            if right[number] - left[number] > width + 2 * pad:
                middle = (left[number] + right[number] - width) / 2
                texts.append((scene.palette.text, middle, _baseline(row.row, scene.layout, size), name))
    return texts


def _titles(scene: Scene) -> tuple[list[_Text], batches.Shapes]:
    """Each row's name at the left, and patches of background behind them."""
    layout, pad, size = scene.layout, PADDING * scene.scale, _text_size(scene)
    rows = [row for row in layout.rows if row.title and row.height * layout.unit >= SMALLEST_TEXT * scene.scale]
    if not rows or size < SMALLEST_TEXT * scene.scale:
        return [], batches.EMPTY
    blf.size(FONT, size)
    right = max(blf.dimensions(FONT, row.title)[0] for row in rows) + 2 * pad
    boxes = [(0.0, right, layout.y(row.low), layout.y(row.high)) for row in rows]
    texts = [
        (
            scene.palette.side(row.side) if row.side else scene.palette.text,
            pad,
            _baseline(row, layout, size),
            row.title,
        )
        for row in rows
    ]
    return texts, batches.quads(boxes, [(*scene.palette.back[:3], 1.0)] * len(boxes))


def _write(scene: Scene, texts: Sequence[_Text]) -> None:
    blf.size(FONT, _text_size(scene))
    for colour, x, y, text in texts:
        blf.color(FONT, *colour)
        blf.position(FONT, x, y, 0)
        blf.draw(FONT, text)


def _text_size(scene: Scene) -> float:
    return min(TEXT * scene.scale, TEXT_OF_ROW * scene.layout.unit)


def _baseline(row: Row, layout: Layout, size: float) -> float:
    return layout.y(row.bottom + row.height / 2) - 0.34 * size


def _draw_mouse(scene: Scene) -> None:
    """What is under the mouse, or the range that it has been drawn over, and a remark."""
    layout, ruler, colour = scene.layout, scene.ruler, scene.palette.hover
    if Editing.range is not None:
        drawn = Editing.range
        low, high = layout.y(drawn.bottom), layout.y(drawn.bottom + drawn.height)
        _draw_box(ruler.x(drawn.start - 0.5), low, ruler.x(drawn.end + 0.5), high, faded(colour, 1.4))
    elif Editing.hover is not None:
        for left, right in _under(scene, Editing.hover):
            row = Editing.hover.row
            _draw_box(left, layout.y(row.low), right, layout.y(row.high), colour)
    if Editing.note is not None:
        _draw_note(scene, *Editing.note)


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

"""Coloured bands in Timeline and Dope Sheet: the active armature's gaits and foot contacts."""

import sys
import traceback
from typing import Final

import blf
import bpy
import gpu
from gpu_extras.batch import batch_for_shader

from .guard import active_armature

HEIGHT: Final = 8.0
LOWEST: Final = 3.0
GAP: Final = 1.0
HEADER: Final = 30.0  # the frame numbers at the region's top
LABEL_SIZE: Final = 10
GAITS: Final = {
    "stand": (0.55, 0.55, 0.58, 0.9),
    "walk": (0.32, 0.65, 0.38, 0.9),
    "run": (0.88, 0.60, 0.20, 0.9),
    "crouch": (0.58, 0.42, 0.74, 0.9),
}
OTHER: Final = (0.45, 0.60, 0.70, 0.9)
LEFT: Final = (0.30, 0.55, 0.90, 0.9)
RIGHT: Final = (0.90, 0.45, 0.30, 0.9)
# Rows from the bottom: what is drawn in each.
ROWS: Final = {"foot.R": 0, "toe.R": 0, "foot.L": 1, "toe.L": 1, "GAIT": 2}


class _Registered:
    handle: object | None = None


def register() -> None:
    """Adds the drawing to every Timeline and Dope Sheet; nothing where Blender has no windows."""
    if not bpy.app.background:
        _Registered.handle = bpy.types.SpaceDopeSheetEditor.draw_handler_add(_draw_once, (), "WINDOW", "POST_PIXEL")


def unregister() -> None:
    """Takes the drawing out again."""
    if _Registered.handle is not None:
        bpy.types.SpaceDopeSheetEditor.draw_handler_remove(_Registered.handle, "WINDOW")
        _Registered.handle = None


def _draw_once() -> None:
    """Draws, or, after an error, says so once and never draws again: a broken overlay must not fill the console."""
    try:
        draw(bpy.context)
    except Exception:
        traceback.print_exc()
        print("Footfall: the bands in the timeline are switched off after this error.", file=sys.stderr)
        unregister()


def draw(context: bpy.types.Context) -> None:
    """Draws the bands of the active armature's action into the region that is being drawn."""
    armature = active_armature(context)
    data = armature.animation_data if armature else None
    if data is None or data.action is None or not data.action.footfall.segments:
        return
    region = context.region
    scale = context.preferences.system.ui_scale
    # In a low timeline the bands give way to the frame numbers.
    height = min(max((region.height / scale - HEADER) / 3 - GAP, LOWEST), HEIGHT)
    unit = scale * height / HEIGHT
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    gpu.state.blend_set("ALPHA")
    for colour, bands in _bands(data.action, region.view2d, region.width, unit).items():
        corners = [corner for left, right, low, high in bands for corner in _corners(left, right, low, high)]
        triangles = [(4 * n + a, 4 * n + b, 4 * n + c) for n in range(len(bands)) for a, b, c in ((0, 1, 2), (0, 2, 3))]
        shader.uniform_float("color", colour)
        batch_for_shader(shader, "TRIS", {"pos": corners}, indices=triangles).draw(shader)
    gpu.state.blend_set("NONE")
    _draw_names(data.action, region.view2d, region.width, unit)


Band = tuple[float, float, float, float]


def _bands(
    action: bpy.types.Action, view: bpy.types.View2D, width: int, unit: float
) -> dict[tuple[float, ...], list[Band]]:
    """Left, right, bottom and top in pixels of the segments in view, by colour."""
    bands: dict[tuple[float, ...], list[Band]] = {}
    for segment in action.footfall.segments:
        row = ROWS.get(segment.name if segment.kind == "CONTACT" else segment.kind)
        if row is None:
            continue
        left, right = _edges(segment, view)
        if right < 0 or left > width:
            continue
        # A toe's contact is the thin line under the heel's.
        thin = 0.4 if segment.name.startswith("toe") else 1.0
        low = row * (HEIGHT + GAP) * unit
        bands.setdefault(_colour(segment), []).append((left, right, low, low + HEIGHT * thin * unit))
    return bands


def _edges(segment: bpy.types.PropertyGroup, view: bpy.types.View2D) -> tuple[float, float]:
    """A segment's sides in pixels; each frame reaches half a frame to both sides."""
    left, _ = view.view_to_region(segment.start - 0.5, 0, clip=False)
    right, _ = view.view_to_region(segment.end + 0.5, 0, clip=False)
    return left, right


def _colour(segment: bpy.types.PropertyGroup) -> tuple[float, ...]:
    if segment.kind == "CONTACT":
        return LEFT if segment.name.endswith("L") else RIGHT
    return GAITS.get(segment.name, OTHER)


def _corners(left: float, right: float, low: float, high: float) -> list[tuple[float, float]]:
    return [(left, low), (right, low), (right, high), (left, high)]


def _draw_names(action: bpy.types.Action, view: bpy.types.View2D, width: int, unit: float) -> None:
    """The gaits' names in those bands that are wide enough."""
    if unit * HEIGHT < LABEL_SIZE / 2:
        return
    blf.size(0, LABEL_SIZE * unit)
    blf.color(0, 1.0, 1.0, 1.0, 0.9)
    for segment in action.footfall.segments:
        if segment.kind != "GAIT":
            continue
        left, right = _edges(segment, view)
        left, right = max(left, 0.0), min(right, float(width))
        if right - left > blf.dimensions(0, segment.name)[0] + 6 * unit:
            blf.position(0, left + 3 * unit, (ROWS["GAIT"] * (HEIGHT + GAP) + 1) * unit, 0)
            blf.draw(0, segment.name)

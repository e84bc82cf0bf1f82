"""Drawing how the ground lies along a path, in the 3D viewport."""

from collections.abc import Iterator
from typing import Final

import blf
import bpy
import gpu
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader
from mathutils import Vector

from ....core.motion.rotations import Array
from ....core.motion.signals import runs_of
from ...ui.colors import DARK, Colour, faded
from ...ui.operator_base import active_armature
from .finding import found
from .profile import Lie

WAY: Final = (0.95, 0.85, 0.35, 0.95)
GROUND: Final = (0.92, 0.94, 0.96, 0.8)
MISSING: Final = (1.0, 0.22, 0.18, 0.95)
JUMP: Final = (1.0, 0.55, 0.10, 1.0)
LOW: Final = (0.72, 0.55, 1.0, 0.9)
TAG: Final = (0.05, 0.05, 0.05, 0.75)
ABOVE: Final = 0.01
"""Metres by which lines are over the ground, so that it does not hide them."""
POINT: Final = 5.0
LINE: Final = 2.0
HIDDEN: Final = 0.25
"""How strongly lines are drawn that something hides."""
TEXT: Final = 12.0


class _OnCard:
    """The lines that were drawn last, and of what."""

    lie: Lie | None = None
    lines: list[gpu.types.GPUBatch] = []
    points: gpu.types.GPUBatch | None = None


def forget() -> None:
    """Frees what is on the graphics card."""
    _OnCard.lie, _OnCard.lines, _OnCard.points = None, [], None


def shown(context: bpy.types.Context) -> tuple[Lie | None, str]:
    """What is to be drawn now: nothing where the switch or the viewport's overlays are off."""
    armature = active_armature(context)
    if armature is None or not context.scene.footfall_ground_overlay or not context.space_data.overlay.show_overlays:
        return None, ""
    return found(armature)


def strokes(lie: Lie) -> Iterator[tuple[Array, Colour]]:
    """Pieces of line (M, 2, 3), each with its colour."""
    raised = lie.samples + np.array([0.0, 0.0, ABOVE])
    rungs = np.concatenate([raised[:, :2], raised[:, 1:]])
    both = np.concatenate([lie.firm[:, :2].all(axis=1), lie.firm[:, 1:].all(axis=1)])
    yield rungs[both], faded(GROUND, 0.45)
    for column in (0, 2):
        pieces = np.stack([raised[:-1, column], raised[1:, column]], axis=1)
        yield pieces[lie.firm[:-1, column] & lie.firm[1:, column]], faded(GROUND, 0.35)
    way = np.stack([raised[:-1, 1], raised[1:, 1]], axis=1)
    jumped = lie.jumps[:-1] | lie.jumps[1:]
    firm = lie.firm[:-1, 1] & lie.firm[1:, 1]
    yield way[firm & ~jumped], WAY
    yield way[firm & jumped], JUMP
    yield way[~firm], MISSING
    yield lie.left_out + np.array([0.0, 0.0, ABOVE]), MISSING
    low = np.isfinite(lie.ceilings)
    ends = lie.samples[:, 1].copy()
    ends[:, 2] = lie.ceilings
    yield np.stack([raised[low, 1], ends[low]], axis=1)[::4], faded(LOW, 0.6)
    roof = low[:-1] & low[1:]
    yield np.stack([ends[:-1][roof], ends[1:][roof]], axis=1), LOW


def dots(lie: Lie) -> tuple[Array, Array]:
    """The samples (P, 3) and their colours (P, 4): left, on the path, right, and missing ones."""
    colours = np.tile(np.array([DARK.left, GROUND, DARK.right], np.float32), (len(lie.samples), 1, 1))
    colours[~lie.firm] = MISSING
    places = lie.samples + np.array([0.0, 0.0, ABOVE])
    return places.reshape(-1, 3), colours.reshape(-1, 4)


def draw_on_ground(context: bpy.types.Context) -> None:
    """The heights and the way, in the world."""
    lie, _ = shown(context)
    if lie is None:
        return
    if _OnCard.lie is not lie:
        _OnCard.lie, _OnCard.points = lie, _points(lie)
        _OnCard.lines = [_lines(lie, strength) for strength in (HIDDEN, 1.0)]
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_mask_set(False)
    # What is in front of a line lets it shine through: on stairs, lines cut through the edges of steps.
    for lines, test in zip(_OnCard.lines, ("NONE", "LESS_EQUAL"), strict=True):
        gpu.state.depth_test_set(test)
        shader = gpu.shader.from_builtin("POLYLINE_FLAT_COLOR")
        shader.bind()
        shader.uniform_float("viewportSize", (context.region.width, context.region.height))
        shader.uniform_float("lineWidth", LINE * context.preferences.system.ui_scale)
        lines.draw(shader)
    if _OnCard.points is not None:
        gpu.state.point_size_set(POINT * context.preferences.system.ui_scale)
        _OnCard.points.draw(gpu.shader.from_builtin("FLAT_COLOR"))
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def _lines(lie: Lie, strength: float) -> gpu.types.GPUBatch:
    pieces, colours = [], []
    for stroke, colour in strokes(lie):
        pieces.append(stroke.reshape(-1, 3))
        colours.append(np.tile(np.array(faded(colour, strength), np.float32), (2 * len(stroke), 1)))
    content = {"pos": np.concatenate(pieces).astype(np.float32), "color": np.concatenate(colours)}
    return batch_for_shader(gpu.shader.from_builtin("POLYLINE_FLAT_COLOR"), "LINES", content)


def _points(lie: Lie) -> gpu.types.GPUBatch:
    places, colours = dots(lie)
    content = {"pos": places.astype(np.float32), "color": colours}
    return batch_for_shader(gpu.shader.from_builtin("FLAT_COLOR"), "POINTS", content)


def texts(lie: Lie) -> Iterator[tuple[str, Array]]:
    """What is written, and where (3): what becomes of the path, the lowest ceilings, what is jumped over."""
    yield from lie.notes
    for start, stop in runs_of(np.isfinite(lie.ceilings)):
        lowest = start + int(np.argmin((lie.ceilings - lie.samples[:, 1, 2])[start:stop]))
        room = lie.ceilings[lowest] - lie.samples[lowest, 1, 2]
        yield f"{room:.2f} m high", np.array([*lie.samples[lowest, 1, :2], lie.ceilings[lowest]])
    for start, stop in runs_of(lie.jumps):
        highest = start + int(np.argmax(lie.samples[start:stop, 1, 2]))
        yield "jump", lie.samples[highest, 1]


def draw_texts(context: bpy.types.Context) -> None:
    """What there is to say, in the region's pixels."""
    lie, trouble = shown(context)
    size = TEXT * context.preferences.system.ui_scale
    blf.size(0, size)
    if trouble:
        _draw_tag(trouble, 3 * size, 3 * size, size)
    if lie is None:
        return
    for text, place in texts(lie):
        at = location_3d_to_region_2d(context.region, context.region_data, Vector(place))
        if at is not None:
            _draw_tag(text, at.x + size, at.y + size, size)


def _draw_tag(text: str, x: float, y: float, size: float) -> None:
    """A text on a dark box."""
    width = blf.dimensions(0, text)[0]
    low, high, left, right = y - 0.45 * size, y + 1.15 * size, x - 0.5 * size, x + width + 0.5 * size
    gpu.state.blend_set("ALPHA")
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    corners = [(left, low, 0.0), (right, low, 0.0), (left, high, 0.0), (right, high, 0.0)]
    batch = batch_for_shader(shader, "TRI_STRIP", {"pos": corners})
    shader.bind()
    shader.uniform_float("color", TAG)
    batch.draw(shader)
    gpu.state.blend_set("NONE")
    blf.color(0, 1.0, 1.0, 1.0, 1.0)
    blf.position(0, x, y, 0.0)
    blf.draw(0, text)

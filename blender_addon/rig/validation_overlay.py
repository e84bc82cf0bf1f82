"""Bones that do not fit or are doubtful, drawn in the 3D viewport along the bones as they are posed."""

import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import blf
import bpy
import gpu
import numpy as np
from bpy.app.handlers import persistent
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader
from mathutils import Vector

from ...core.rig.rig_map import roles as rig_roles_of_core
from ..ui.operator_base import active_armature
from ..ui.redraw import redraw
from . import check, store
from . import roles as rig_roles

WIDTH: Final = 5.0
TEXT: Final = 12.0
TAG: Final = (0.05, 0.05, 0.05, 0.75)
DASHES: Final = 9
"""So many pieces of line and of gap a missing bone is drawn with."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A bone to be drawn.

    Attributes:
        role: which part of the body.
        level: ``"error"`` or ``"warning"``, as the theme's colours of states; ``"marked"`` in the list, and right.
        start, end: in the world, metres.
        there: whether there is a bone; where there is none it should be between these two.
        text: what is wrong with it.
    """

    role: str
    level: str
    start: Vector
    end: Vector
    there: bool
    text: str


def marks_of(armature: bpy.types.Object) -> Iterator[Mark]:
    """What is to be drawn of an armature's map, as the armature is posed now."""
    rows = armature.footfall.rig.roles
    needed = rig_roles.needed(row.name for row in rows)
    bones, world = armature.pose.bones, armature.matrix_world
    played = {row.name: row.bone for row in rows if row.bone in bones}
    marked = armature.footfall.rig.active_role
    for place, row in enumerate(rows):
        title = rig_roles.title(row.name)
        bone = bones.get(row.bone) if row.bone else None
        if bone is None:
            gap = _gap(row.name, played, bones) if row.bone or row.name in needed else None
            if gap is not None:
                start, end = (world @ bones[name].head for name in gap)
                yield Mark(row.name, "error", start, end, False, f"{title}: no bone")
        elif check.is_bad(row):
            text = f"{title} {check.what_is_bad(row)}"
            yield Mark(row.name, "error", world @ bone.head, world @ bone.tail, True, text)
        elif row.confidence < store.DOUBTFUL:
            yield Mark(row.name, "warning", world @ bone.head, world @ bone.tail, True, f"{title}: not sure")
        elif place == marked:
            yield Mark(row.name, "marked", world @ bone.head, world @ bone.tail, True, title)


def _gap(role: str, played: dict[str, str], bones: bpy.types.bpy_prop_collection) -> tuple[str, str] | None:
    """The bones between which a role's bone is missing: what it hangs on, and what hangs on it."""
    roles = [*played, role]
    above = rig_roles_of_core.above(role, roles)
    below = next((other for other in played if rig_roles_of_core.above(other, roles) == role), None)
    if above is None or below is None:
        return None
    return played[above], played[below]


def draw_lines(context: bpy.types.Context) -> None:
    """Lines along the bones, in the world, in front of everything."""
    marks = _shown(context)
    if not marks:
        return
    places: list[Vector] = []
    colours: list[tuple[float, ...]] = []
    for mark in marks:
        points = [mark.start, mark.end] if mark.there else list(_dashed(mark.start, mark.end))
        places += points
        colours += [_colour(context, mark.level)] * len(points)
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE")
    shader = gpu.shader.from_builtin("POLYLINE_FLAT_COLOR")
    content = {
        "pos": np.array([tuple(place) for place in places], np.float32),
        "color": np.array(colours, np.float32),
    }
    batch = batch_for_shader(shader, "LINES", content)
    shader.bind()
    shader.uniform_float("viewportSize", (context.region.width, context.region.height))
    shader.uniform_float("lineWidth", WIDTH * context.preferences.system.ui_scale)
    batch.draw(shader)
    gpu.state.blend_set("NONE")


def _dashed(start: Vector, end: Vector) -> Iterator[Vector]:
    for step in range(0, DASHES, 2):
        yield start.lerp(end, step / DASHES)
        yield start.lerp(end, (step + 1) / DASHES)


def draw_texts(context: bpy.types.Context) -> None:
    """What is wrong, beside each bone, in the region's pixels."""
    size = TEXT * context.preferences.system.ui_scale
    height = 1.6 * size
    blf.size(0, size)
    taken: list[tuple[float, float, float]] = []
    marks = _shown(context)
    places = [location_3d_to_region_2d(context.region, context.region_data, (m.start + m.end) / 2) for m in marks]
    middle = _middle(context)
    for mark, place in zip(marks, places, strict=True):
        if place is None:  # behind the camera
            continue
        y, width = place.y, blf.dimensions(0, mark.text)[0]
        # On the side away from the body, so that neither hides the other.
        x = place.x - height - width if place.x < middle - 2.0 else place.x + height
        while any(abs(y - other) < height and x < end and start < x + width for start, end, other in taken):
            y -= height
        taken.append((x, x + width, y))
        _draw_tag((x - size / 2, y - 0.45 * size, width + size, height), _colour(context, mark.level))
        blf.color(0, 1.0, 1.0, 1.0, 1.0)
        blf.position(0, x, y, 0.0)
        blf.draw(0, mark.text)


def _middle(context: bpy.types.Context) -> float:
    """Where the body's middle is across the region, in pixels; far to the left where nobody can say."""
    armature = active_armature(context)
    if armature is None or not armature.pose.bones:
        return -np.inf
    hips = armature.footfall.rig.roles.get("hips")
    bone = armature.pose.bones.get(hips.bone if hips else "") or armature.pose.bones[0]
    place = location_3d_to_region_2d(context.region, context.region_data, armature.matrix_world @ bone.head)
    return -np.inf if place is None else place.x


def _draw_tag(box: tuple[float, float, float, float], colour: tuple[float, ...]) -> None:
    """A dark box (x, y, width, height) for a text, with a bar of the mark's colour at its left."""
    x, y, width, height = box
    gpu.state.blend_set("ALPHA")
    for wide, fill in ((width, TAG), (height / 6, colour)):
        corners = [(x, y), (x + wide, y), (x, y + height), (x + wide, y + height)]
        shader = gpu.shader.from_builtin("UNIFORM_COLOR")
        batch = batch_for_shader(shader, "TRI_STRIP", {"pos": [(*corner, 0.0) for corner in corners]})
        shader.bind()
        shader.uniform_float("color", fill)
        batch.draw(shader)
    gpu.state.blend_set("NONE")


def _colour(context: bpy.types.Context, level: str) -> tuple[float, ...]:
    theme = context.preferences.themes[0]
    colour = theme.view_3d.bone_pose_active if level == "marked" else getattr(theme.user_interface.wcol_state, level)
    red, green, blue = tuple(colour)[:3]
    brightest = max(red, green, blue, 1e-3)  # the theme's are for text on panels, too dark for lines on bodies
    return red / brightest, green / brightest, blue / brightest, 1.0


def _shown(context: bpy.types.Context) -> list[Mark]:
    armature = active_armature(context)
    if armature is None or not context.scene.footfall_rig_overlay or not context.space_data.overlay.show_overlays:
        return []
    return list(marks_of(armature)) if store.has_map(armature) and armature.mode != "EDIT" else []


class _Drawing:
    """The handlers, while they are there."""

    handles: list[object] = []


def _draw_once(draw: Callable[[bpy.types.Context], None]) -> None:
    """Draws, or, after an error, says so once and never draws again: a broken overlay must not fill the console."""
    try:
        draw(bpy.context)
    except Exception:
        traceback.print_exc()
        print("Footfall: the overlay of the rig is switched off after this error.", file=sys.stderr)
        _stop()


def is_drawing() -> bool:
    """Whether Blender calls the overlay when it draws."""
    return bool(_Drawing.handles)


def _start() -> None:
    if not _Drawing.handles and not bpy.app.background:
        for draw, when in ((draw_lines, "POST_VIEW"), (draw_texts, "POST_PIXEL")):
            _Drawing.handles.append(bpy.types.SpaceView3D.draw_handler_add(_draw_once, (draw,), "WINDOW", when))


def _stop() -> None:
    while _Drawing.handles:
        bpy.types.SpaceView3D.draw_handler_remove(_Drawing.handles.pop(), "WINDOW")


@persistent
def follow_switch(*_: object) -> None:
    """Draws while any scene has the switch on; a loaded file or an undo may have turned it."""
    if any(scene.footfall_rig_overlay for scene in bpy.data.scenes):
        _start()
    else:
        _stop()
    redraw()


def _forgetful() -> tuple[list, ...]:
    handlers = bpy.app.handlers
    return handlers.undo_post, handlers.redo_post, handlers.load_post


def register() -> None:
    """Adds the switch to every scene."""
    bpy.types.Scene.footfall_rig_overlay = bpy.props.BoolProperty(
        name="Show Doubts",
        description="Show in the viewport which bones do not fit, are doubtful, or are missing",
        default=False,
        update=lambda _scene, _context: follow_switch(),
    )
    for handlers in _forgetful():
        handlers.append(follow_switch)
    if not bpy.app.background:  # the open file may have the switch on, but scenes cannot be read yet
        bpy.app.timers.register(follow_switch, first_interval=0.0)


def unregister() -> None:
    """Takes everything back that :func:`register` did."""
    if bpy.app.timers.is_registered(follow_switch):
        bpy.app.timers.unregister(follow_switch)
    _stop()
    for handlers in _forgetful():
        handlers.remove(follow_switch)
    del bpy.types.Scene.footfall_rig_overlay

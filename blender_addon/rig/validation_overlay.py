"""Overlay in the 3D viewport of bones with issues, along the posed bones."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import bpy
import gpu
import numpy as np
from bpy.app.handlers import persistent
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

from ...core.message import Message
from ...core.rig.rig_map import roles as rig_roles_of_core
from ..ui.colors import Color
from ..ui.gpu_drawing import draw_line_batch, draw_tag, line_batch, text_width
from ..ui.memo import invalidating_handlers
from ..ui.operator_base import active_armature
from ..ui.overlay import Overlay
from ..ui.redraw import tag_redraw_all
from ..ui.translations import translate_interface
from . import check, store
from . import roles as rig_roles

LINE_WIDTH_PX: Final = 5.0
TEXT_SIZE_PX: Final = 12.0
DASH_COUNT: Final = 9
"""Number of dashes and gaps of the line for a missing bone."""


@dataclass(frozen=True, slots=True)
class BoneHighlight:
    """A highlighted bone.

    Attributes:
        role: the body part.
        level: ``"error"`` or ``"warning"``, as the theme's colors of states; ``"marked"`` for the active, correct bone
            of the list.
        start, end: ends of the bone, world, meters.
        exists: whether the bone exists; otherwise these are the ends that it should have.
        text: description of the issue.
    """

    role: str
    level: str
    start: Vector
    end: Vector
    exists: bool
    text: str


def bone_highlights(armature: bpy.types.Object) -> Iterator[BoneHighlight]:
    """Yield the bone highlights for an armature's rig map in the current pose."""
    rows = armature.footfall.rig.roles
    needed = rig_roles.required_roles(row.name for row in rows)
    bones, world = armature.pose.bones, armature.matrix_world
    played = {row.name: row.bone for row in rows if row.bone in bones}
    marked = armature.footfall.rig.active_role
    for place, row in enumerate(rows):
        title = rig_roles.title(row.name)
        bone = bones.get(row.bone) if row.bone else None
        if bone is None:
            gap = _missing_bone_ends(row.name, played, bones) if row.bone or row.name in needed else None
            if gap is not None:
                start, end = (world @ bones[name].head for name in gap)
                yield BoneHighlight(
                    row.name, "error", start, end, False, Message("{body_part}: no bone is chosen", body_part=title)
                )
        elif check.is_suspect(row):
            text = Message("{title}: {issue}", title=title, issue=check.issue_text(row))
            yield BoneHighlight(row.name, "error", world @ bone.head, world @ bone.tail, True, text)
        elif row.confidence < store.MIN_SURE_CONFIDENCE:
            yield BoneHighlight(
                row.name,
                "warning",
                world @ bone.head,
                world @ bone.tail,
                True,
                Message("{body_part}: the detected bone is uncertain", body_part=title),
            )
        elif place == marked:
            yield BoneHighlight(row.name, "marked", world @ bone.head, world @ bone.tail, True, title)


def _missing_bone_ends(
    role: str, bone_of_role: dict[str, str], bones: bpy.types.bpy_prop_collection
) -> tuple[str, str] | None:
    """Return the bones between which a missing bone is drawn, its parent and its child; ``None`` if unknown."""
    roles = [*bone_of_role, role]
    above = rig_roles_of_core.parent_role(role, roles)
    below = next((other for other in bone_of_role if rig_roles_of_core.parent_role(other, roles) == role), None)
    if above is None or below is None:
        return None
    return bone_of_role[above], bone_of_role[below]


def draw_lines(context: bpy.types.Context) -> None:
    """Draw lines along the highlighted bones, in front of everything in the scene."""
    marks = _shown_armature(context)
    if not marks:
        return
    places: list[Vector] = []
    colours: list[Color] = []
    for mark in marks:
        points = [mark.start, mark.end] if mark.exists else list(_dashed(mark.start, mark.end))
        places += points
        colours += [_color(context, mark.level)] * len(points)
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE")
    batch = line_batch([tuple(place) for place in places], colours)
    draw_line_batch(batch, LINE_WIDTH_PX * context.preferences.system.ui_scale)
    gpu.state.blend_set("NONE")


def _dashed(start: Vector, end: Vector) -> Iterator[Vector]:
    for step in range(0, DASH_COUNT, 2):
        yield start.lerp(end, step / DASH_COUNT)
        yield start.lerp(end, (step + 1) / DASH_COUNT)


def draw_texts(context: bpy.types.Context) -> None:
    """Draw the issues beside their bones, in pixels of the region."""
    size = TEXT_SIZE_PX * context.preferences.system.ui_scale
    height = 1.6 * size
    taken: list[tuple[float, float, float]] = []
    marks = _shown_armature(context)
    places = [location_3d_to_region_2d(context.region, context.region_data, (m.start + m.end) / 2) for m in marks]
    middle = _body_center_x(context)
    for mark, place in zip(marks, places, strict=True):
        if place is None:  # behind the camera
            continue
        text = translate_interface(mark.text)
        y, width = place.y, text_width(text, size)
        # On the side away from the body, so that text and bone do not hide each other.
        x = place.x - height - width if place.x < middle - 2.0 else place.x + height
        while any(abs(y - other) < height and x < end and start < x + width for start, end, other in taken):
            y -= height
        taken.append((x, x + width, y))
        draw_tag(text, x, y, size, _color(context, mark.level))


def _body_center_x(context: bpy.types.Context) -> float:
    """Return the horizontal position of the body's middle in the region, pixels, or a value far left if unknown."""
    armature = active_armature(context)
    if armature is None or not armature.pose.bones:
        return -np.inf
    hips = armature.footfall.rig.roles.get("hips")
    bone = armature.pose.bones.get(hips.bone if hips else "") or armature.pose.bones[0]
    place = location_3d_to_region_2d(context.region, context.region_data, armature.matrix_world @ bone.head)
    return -np.inf if place is None else place.x


def _color(context: bpy.types.Context, level: str) -> Color:
    theme = context.preferences.themes[0]
    colour = theme.view_3d.bone_pose_active if level == "marked" else getattr(theme.user_interface.wcol_state, level)
    red, green, blue = tuple(colour)[:3]
    brightest = max(red, green, blue, 1e-3)  # the theme's colors are for text on panels, too dark for lines on bodies
    return red / brightest, green / brightest, blue / brightest, 1.0


def _shown_armature(context: bpy.types.Context) -> list[BoneHighlight]:
    armature = active_armature(context)
    if armature is None or not context.scene.footfall_show_rig_issues or not context.space_data.overlay.show_overlays:
        return []
    return list(bone_highlights(armature)) if store.has_bone_map(armature) and armature.mode != "EDIT" else []


_overlay = Overlay("rig", [(draw_lines, "POST_VIEW"), (draw_texts, "POST_PIXEL")])


def is_drawing() -> bool:
    """Return whether the overlay's draw handlers are registered with Blender."""
    return _overlay.is_drawing


@persistent
def update_drawing(*_: object) -> None:
    """Add or remove the draw handlers as the scenes' switches require; called after loading and undo too."""
    if any(scene.footfall_show_rig_issues for scene in bpy.data.scenes):
        _overlay.start()
    else:
        _overlay.stop()
    tag_redraw_all()


def register() -> None:
    """Add the overlay's switch to the scene type."""
    bpy.types.Scene.footfall_show_rig_issues = bpy.props.BoolProperty(
        name="Show Issues",
        description="Show misaligned, doubtful and missing bones in the viewport",
        default=False,
        update=lambda _scene, _context: update_drawing(),
    )
    for handlers in invalidating_handlers():
        handlers.append(update_drawing)
    if not bpy.app.background:  # the open file may have the switch on, but scenes cannot be read yet
        bpy.app.timers.register(update_drawing, first_interval=0.0)


def unregister() -> None:
    if bpy.app.timers.is_registered(update_drawing):
        bpy.app.timers.unregister(update_drawing)
    _overlay.stop()
    for handlers in invalidating_handlers():
        handlers.remove(update_drawing)
    del bpy.types.Scene.footfall_show_rig_issues

"""Picking the target of a strike in the viewport: a point of a surface, or with Ctrl the nearest vertex."""

from typing import Final

import bpy
import numpy as np
from bpy_extras import view3d_utils
from mathutils import Vector

from ....core.errors import FootfallError
from ....core.message import Message
from ....core.motion.rotations import Array
from ...scene.evaluated_mesh import EvaluatedMesh
from ...ui.operator_base import FootfallOperator, require_armature, why_not_animatable
from ...ui.plain import flag
from ...ui.translations import translate_interface
from .targets import hangs_on

STATUS: Final = "Footfall: pick a target   |   Click: point of a surface   Ctrl Click: vertex   Esc: cancel"


def pick_target(
    strike: bpy.types.PropertyGroup, context: bpy.types.Context, origin: Vector, direction: Vector, vertex: bool
) -> str:
    """Make the first point that a viewport ray hits the target of a strike; return a report.

    Args:
        strike: the strike.
        context: the context.
        origin: (3) start of the ray, meters, world.
        direction: (3) direction of the ray.
        vertex: whether to strike the nearest vertex instead of the point.

    Raises:
        FootfallError: the ray hits no mesh, or hits the character's own body.
    """
    scene = context.scene
    hit, place, _, _, found, _ = scene.ray_cast(context.evaluated_depsgraph_get(), origin, direction)
    if not hit or found.type != "MESH":
        raise FootfallError("There is no surface under the mouse: click on a mesh")
    thing = found.original
    if hangs_on(thing, strike.id_data):
        raise FootfallError("The target of a strike cannot be on the striking character: choose another object")
    mesh = EvaluatedMesh.of(thing)
    inside = np.array((thing.evaluated_get(context.evaluated_depsgraph_get()).matrix_world.inverted() @ place)[:])
    corners, shares = _nearest_triangle(mesh, inside)
    strike.target, strike.corners, strike.shares = thing, corners, shares
    strike.place = "VERTEX" if vertex else "SURFACE"
    strike.vertex = corners[int(np.argmax(shares))]
    return Message("'{name}' is now the target of the strike", name=thing.name)


def _nearest_triangle(mesh: EvaluatedMesh, point: Array) -> tuple[list[int], list[float]]:
    """Return the vertices of the triangle nearest to a point (3), and the point's barycentric coordinates in it."""
    first, second, third = (mesh.vertices[mesh.triangles[:, corner]] for corner in range(3))
    one, other, away = second - first, third - first, point - first
    squares = [np.sum(a * b, axis=-1) for a, b in ((one, one), (one, other), (other, other))]
    sides = [np.sum(away * side, axis=-1) for side in (one, other)]
    area = np.maximum(squares[0] * squares[2] - squares[1] ** 2, 1e-30)
    v = (squares[2] * sides[0] - squares[1] * sides[1]) / area
    w = (squares[0] * sides[1] - squares[1] * sides[0]) / area
    shares = np.clip(np.stack([1.0 - v - w, v, w], axis=-1), 0.0, None)
    shares /= shares.sum(axis=-1, keepdims=True)
    places = np.einsum("tc,tcd->td", shares, np.stack([first, second, third], axis=1))
    nearest = int(np.linalg.norm(places - point, axis=-1).argmin())
    return mesh.triangles[nearest].tolist(), shares[nearest].tolist()


class FOOTFALL_OT_pick_strike_target(FootfallOperator, bpy.types.Operator):
    """Click on the target of the active strike: a point of a surface, or with Ctrl a vertex"""

    bl_idname = "footfall.pick_strike_target"
    bl_label = "Pick Target"
    needs_meters = True

    origin: bpy.props.FloatVectorProperty(
        name="Origin",
        description="Starting point of the ray that finds the target",
        subtype="TRANSLATION",
        options={"SKIP_SAVE"},
    )
    direction: bpy.props.FloatVectorProperty(
        name="Direction",
        description="Direction of the ray that finds the target, from its starting point",
        subtype="DIRECTION",
        options={"SKIP_SAVE"},
    )
    vertex: flag("Vertex", "Strike the vertex nearest to the point that was clicked", options={"SKIP_SAVE"})

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_not_animatable(context)
        if reason is None and not require_armature(context).footfall.interaction_tasks:
            return "The shot has no beats: add a Strike beat first"
        return reason

    def run(self, context: bpy.types.Context) -> str:
        settings = require_armature(context).footfall
        direction = Vector(self.direction)
        if not direction.length:
            raise FootfallError("Click the target of the strike in a 3D viewport")
        beats = settings.interaction_tasks
        beat = beats[min(settings.active_interaction_task, len(beats) - 1)]
        return pick_target(beat, context, Vector(self.origin), direction.normalized(), self.vertex)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if bpy.app.background or context.area is None or context.area.type != "VIEW_3D":
            return self.execute(context)
        context.window.cursor_modal_set("EYEDROPPER")
        context.workspace.status_text_set(translate_interface(STATUS))
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if context.area is None or event.type in ("ESC", "RIGHTMOUSE"):
            self.cancel(context)
            return {"CANCELLED"}
        if event.type != "LEFTMOUSE" or event.value != "PRESS":
            return {"PASS_THROUGH"}
        self.cancel(context)
        region = next(part for part in context.area.regions if part.type == "WINDOW")
        at, view = (event.mouse_x - region.x, event.mouse_y - region.y), context.area.spaces.active.region_3d
        self.origin = view3d_utils.region_2d_to_origin_3d(region, view, at)
        self.direction = view3d_utils.region_2d_to_vector_3d(region, view, at)
        self.vertex = event.ctrl
        return self.execute(context)

    def cancel(self, context: bpy.types.Context) -> None:
        """Release the mouse when the operator is cancelled."""
        context.window.cursor_modal_restore()
        context.workspace.status_text_set(None)


CLASSES: Final = (FOOTFALL_OT_pick_strike_target,)

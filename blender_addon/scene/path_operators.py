"""Paths drawn by hand: on the ground with the mouse, or as an annotation."""

from typing import Final

import bpy
import numpy as np
from bpy_extras.view3d_utils import region_2d_to_origin_3d, region_2d_to_vector_3d
from mathutils import Vector

from ...core.errors import FootfallError
from ...core.message import Message
from ..ui.gpu_drawing import draw_lines
from ..ui.operator_base import FootfallOperator, needs_viewport, require_armature, why_not_animatable
from ..ui.redraw import tag_redraw_all
from ..ui.viewport_preview import ViewportPreview, draw_headline
from .freehand_curve import fit_bezier_curve
from .strokes import newest_annotation

STROKE_COLOR: Final = (1.0, 0.75, 0.2, 1.0)
MIN_POINT_SPACING_M: Final = 0.02
"""Distance of the mouse on the ground between two points, meters."""
MAX_RAY_HITS: Final = 16
"""Largest number of bodies that a ray to the ground passes through."""
RAY_STEP_M: Final = 0.01
"""Distance behind a passed body at which the ray continues, meters."""
STATUS_TEXT: Final = "Drag over the ground to draw the path   |   Esc: Cancel"


class _StrokePreview(ViewportPreview):
    """Drawing of the line while the user draws it."""

    in_meters = False

    def __init__(self) -> None:
        super().__init__()
        self.points: list[Vector] = []

    def draw_scene(self) -> None:
        """Draw the line so far, in front of everything."""
        if len(self.points) < 2:
            return
        draw_lines([place[:] for place in self.points], STROKE_COLOR, 3.0, "LINE_STRIP")

    def draw_text(self) -> None:
        """Draw the instructions for the user."""
        draw_headline(STATUS_TEXT)


class FOOTFALL_OT_draw_path(FootfallOperator, bpy.types.Operator):
    """Draw the path of the character on the ground with the mouse"""

    bl_idname = "footfall.draw_path"
    bl_label = "Draw Path"
    armature_name = ""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        if context.area is None or context.area.type != "VIEW_3D":
            return "Start this with the mouse over a 3D viewport"
        return why_not_animatable(context)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        self.line, self.dragging = _StrokePreview(), False
        self.armature_name = require_armature(context).name
        # The button is in the sidebar; the viewport beside it is drawn on.
        self.region = next(region for region in context.area.regions if region.type == "WINDOW")
        self.line.start()
        context.window.cursor_modal_set("PAINT_BRUSH")
        context.workspace.status_text_set(STATUS_TEXT)
        context.window_manager.modal_handler_add(self)
        tag_redraw_all()
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if context.area is None or event.type in {"ESC", "RIGHTMOUSE"}:
            self.cancel(context)
            return {"CANCELLED"}
        if bpy.data.objects.get(self.armature_name) is None:
            self.cancel(context)
            return self.report_error(FootfallError("The character was deleted: no path was drawn"))
        if event.type == "LEFTMOUSE" and event.value == "RELEASE" and self.dragging:
            self.cancel(context)
            return self.execute(context)
        if event.type == "LEFTMOUSE" and event.value == "PRESS" and self._is_over_viewport(event):
            self.dragging = True
        if not self.dragging or event.type not in {"LEFTMOUSE", "MOUSEMOVE"}:
            return {"PASS_THROUGH"}  # the view can be turned and zoomed before drawing
        place = self._ground_point(context, event)
        places = self.line.points
        if place is not None and (not places or (place - places[-1]).length > MIN_POINT_SPACING_M):
            places.append(place)
            tag_redraw_all()
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop drawing the path; Blender also calls this when it closes."""
        self.line.stop()
        context.window.cursor_modal_restore()
        context.workspace.status_text_set(None)

    def run(self, context: bpy.types.Context) -> str:
        if not self.armature_name:
            raise needs_viewport(self.bl_label)
        armature = bpy.data.objects[self.armature_name]
        places = np.array([place[:] for place in self.line.points]).reshape(-1, 3)
        return _set_character_path(context, armature, places)

    def _is_over_viewport(self, event: bpy.types.Event) -> bool:
        x, y = event.mouse_x - self.region.x, event.mouse_y - self.region.y
        return 0 <= x < self.region.width and 0 <= y < self.region.height

    def _ground_point(self, context: bpy.types.Context, event: bpy.types.Event) -> Vector | None:
        """Return the ground point under the mouse: on an object that is no character, else on the ground plane."""
        view = self.region.data
        mouse = event.mouse_x - self.region.x, event.mouse_y - self.region.y
        origin = region_2d_to_origin_3d(self.region, view, mouse)
        direction = region_2d_to_vector_3d(self.region, view, mouse)
        start = origin
        for _ in range(MAX_RAY_HITS):
            hit, place, _, _, thing, _ = context.scene.ray_cast(context.evaluated_depsgraph_get(), start, direction)
            if not hit:
                break
            if thing.find_armature() is None:
                return place
            start = place + RAY_STEP_M * direction
        level = bpy.data.objects[self.armature_name].matrix_world.translation.z
        far = (level - origin.z) / direction.z if abs(direction.z) > 1e-6 else -1.0
        return origin + far * direction if far > 0 else None


class FOOTFALL_OT_path_from_annotation(FootfallOperator, bpy.types.Operator):
    """Turn the last annotated stroke of the 3D viewport into a curve and use it as the path"""

    bl_idname = "footfall.path_from_annotation"
    bl_label = "Path from Annotation"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_not_animatable(context)
        if reason is None and newest_annotation(context.scene) is None:
            return "Annotate a line in the 3D viewport first (Placement: Surface or 3D Cursor)"
        return reason

    def run(self, context: bpy.types.Context) -> str:
        places = newest_annotation(context.scene)
        assert places is not None
        return _set_character_path(context, require_armature(context), places)


def _set_character_path(context: bpy.types.Context, armature: bpy.types.Object, points: np.ndarray) -> str:
    curve = fit_bezier_curve(points, f"{armature.name} Path", context.collection)
    if armature.footfall.interaction_tasks:
        number = _add_walk(armature.footfall, curve)
        return Message("The path of beat {number} is now '{path}'", path=curve.name, number=number)
    armature.footfall.path = curve
    return Message(
        "'{path}' is now the path of '{character}': press Bake Shot, or select the curve and press Tab to edit it",
        path=curve.name,
        character=armature.name,
    )


def _add_walk(settings: bpy.types.PropertyGroup, path: bpy.types.Object) -> int:
    """Make a path the target of the active beat if it is a walk without one, else of a new walk; return the number."""
    beats, index = (
        settings.interaction_tasks,
        min(settings.active_interaction_task, len(settings.interaction_tasks) - 1),
    )
    if beats[index].type not in ("walk", "run") or beats[index].target is not None:
        beats.add()
        index += 1
        beats.move(len(beats) - 1, index)
        beats[index].type, beats[index].duration = "walk", 0.0
    beats[index].target, settings.active_interaction_task = path, index
    return index + 1


CLASSES = (FOOTFALL_OT_draw_path, FOOTFALL_OT_path_from_annotation)

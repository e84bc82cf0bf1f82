"""Driving a character in the viewport."""

import time
from typing import Final

import bpy
import numpy as np
from mathutils import Vector

from ....core.control.runtime.pose_decoder import standing_rotations
from ....core.errors import FootfallError
from ....core.message import Message
from ....core.motion.root_frame import yaw_of
from ...controllers import library
from ...rig.figure import BodyMesh
from ...ui.gpu_drawing import draw_ghost, draw_lines, draw_mesh, scene_depth
from ...ui.operator_base import FootfallOperator, needs_viewport, require_armature, why_not_animatable
from ...ui.redraw import tag_redraw_all
from ...ui.translations import translate_interface
from ...ui.viewport_preview import PreviewSlot, ViewportPreview, draw_headline
from ..walk.live_preview.ball_ghost import sphere
from .driven_beats import store_driven_beats
from .driven_path import store_driven_path
from .keys import actions_by_key
from .picking import is_click, pick
from .session import DriveSession

TICK_S: Final = 1 / 60
TRACE_COLOR: Final = (1.0, 0.75, 0.2, 0.8)
TRACE_WIDTH_PX: Final = 2.0
TRACE_STEP_FRAMES: Final = 6
OTHER_SIDE: Final = {f"RIGHT_{key}": f"LEFT_{key}" for key in ("SHIFT", "CTRL", "ALT")}
"""Modifier keys that count as those of the left side."""
STATUS: Final = (
    "Footfall: W A S D go, Shift runs, Ctrl slows, C crouches, Space jumps, Alt strafes, F: view   |   "
    "E or click: use, L: lie   |   Enter: record   |   Esc: cancel"
)


class DrivePreview(ViewportPreview):
    """Drawing of the driven character and its trail.

    Args:
        session: the driving session.
    """

    def __init__(self, session: DriveSession) -> None:
        super().__init__()
        self.session = session
        body_type = bpy.data.objects[session.armature_name].footfall.rig.body_type
        self._body = BodyMesh.of(session.model.skeleton, body_type, standing_rotations(session.model))

    def start(self) -> None:
        """Start drawing, and hide the character's own body."""
        super().start()
        self.hide_bodies(self.session.armature_name)

    def draw_scene(self) -> None:
        """Draw the body and its trail so far."""
        moments, pose, scale = self.session.moments, self.session.pose, self.session.scale
        if pose is None:
            return
        trace = scale * np.array([moment.root for moment in (*moments[::TRACE_STEP_FRAMES], moments[-1])])
        vertices, colors = self._body.posed_vertices(pose, 0)
        with scene_depth(writes=False):
            if len(trace) > 1:
                draw_lines(trace, TRACE_COLOR, TRACE_WIDTH_PX, "LINE_STRIP")
        with scene_depth():
            draw_ghost(vertices * np.float32(scale), colors, self._body.triangles)
            ball = self.session.driver.ball
            if ball is not None and self.session.ball is not None:
                draw_mesh(*sphere(scale * self.session.ball, scale * ball.radius))
            for ghost, matrix in self.session.tasks.moved_objects():
                draw_mesh(ghost.world_vertices(matrix), ghost.colors, ghost.triangles)

    def draw_text(self) -> None:
        """Draw the driving session's speed and time, and any message about its task."""
        speed = self.session.scale * self.session.moments[-1].speed if self.session.moments else 0.0
        told = f"{speed:.1f} m/s, {self.session.seconds:.1f} s", self.session.tasks.note
        draw_headline(Message.joined("   |   ", (part for part in told if part)))


slot: PreviewSlot[DrivePreview] = PreviewSlot()


def stop_drive() -> None:
    """End the driving session in progress, if any, for example when the add-on is disabled."""
    slot.stop()


class FOOTFALL_OT_drive(FootfallOperator, bpy.types.Operator):
    """Steer the character with the keyboard, click objects for it to use, and record the motion"""

    bl_idname = "footfall.drive"
    bl_label = "Drive"
    needs_meters = True

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        if context.area is None or context.area.type != "VIEW_3D":
            return "Start this with the mouse over a 3D viewport"
        reason = why_not_animatable(context)
        if reason is not None:
            return reason
        settings = require_armature(context).footfall
        return (
            None
            if library.is_known(settings.controller)
            else "The controller is no longer in the list: choose another one"
        )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        armature = require_armature(context)
        try:
            self.session = DriveSession(armature, context)
        except FootfallError as error:
            return self.report_error(error)
        self.keys, self.clock = actions_by_key(), time.monotonic()
        self.scene, self.frame = context.scene.name_full, context.scene.frame_current
        self.region = next(region for region in context.area.regions if region.type == "WINDOW")
        self.view_location = self.region.data.view_location.copy()
        slot.show(DrivePreview(self.session))
        self.timer = context.window_manager.event_timer_add(TICK_S, window=context.window)
        context.workspace.status_text_set(translate_interface(STATUS))
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if bpy.data.objects.get(self.session.armature_name) is None:
            self.cancel(context)
            return self.report_error(FootfallError("The character was deleted: the drive has ended"))
        if slot.preview is None or context.area is None or (event.type == "ESC" and event.value == "PRESS"):
            if context.area is not None:
                self.region.data.view_location = self.view_location  # it has followed the character
            self.cancel(context)
            return {"CANCELLED"}
        if event.type in {"RET", "NUMPAD_ENTER"} and event.value == "PRESS":
            self.cancel(context)
            return self.execute(context)
        action = self.keys.get(OTHER_SIDE.get(event.type, event.type))
        if action is not None:
            if not event.is_repeat:
                (self.session.release if event.value == "RELEASE" else self.session.press)(action)
            return {"RUNNING_MODAL"}
        if is_click(context, self.region, event):
            self.session.click(*pick(context, self.region, event), context)
            return {"RUNNING_MODAL"}
        if event.type == "TIMER":
            return self._tick(context)
        return {"PASS_THROUGH"}  # the mouse looks around

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop driving; Blender also calls this when it closes."""
        slot.stop()
        if self.scene in bpy.data.scenes:
            bpy.data.scenes[self.scene].frame_set(self.frame)
        context.window_manager.event_timer_remove(self.timer)
        context.workspace.status_text_set(None)
        tag_redraw_all()

    def run(self, context: bpy.types.Context) -> str:
        if not hasattr(self, "session"):
            raise needs_viewport(self.bl_label)
        armature = bpy.data.objects[self.session.armature_name]
        beats = self.session.beats()
        if beats:
            return store_driven_beats(armature, beats, self.session.scale, context.collection)
        return store_driven_path(armature, self.session.path(), self.session.scale, context.collection)

    def _tick(self, context: bpy.types.Context) -> set[str]:
        """Continue the drive by the time that has passed since the last call."""
        view, now = self.region.data, time.monotonic()
        before = self.session.place
        ahead = view.view_rotation @ Vector((0.0, 0.0, -1.0))
        if abs(ahead.z) > 0.99:  # from above, up on the screen is ahead
            ahead = view.view_rotation @ Vector((0.0, 1.0, 0.0))
        try:
            made = self.session.advance(now - self.clock, float(yaw_of(np.array(ahead[:2]))))
        except FootfallError as error:
            self.cancel(context)
            return self.report_error(error)
        self.clock = now
        if made:
            if context.scene.frame_current != self.session.scene_frame:
                context.scene.frame_set(self.session.scene_frame)
            if self.session.follows and view.view_perspective != "CAMERA":
                view.view_location += Vector(self.session.place - before)
            tag_redraw_all()
        return {"RUNNING_MODAL"}


CLASSES = (FOOTFALL_OT_drive,)

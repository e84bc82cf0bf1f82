"""The buttons of a preview: start, pause, step, restart, bake and stop."""

import time

import bpy

from .....core.errors import FootfallError
from .....core.message import Message
from ....ui.operator_base import FootfallOperator, require_armature, why_not_animatable
from ....ui.redraw import tag_redraw_all
from ....ui.viewport_preview import PreviewModal, PreviewSlot
from ..operators import why_no_beats
from .draw import InteractionPreview
from .playback import ShotPlayback

_slot: PreviewSlot[InteractionPreview] = PreviewSlot()


def active_preview() -> ShotPlayback | None:
    """Return the roll-out of the preview that is shown."""
    return _slot.preview.rollout if _slot.preview else None


def stop_preview() -> None:
    """End the preview, if one is shown."""
    _slot.stop()


class FOOTFALL_OT_preview_interactions(PreviewModal, FootfallOperator, bpy.types.Operator):
    """Play the beats of the active armature in the viewport, without changing the file"""

    bl_idname = "footfall.preview_interactions"
    bl_label = "Preview Shot"
    bl_options = {"REGISTER"}
    needs_meters = True
    slot = _slot
    tick_interval = 1 / 60
    status = "Previewing the shot   |   Space: Pause   Esc: End"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        if active_preview() is not None:
            return "A preview is running: press Esc to end it"
        return why_not_animatable(context) or why_no_beats(context)

    def run(self, context: bpy.types.Context) -> str:
        _slot.show(InteractionPreview(ShotPlayback(require_armature(context), context)))
        return "The preview is already running: press Esc to end it"

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        result = self.execute(context)
        if result != {"FINISHED"} or bpy.app.background or context.window is None:
            return result
        self.before = time.monotonic()
        self.start_ticking(context)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        acting = active_preview()
        if acting is None or self.ends_preview(event):
            self.stop_ticking(context)
            return {"FINISHED"}
        if event.type == "SPACE" and event.value == "PRESS":
            acting.running = not acting.running
            return {"RUNNING_MODAL"}
        if event.type == "TIMER":
            now = time.monotonic()
            passed, self.before = now - self.before, now
            try:
                acting.tick(passed)
                if _slot.preview is not None:
                    _slot.preview.hide_body()
            except FootfallError as error:
                self.stop_ticking(context)
                return self.report_error(error)
            tag_redraw_all()
        return {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """End the preview where Blender closes or loads another file."""
        self.stop_ticking(context)


class _PreviewOperator(FootfallOperator):
    """A mix-in for the buttons of an active preview."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None if active_preview() else "No preview is running: press Preview first"


class FOOTFALL_OT_pause_interaction_preview(_PreviewOperator, bpy.types.Operator):
    """Pause or continue the preview"""

    bl_idname = "footfall.pause_interaction_preview"
    bl_label = "Pause Preview"
    bl_options = {"REGISTER"}

    def run(self, context: bpy.types.Context) -> str:
        acting = active_preview()
        assert acting is not None
        acting.running = not acting.running
        tag_redraw_all()
        return "The preview continues" if acting.running else "The preview is paused"


class FOOTFALL_OT_step_interaction_preview(_PreviewOperator, bpy.types.Operator):
    """Pause the preview and show its next frame"""

    bl_idname = "footfall.step_interaction_preview"
    bl_label = "Step Preview"
    bl_options = {"REGISTER"}

    def run(self, context: bpy.types.Context) -> str:
        acting = active_preview()
        assert acting is not None
        acting.running = False
        acting.sync_moved_objects()
        acting.advance(1)
        tag_redraw_all()
        return Message("Frame {frame}", frame=acting.frames_shown)


class FOOTFALL_OT_restart_interaction_preview(_PreviewOperator, bpy.types.Operator):
    """Restart the preview with the current beats and scene"""

    bl_idname = "footfall.restart_interaction_preview"
    bl_label = "Restart Preview"
    bl_options = {"REGISTER"}

    def run(self, context: bpy.types.Context) -> str:
        acting = active_preview()
        assert acting is not None and _slot.preview is not None
        armature = next((one for one in context.scene.objects if one.name_full == acting.armature_name), None)
        if armature is None:
            raise FootfallError(
                "The armature '{name}' was deleted: press Esc to end the preview", name=acting.armature_name
            )
        _slot.preview.rollout = ShotPlayback(armature, context)
        tag_redraw_all()
        return "The preview restarts"


class FOOTFALL_OT_bake_interaction_preview(_PreviewOperator, bpy.types.Operator):
    """End the preview, and bake the shot, including the frames that were previewed"""

    bl_idname = "footfall.bake_interaction_preview"
    bl_label = "Bake from Here"

    def run(self, context: bpy.types.Context) -> str:
        acting = active_preview()
        assert acting is not None
        stop_preview()
        return acting.finish(context.scene).message


CLASSES = (
    FOOTFALL_OT_preview_interactions,
    FOOTFALL_OT_pause_interaction_preview,
    FOOTFALL_OT_step_interaction_preview,
    FOOTFALL_OT_restart_interaction_preview,
    FOOTFALL_OT_bake_interaction_preview,
)

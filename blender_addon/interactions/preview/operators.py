"""The buttons of a preview: begin it, pause, step, begin anew, bake what is shown, end it."""

import time
from typing import Final

import bpy

from ....core.errors import FootfallError
from ...ui import translations
from ...ui.operator_base import FootfallOperator, require_armature
from ...ui.redraw import redraw
from ..operators import why_no_errands
from .draw import Showing
from .rollout import Acting

TICK_SECONDS: Final = 1 / 60


class _Shown:
    showing: Showing | None = None


def shown() -> Acting | None:
    """What is previewed now."""
    return _Shown.showing.acting if _Shown.showing else None


def end_showing() -> None:
    """Shows no preview any more."""
    showing, _Shown.showing = _Shown.showing, None
    if showing is not None:
        showing.stop()


class FOOTFALL_OT_preview_errands(FootfallOperator, bpy.types.Operator):
    """Show the active armature at its errands in the viewport, without changing anything; Esc ends it"""

    bl_idname = "footfall.preview_errands"
    bl_label = "Preview Errands"
    bl_options = {"REGISTER"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        if shown() is not None:
            return "A preview is shown: Esc ends it"
        return why_no_errands(context)

    def run(self, context: bpy.types.Context) -> str:
        _Shown.showing = Showing(Acting(require_armature(context), context))
        _Shown.showing.start()
        return "The preview is shown"

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        result = self.execute(context)
        if result != {"FINISHED"} or bpy.app.background or context.window is None:
            return result
        self.before = time.monotonic()
        self.timer = context.window_manager.event_timer_add(TICK_SECONDS, window=context.window)
        context.window_manager.modal_handler_add(self)
        context.workspace.status_text_set(
            translations.shown("Footfall previews errands   |   Space: pause   Esc: end it")
        )
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        acting = shown()
        if acting is None or (event.type == "ESC" and event.value == "PRESS"):
            self._end(context)
            return {"FINISHED"}
        if event.type == "SPACE" and event.value == "PRESS":
            acting.running = not acting.running
            return {"RUNNING_MODAL"}
        if event.type == "TIMER":
            now = time.monotonic()
            passed, self.before = now - self.before, now
            try:
                acting.tick(passed)
            except FootfallError as error:
                self._end(context)
                return self.refuse(error)
            redraw()
        return {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender closes or loads another file."""
        self._end(context)

    def _end(self, context: bpy.types.Context) -> None:
        end_showing()
        context.window_manager.event_timer_remove(self.timer)
        context.workspace.status_text_set(None)
        redraw()


class _OnPreview(FootfallOperator):
    """A mix-in for the buttons of a preview that is shown."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None if shown() else "No preview is shown: press Preview first"


class FOOTFALL_OT_pause_preview(_OnPreview, bpy.types.Operator):
    """Halt the preview, or go on with it"""

    bl_idname = "footfall.pause_preview"
    bl_label = "Pause Preview"
    bl_options = {"REGISTER"}

    def run(self, context: bpy.types.Context) -> str:
        acting = shown()
        assert acting is not None
        acting.running = not acting.running
        redraw()
        return "The preview goes on" if acting.running else "The preview is paused"


class FOOTFALL_OT_step_preview(_OnPreview, bpy.types.Operator):
    """Halt the preview and show its next frame"""

    bl_idname = "footfall.step_preview"
    bl_label = "Step Preview"
    bl_options = {"REGISTER"}

    def run(self, context: bpy.types.Context) -> str:
        acting = shown()
        assert acting is not None
        acting.running = False
        acting.follow()
        acting.advance(1)
        redraw()
        return f"Frame {len(acting.play.frames)}"


class FOOTFALL_OT_restart_preview(_OnPreview, bpy.types.Operator):
    """Begin the preview anew, with the errands and the scene as they are now"""

    bl_idname = "footfall.restart_preview"
    bl_label = "Restart Preview"
    bl_options = {"REGISTER"}

    def run(self, context: bpy.types.Context) -> str:
        acting = shown()
        assert acting is not None and _Shown.showing is not None
        armature = next((one for one in context.scene.objects if one.name_full == acting.armature_name), None)
        if armature is None:
            raise FootfallError(f"Armature '{acting.armature_name}' is gone: end the preview.")
        _Shown.showing.acting = Acting(armature, context)
        redraw()
        return "The preview begins anew"


class FOOTFALL_OT_bake_preview(_OnPreview, bpy.types.Operator):
    """Bake what the preview has shown, and from here on what is still to be done; the preview ends"""

    bl_idname = "footfall.bake_preview"
    bl_label = "Bake from Here"

    def run(self, context: bpy.types.Context) -> str:
        acting = shown()
        assert acting is not None
        end_showing()
        return acting.finish(context.scene).message


CLASSES = (
    FOOTFALL_OT_preview_errands,
    FOOTFALL_OT_pause_preview,
    FOOTFALL_OT_step_preview,
    FOOTFALL_OT_restart_preview,
    FOOTFALL_OT_bake_preview,
)

"""Adding a character and baking its walk along a path."""

import time
from typing import ClassVar

import bpy

from ..core.errors import FootfallError
from . import controllers
from .bake import Bake
from .character import add_character
from .guard import FootfallOperator, active_armature, require_armature, why_not_animatable
from .runs import in_words, redraw

SLICE_SECONDS = 0.1
SLICE_FRAMES = 4
TICK_SECONDS = 0.02


class FOOTFALL_OT_add_character(FootfallOperator, bpy.types.Operator):
    """Add an armature with the controller's skeleton and a simple body, ready to be directed"""

    bl_idname = "footfall.add_character"
    bl_label = "Add Character"

    controller: bpy.props.EnumProperty(items=controllers.enum_items, name="Controller", description="Whose skeleton")
    filepath: bpy.props.StringProperty(name="File", description="A controller's file", subtype="FILE_PATH")

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None if context.mode == "OBJECT" or active_armature(context) else "Leave Edit Mode first"

    def run(self, context: bpy.types.Context) -> str:
        name, model = controllers.load(self.controller, self.filepath)
        armature = add_character(context, model.skeleton, name.replace("_", " ").title())
        armature.footfall.controller = self.controller
        armature.footfall.controller_file = self.filepath
        return f"Added '{armature.name}': choose a path and bake"


class _BakeOperator(FootfallOperator):
    """Bakes with the active armature's settings: a slice a tick in a window, all at once without one."""

    running: ClassVar[bool] = False

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        if _BakeOperator.running:
            return "A bake is under way (Esc stops it)"
        reason = why_not_animatable(context)
        if reason is not None:
            return reason
        settings = require_armature(context).footfall
        if not controllers.is_known(settings.controller):
            return f"The controller '{settings.controller.partition(':')[2]}' is gone: choose another one"
        return "Choose a path: any curve" if settings.path is None else None

    def run(self, context: bpy.types.Context) -> str:
        bake = Bake(require_armature(context), context.scene)
        while bake.advance(SLICE_FRAMES):
            pass
        return bake.finish(context.scene).message

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if bpy.app.background or context.window is None:
            return self.execute(context)
        try:
            self.bake = Bake(require_armature(context), context.scene)
        except FootfallError as error:
            return self.refuse(error)
        self.begun = time.monotonic()
        self.timer = context.window_manager.event_timer_add(TICK_SECONDS, window=context.window)
        _BakeOperator.running = True
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if event.type == "ESC":
            self._end(context)
            self.report({"INFO"}, "Bake cancelled, nothing was changed")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            until = time.monotonic() + SLICE_SECONDS
            while more := self.bake.advance(SLICE_FRAMES):
                if time.monotonic() > until:
                    break
            if more:
                self._show(context)
                return {"RUNNING_MODAL"}
            message = self.bake.finish(context.scene).message
        except FootfallError as error:
            self._end(context)
            return self.refuse(error)
        except BaseException:
            self._end(context)
            raise
        self._end(context)
        self.report({"INFO"}, message)
        return {"FINISHED"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender closes or loads another file."""
        self._end(context)

    def _show(self, context: bpy.types.Context) -> None:
        session, fraction = context.window_manager.footfall, self.bake.fraction
        left = (time.monotonic() - self.begun) * (1 - fraction) / max(fraction, 1e-6)
        session.bake_fraction = fraction
        session.bake_progress = f"{100 * fraction:.0f} %, {in_words(left)} left"
        context.workspace.status_text_set(f"Footfall bakes: {session.bake_progress}   |   Esc: cancel")
        redraw()

    def _end(self, context: bpy.types.Context) -> None:
        _BakeOperator.running = False
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.footfall.bake_fraction = -1.0
        context.workspace.status_text_set(None)
        redraw()


class FOOTFALL_OT_bake_path(_BakeOperator, bpy.types.Operator):
    """Walk the active armature along the path: a new action is made, the old one is kept"""

    bl_idname = "footfall.bake_path"
    bl_label = "Bake Walk"


class FOOTFALL_OT_bake_again(_BakeOperator, bpy.types.Operator):
    """Bake with the same settings after the path or the speed was changed"""

    bl_idname = "footfall.bake_again"
    bl_label = "Bake Again"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = super().why_not(context)
        if reason is None and require_armature(context).footfall.baked is None:
            return "Nothing was baked on this armature yet"
        return reason

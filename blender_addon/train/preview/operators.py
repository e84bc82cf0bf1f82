"""The button that shows how a run's controller walks by now."""

from typing import Final

import bpy

from ....core.models.model_file import load_model
from ...ui import translations
from ...ui.modal_operator import SlicedOperator, Work
from ...ui.redraw import redraw
from ..active_run import OnRun
from ..run_export import SHARE, exported
from .draw import Showing
from .rollout import walk

TICK_SECONDS: Final = 1 / 30


class _Shown:
    showing: Showing | None = None


def is_shown() -> bool:
    """Whether there is a preview to be seen."""
    return _Shown.showing is not None


def end_showing() -> None:
    """Shows no preview any more."""
    showing, _Shown.showing = _Shown.showing, None
    if showing is not None:
        showing.stop()


class Previewing(OnRun, SlicedOperator):
    """A mix-in for the operator: exports, walks, then shows the walk until somebody ends it."""

    cancelled = "The preview is cancelled, nothing was changed"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        if is_shown():
            return "A preview is shown: Esc ends it"
        return cls.why_no_network(context)

    def work(self, context: bpy.types.Context) -> Work:
        run = self.folder(context)
        model = load_model((yield from exported(run)))
        walking = walk(context, run.path.name, model)
        while True:
            try:
                yield SHARE + (1 - SHARE) * next(walking), "walks"
            except StopIteration as done:
                self.preview = done.value
                return f"'{run.path.name}' walks {self.preview.clip.duration:.0f} s: {self.preview.quality}"

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if self._shows():
            return self._show_on(context, event)
        result = super().modal(context, event)
        if result != {"FINISHED"}:
            return result
        self.showing = _Shown.showing = Showing(self.preview)
        self.showing.start()
        self.timer = context.window_manager.event_timer_add(TICK_SECONDS, window=context.window)
        context.workspace.status_text_set(translations.shown("Footfall shows a preview   |   Esc: end it"))
        return {"RUNNING_MODAL"}

    def _show_on(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Has the next frame drawn; Esc ends it, and everything else is left to Blender."""
        if (event.type == "ESC" and event.value == "PRESS") or not is_shown():
            self._stop_showing(context)
            return {"FINISHED"}
        if event.type == "TIMER":
            redraw()
        return {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender closes or loads another file."""
        if self._shows():
            self._stop_showing(context)
        else:
            super().cancel(context)

    def _shows(self) -> bool:
        """Whether the walk is made, and there to be seen."""
        return getattr(self, "showing", None) is not None

    def _stop_showing(self, context: bpy.types.Context) -> None:
        end_showing()
        context.window_manager.event_timer_remove(self.timer)
        context.workspace.status_text_set(None)


class FOOTFALL_OT_preview_run(Previewing, bpy.types.Operator):
    """Show how the run's best network so far walks, along the active armature's path or a short course: Esc ends it"""

    bl_idname = "footfall.preview_run"
    bl_label = "Preview Run"
    bl_options = {"REGISTER"}


CLASSES = (FOOTFALL_OT_preview_run,)

"""The button that previews a walk by a run's controller."""

import bpy

from ....core.errors import FootfallError
from ....core.message import Message
from ....core.models.model_file import load_model
from ...ui.modal_operator import ModalWorkOperator, WorkSteps, part_of_work
from ...ui.redraw import tag_redraw_all
from ...ui.viewport_preview import PreviewModal, PreviewSlot
from ..active_run import ActiveRunOperator
from ..run_export import EXPORT_WORK_SHARE, export_controller
from .draw import RunPreview
from .rollout import make_preview_walk

_slot: PreviewSlot[RunPreview] = PreviewSlot()


def is_shown() -> bool:
    """Return whether a preview is shown."""
    return _slot.preview is not None


def stop_preview() -> None:
    """End the preview."""
    _slot.stop()


class RunPreviewOperator(PreviewModal, ActiveRunOperator, ModalWorkOperator):
    """A mix-in for the operator: exports, walks, then shows the walk until the user ends it."""

    needs_meters = True

    slot = _slot
    status = "Preview of the training run   |   Esc: End"
    cancel_message = "The preview was canceled: nothing was changed"
    is_showing = False
    """True while the walk is shown."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        if is_shown():
            return "A preview is running: press Esc to end it"
        return cls.why_no_controller(context)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        run = self.run_folder(context)
        model = load_model((yield from export_controller(run)))
        if model.is_interaction_controller:
            raise FootfallError(
                "The controller '{name}' is for interactions and has no test walk: press Use Controller, and "
                "preview its beats",
                name=run.path.name,
            )
        walking = make_preview_walk(context, run.path.name, model)
        self.preview = yield from part_of_work(walking, EXPORT_WORK_SHARE, 1.0, Message("Computing a test walk"))
        return Message(
            "The test walk of '{name}' lasts {duration} s: {quality}",
            name=run.path.name,
            duration=f"{self.preview.clip.duration:.0f}",
            quality=self.preview.quality,
        )

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if self.is_showing:
            return self._continue_preview(context, event)
        result = super().modal(context, event)
        if result != {"FINISHED"}:
            return result
        self.is_showing = True
        _slot.show(RunPreview(self.preview))
        self.start_ticking(context)
        return {"RUNNING_MODAL"}

    def _continue_preview(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Show the next frame; Esc ends the preview, and all other events are left to Blender."""
        if self.ends_preview(event):
            self.stop_ticking(context)
            return {"FINISHED"}
        if event.type == "TIMER":
            tag_redraw_all()
        return {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop the preview; called when Blender closes or loads another file."""
        if self.is_showing:
            self.stop_ticking(context)
        else:
            super().cancel(context)


class FOOTFALL_OT_preview_training_run(RunPreviewOperator, bpy.types.Operator):
    """Preview the run's best network so far on the active armature's path, or a short course"""

    bl_idname = "footfall.preview_training_run"
    bl_label = "Preview Training Run"
    bl_options = {"REGISTER"}


CLASSES = (FOOTFALL_OT_preview_training_run,)

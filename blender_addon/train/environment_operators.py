"""Operators that create and remove the trainer's environment, and check it."""

from itertools import count
from typing import Final

import bpy

from ...core.jobs.steps import mapped
from ...core.jobs.trainer_setup.doctor import examine, summarize_findings
from ...core.message import Message
from ..ui.modal_operator import ModalWorkOperator, WorkSteps
from ..ui.operator_base import FootfallOperator
from ..ui.preferences import addon_preferences, runs_folder
from ..ui.translations import translate_interface
from . import environment_setup
from .environment import configured_python, environment, environment_recipe, why_offline

DOWNLOAD_SIZE_TEXT: Final = Message("The download is about 250 MB for training on the CPU, and up to 3 GB with CUDA")
POPUP_WIDTH_PX: Final = 460
POPUP_WIDTH_CHARACTERS: Final = 90


class FOOTFALL_OT_install_training_environment(FootfallOperator, bpy.types.Operator):
    """Install a Python environment with PyTorch, for training, in Blender's user folder"""

    bl_idname = "footfall.install_training_environment"
    bl_label = "Install Environment"
    bl_options = {"REGISTER"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        if addon_preferences() is None:
            return "Enable Footfall as an add-on in the preferences first"
        if environment_setup.is_running():
            return "The training environment is being installed: wait until it is done"
        return why_offline(environment_recipe())

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if bpy.app.background:
            return self.execute(context)
        return context.window_manager.invoke_props_dialog(self, width=POPUP_WIDTH_PX)

    def draw(self, context: bpy.types.Context) -> None:
        chosen, column = environment_recipe(), self.layout.column(align=True)
        column.label(text="PyTorch and the other packages for training will be installed into this folder:")
        column.label(text=str(environment().folder))
        if chosen.wheels is not None:
            said = Message(
                "The packages are taken from the wheels in '{folder}', without a download", folder=chosen.wheels
            )
            column.label(text=translate_interface(said), translate=False)
            return
        for source in dict.fromkeys((chosen.torch_index or chosen.index or "pypi.org", chosen.index or "pypi.org")):
            said = Message("The packages are downloaded from {source}", source=source)
            column.label(text=translate_interface(said), translate=False)
        column.label(text=translate_interface(Message("{size}", size=DOWNLOAD_SIZE_TEXT)), translate=False)
        column.label(text="You can continue working during the installation, and cancel it in the panel")

    def run(self, context: bpy.types.Context) -> str:
        environment_setup.start_install()
        return "The training environment is being installed: see the progress in the panel"


class FOOTFALL_OT_cancel_training_environment(FootfallOperator, bpy.types.Operator):
    """Stop the installation of the training environment and delete its files"""

    bl_idname = "footfall.cancel_training_environment"
    bl_label = "Cancel Installation"
    bl_options = {"REGISTER"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return (
            None
            if environment_setup.is_running()
            else "No installation of the training environment is running in this Blender"
        )

    def run(self, context: bpy.types.Context) -> str:
        environment_setup.cancel_install()
        return "The incomplete training environment was deleted"


class FOOTFALL_OT_remove_training_environment(FootfallOperator, bpy.types.Operator):
    """Delete the training environment. Controllers and training runs are kept"""

    bl_idname = "footfall.remove_training_environment"
    bl_label = "Remove Environment"
    bl_options = {"REGISTER"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        if environment_setup.is_running():
            return "The training environment is being installed: cancel the installation first"
        return None if environment().folder.exists() else "There is no training environment: press Install Environment"

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if bpy.app.background:
            return self.execute(context)
        return context.window_manager.invoke_confirm(self, event)

    def run(self, context: bpy.types.Context) -> str:
        environment().remove()
        session = context.window_manager.footfall
        session.environment_status, session.environment_step, session.environment_error = "missing", "", ""
        return "The training environment was deleted"


class FOOTFALL_OT_check_training_setup(ModalWorkOperator, bpy.types.Operator):
    """Check all that training needs, and show how to fix what is missing"""

    bl_idname = "footfall.check_training_setup"
    bl_label = "Check Setup"
    bl_options = {"REGISTER"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None

    def work(self, context: bpy.types.Context) -> WorkSteps:
        steps = count(1)
        findings = yield from mapped(
            examine(configured_python(), runs_folder(), environment()),
            lambda _step: (1 - 0.98 ** next(steps), Message("Checking the training environment")),
        )
        session = context.window_manager.footfall
        session.setup_findings.clear()
        for finding in findings:
            item = session.setup_findings.add()
            item.level = finding.level
            item.text, item.remedy = translate_interface(finding.text), translate_interface(finding.remedy)
        return summarize_findings(findings)

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        result = super().modal(context, event)
        if result == {"FINISHED"}:
            said = summarize_findings(context.window_manager.footfall.setup_findings)
            context.window_manager.popup_menu(_draw_popup, title=translate_interface(said), icon="VIEWZOOM")
        return result


def _draw_popup(popup: bpy.types.UIPopupMenu, context: bpy.types.Context) -> None:
    from ..ui.panel_parts import draw_findings  # its buttons are the operators above

    draw_findings(popup.layout, context.window_manager.footfall, POPUP_WIDTH_CHARACTERS)


CLASSES = (
    FOOTFALL_OT_install_training_environment,
    FOOTFALL_OT_cancel_training_environment,
    FOOTFALL_OT_remove_training_environment,
    FOOTFALL_OT_check_training_setup,
)

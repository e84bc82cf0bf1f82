"""The buttons of the preferences: opening folders and emptying the cache."""

from pathlib import Path
from typing import Final

import bpy

from ...core.message import Message
from ..activities.walk import presets
from ..controllers import library
from ..train import cache
from ..ui.modal_operator import ModalWorkOperator
from ..ui.operator_base import FootfallOperator
from ..ui.preferences import cache_folder, runs_folder
from ..ui.translations import CONTEXT, translate_interface

FOLDER_ITEMS: Final = (
    ("RUNS", "Training Runs", "Open the folder of training runs"),
    ("CACHE", "Cache", "Open the folder of cached files, which can be regenerated"),
    ("CONTROLLERS", "Controllers", "Open the folder of your controllers"),
    ("PRESETS", "Presets", "Open the folder of your presets, which are kept when Footfall is uninstalled"),
)


def _presets_folder() -> Path:
    return Path(bpy.utils.user_resource("SCRIPTS", path="presets")) / Path(presets.PRESET_SUBFOLDER).parent


class FOOTFALL_OT_open_folder(FootfallOperator, bpy.types.Operator):
    """Open one of Footfall's folders in the file browser of the system"""

    bl_idname = "footfall.open_folder"
    bl_label = "Open Folder"
    bl_options = {"INTERNAL"}

    folder: bpy.props.EnumProperty(
        items=FOLDER_ITEMS, name="Folder", description="Folder to show", translation_context=CONTEXT
    )

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        return translate_interface(next(about for name, _, about in FOLDER_ITEMS if name == properties.folder))

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None

    def run(self, context: bpy.types.Context) -> str:
        find = {
            "RUNS": runs_folder,
            "CACHE": cache_folder,
            "CONTROLLERS": library.user_controllers_folder,
            "PRESETS": _presets_folder,
        }
        folder = find[self.folder]()
        folder.mkdir(parents=True, exist_ok=True)
        bpy.ops.wm.path_open(filepath=str(folder))
        return Message("The folder is '{folder}'", folder=folder)


class FOOTFALL_OT_empty_cache(FootfallOperator, bpy.types.Operator):
    """Delete cached files, which can be regenerated. Runs, controllers and presets are kept"""

    bl_idname = "footfall.empty_cache"
    bl_label = "Empty Cache"
    bl_options = {"REGISTER"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        if ModalWorkOperator.running:
            return "Footfall is busy with another operation: wait for it to end"
        if cache.is_in_use(context):
            return "A training run is active and may use the cache: stop the run, or wait for its end"
        return None if cache.list_cache(context) else "The cache is already empty"

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if bpy.app.background:
            return self.execute(context)
        self.sizes = [(item.title, cache.format_size(item.size())) for item in cache.list_cache(context)]
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, _context: bpy.types.Context) -> None:
        self.layout.label(text="These files will be deleted, and can be regenerated later:")
        for title, size in self.sizes:
            row = self.layout.row()
            row.label(text=title)
            row.label(text=size, translate=False)

    def run(self, context: bpy.types.Context) -> str:
        return cache.clear_cache(context)


CLASSES: Final = (FOOTFALL_OT_open_folder, FOOTFALL_OT_empty_cache)

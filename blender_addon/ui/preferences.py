"""The add-on's preferences: the trainer's Python, its packages, and Footfall's folders."""

from collections.abc import Callable
from pathlib import Path

import bpy

from ...core.errors import FootfallError
from .plain import flag, integer, text
from .redraw import tag_redraw_all

ROOT_PACKAGE = (__package__ or "").rpartition(".")[0].rpartition(".")[0]

more_preferences: list[Callable[[bpy.types.UILayout, bpy.types.Context], None]] = []
"""Functions of other rooms that draw below the preferences, added at registration."""


def addon_preferences() -> bpy.types.AddonPreferences | None:
    """Return the add-on's preferences; ``None`` if the package was registered without enabling the add-on."""
    addon = bpy.context.preferences.addons.get(ROOT_PACKAGE)
    return addon.preferences if addon else None


def runs_folder() -> Path:
    """Return the folder that holds one folder per training run; create it if it is missing.

    Raises:
        FootfallError: the folder cannot be created.
    """
    own = addon_preferences()
    chosen = bpy.path.abspath(own.runs_folder) if own and own.runs_folder else ""
    folder = Path(chosen or user_folder("runs"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FootfallError(
            "The runs folder '{folder}' cannot be created: choose another one in the Footfall preferences",
            folder=folder,
        ) from error
    return folder


def cache_folder() -> Path:
    """Return the folder for cached files; it may not exist yet."""
    own = addon_preferences()
    chosen = bpy.path.abspath(own.cache_folder) if own and own.cache_folder else ""
    return Path(chosen or user_folder("cache", create=False))


def thread_arguments() -> list[str]:
    """Return the arguments of ``footfall train`` that depend on this computer only."""
    own = addon_preferences()
    threads = own.threads if own else 0
    return ["--jobs", str(threads), "--set", f"threads={threads}"] if threads else []


def user_folder(name: str, create: bool = True) -> str:
    """Return the default folder for files of Footfall, outside the folder of the extension itself."""
    if ROOT_PACKAGE.startswith("bl_ext."):
        return bpy.utils.extension_path_user(ROOT_PACKAGE, path=name, create=create)
    return bpy.utils.user_resource("DATAFILES", path=f"footfall/{name}", create=create)


class FOOTFALL_preferences(bpy.types.AddonPreferences):
    """What holds for all files."""

    bl_idname = ROOT_PACKAGE

    training_python: text(
        "Python",
        "Python interpreter with PyTorch, for training. Leave empty to use the installed one",
        subtype="FILE_PATH",
    )
    base_python: text(
        "Base Python",
        "Python 3.11 or newer that creates the environment. Leave empty to use Blender's",
        subtype="FILE_PATH",
    )
    wheels_folder: text(
        "Wheels Folder",
        "Folder with all packages as wheels, to install them without an internet connection",
        subtype="DIR_PATH",
    )
    package_index: text(
        "Package Index", "Address of another package index. Leave empty to use the Python Package Index"
    )
    torch_index: text(
        "PyTorch Index", "Address of PyTorch's index for a CUDA, ROCm or CPU build. Leave empty for the default"
    )
    show_advanced: flag("Advanced", "Show the settings for the sources of the packages of the training environment")
    runs_folder: text(
        "Runs Folder", "Folder of training runs. Leave empty to use Blender's user folder", subtype="DIR_PATH"
    )
    cache_folder: text(
        "Cache Folder",
        "Folder for files that can be regenerated. Leave empty to use Blender's user folder",
        subtype="DIR_PATH",
    )
    terrain_patches_folder: text(
        "Terrain Patches Folder",
        "Folder of terrain patches, such as a shared one. Leave empty to use the cache folder",
        subtype="DIR_PATH",
    )
    threads: integer("Threads", "Number of processor threads for training. 0 uses all of them", 0, 0, 4096, soft_max=64)

    show_training_tools: flag(
        "Training Tools",
        "Show the panel Motion Capture, with the tools for labeling and training",
        True,
        update=lambda _own, _context: tag_redraw_all(),
    )

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "show_training_tools")
        for name, shows in (("runs_folder", "RUNS"), ("cache_folder", "CACHE")):
            row = layout.row(align=True)
            row.prop(self, name)
            row.operator("footfall.open_folder", text="Open").folder = shows
        layout.prop(self, "terrain_patches_folder")
        layout.prop(self, "threads")
        row = layout.row(align=True)
        row.operator("footfall.empty_cache", icon="TRASH")
        row.operator("footfall.open_folder", text="Open Controllers").folder = "CONTROLLERS"
        row.operator("footfall.open_folder", text="Open Presets").folder = "PRESETS"
        for draw in more_preferences:
            draw(layout, context)

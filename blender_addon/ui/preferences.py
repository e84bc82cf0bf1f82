"""The add-on's preferences: the trainer's Python, its packages, and folders."""

from collections.abc import Callable
from pathlib import Path

import bpy

from ...core.errors import FootfallError

ROOT_PACKAGE = (__package__ or "").rpartition(".")[0].rpartition(".")[0]

more_preferences: list[Callable[[bpy.types.UILayout, bpy.types.Context], None]] = []
"""Functions of other rooms that draw below the preferences; each appends its own when it is registered."""


def addon_preferences() -> bpy.types.AddonPreferences | None:
    """Return the add-on's preferences; ``None`` if the package is registered by hand instead of enabled."""
    addon = bpy.context.preferences.addons.get(ROOT_PACKAGE)
    return addon.preferences if addon else None


def runs_folder() -> Path:
    """Return the folder that holds one folder per training run; create it if it is missing.

    Raises:
        FootfallError: it cannot be made.
    """
    own = addon_preferences()
    chosen = bpy.path.abspath(own.runs_folder) if own and own.runs_folder else ""
    folder = Path(chosen or user_folder("runs"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FootfallError(
            "The runs folder '{folder}' cannot be made: choose another in the Footfall preferences.", folder=folder
        ) from error
    return folder


def cache_folder() -> Path:
    """Return the folder of cached files, which may not exist yet."""
    own = addon_preferences()
    chosen = bpy.path.abspath(own.cache_folder) if own and own.cache_folder else ""
    return Path(chosen or user_folder("cache", create=False))


def thread_arguments() -> list[str]:
    """Return the arguments of ``footfall train`` that depend only on this machine."""
    own = addon_preferences()
    threads = own.threads if own else 0
    return ["--jobs", str(threads), "--set", f"threads={threads}"] if threads else []


def user_folder(name: str, create: bool = True) -> str:
    """Return the default folder for Footfall's files, outside the extension's own folder."""
    if ROOT_PACKAGE.startswith("bl_ext."):
        return bpy.utils.extension_path_user(ROOT_PACKAGE, path=name, create=create)
    return bpy.utils.user_resource("DATAFILES", path=f"footfall/{name}", create=create)


class FOOTFALL_preferences(bpy.types.AddonPreferences):
    """What holds for all files."""

    bl_idname = ROOT_PACKAGE

    training_python: bpy.props.StringProperty(
        name="Trainer's Python",
        description="A Python that has torch; empty: the environment that Footfall makes. Only training needs it, "
        "labelling and baking do not",
        subtype="FILE_PATH",
    )
    base_python: bpy.props.StringProperty(
        name="Made With",
        description="The Python that the environment is made with, 3.11 or newer; empty: Blender's own",
        subtype="FILE_PATH",
    )
    wheels_folder: bpy.props.StringProperty(
        name="Wheels Folder",
        description="A folder that has all packages as wheels, for machines without network: nothing is downloaded",
        subtype="DIR_PATH",
    )
    package_index: bpy.props.StringProperty(
        name="Package Index",
        description="Address of the package index to download from, such as a studio's mirror; empty: pypi.org",
    )
    torch_index: bpy.props.StringProperty(
        name="Torch Index",
        description="Address of the index to take torch from, for another build of it: "
        "https://download.pytorch.org/whl/cpu is small and does without a graphics card; pytorch.org names those for "
        "CUDA and ROCm. Empty: as the package index has it",
    )
    runs_folder: bpy.props.StringProperty(
        name="Runs Folder",
        description="Where training runs are kept; empty: in Blender's own user folder",
        subtype="DIR_PATH",
    )
    cache_folder: bpy.props.StringProperty(
        name="Cache Folder",
        description="Where that is kept which can be made again, such as patches of ground; empty: in Blender's own "
        "user folder",
        subtype="DIR_PATH",
    )
    terrain_patches_folder: bpy.props.StringProperty(
        name="Patches Folder",
        description="Where the patches of ground are that are fitted under clips, such as a studio's; empty: in the "
        "cache folder",
        subtype="DIR_PATH",
    )
    threads: bpy.props.IntProperty(
        name="Threads",
        description="How many of the processor's threads training takes, for data sets too; 0: all of them. Fewer "
        "leave some to Blender",
        default=0,
        min=0,
        max=4096,
        soft_max=64,
    )

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
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

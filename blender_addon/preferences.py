"""The add-on's preferences: the Python that trains, and where the runs are kept."""

import os
import subprocess
from pathlib import Path

import bpy

from ..core.errors import FootfallError
from .guard import FootfallOperator

ROOT_PACKAGE = (__package__ or "").rpartition(".")[0]
CHECK_SECONDS = 120
NEEDED = "torch, numpy, scipy, safetensors, tqdm"


def preferences() -> bpy.types.AddonPreferences | None:
    """The add-on's preferences; ``None`` where the package is registered by hand instead of enabled as an add-on."""
    addon = bpy.context.preferences.addons.get(ROOT_PACKAGE)
    return addon.preferences if addon else None


def trainer_python() -> Path:
    """The Python that has torch; raises :class:`FootfallError` where none is set or it does not exist."""
    own = preferences()
    path = Path(bpy.path.abspath(own.trainer_python)) if own and own.trainer_python else None
    if path is None:
        raise FootfallError(
            "No Python for training is set: choose one that has torch in the Footfall preferences "
            "(Edit, Preferences, Add-ons)."
        )
    if not path.is_file():
        raise FootfallError(
            f"The Python for training, '{path}', does not exist: choose another in the Footfall preferences."
        )
    return path


def runs_folder() -> Path:
    """The folder that holds one folder per training run; made where it is missing.

    Raises:
        FootfallError: it cannot be made.
    """
    own = preferences()
    chosen = bpy.path.abspath(own.runs_folder) if own and own.runs_folder else ""
    folder = Path(chosen or user_folder("runs"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FootfallError(
            f"The runs folder '{folder}' cannot be made: choose another in the Footfall preferences."
        ) from error
    return folder


def user_folder(name: str, create: bool = True) -> str:
    """A folder for what Footfall makes, where the user says nothing else: never the extension's own folder."""
    if ROOT_PACKAGE.startswith("bl_ext."):
        return bpy.utils.extension_path_user(ROOT_PACKAGE, path=name, create=create)
    return bpy.utils.user_resource("DATAFILES", path=f"footfall/{name}", create=create)


def clean_environment() -> dict[str, str]:
    """This process's environment without what would lead another Python to Blender's modules."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}


class FOOTFALL_OT_check_trainer(FootfallOperator, bpy.types.Operator):
    """Ask the trainer's Python whether it has what training needs"""

    bl_idname = "footfall.check_trainer"
    bl_label = "Check"
    bl_options = {"INTERNAL"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        own = preferences()
        return None if own and own.trainer_python else "Choose the trainer's Python first"

    def run(self, context: bpy.types.Context) -> str:
        python = trainer_python()
        program = (
            f"import {NEEDED}; print(torch.__version__, 'with' if torch.cuda.is_available() else 'without', 'GPU')"
        )
        try:
            child = subprocess.run(
                [str(python), "-c", program],
                capture_output=True,
                text=True,
                timeout=CHECK_SECONDS,
                env=clean_environment(),
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise FootfallError(f"'{python}' could not be run ({error}): choose a Python that has torch.") from error
        if child.returncode != 0:
            reason = (child.stderr.strip().splitlines() or ["it ended without a word"])[-1]
            raise FootfallError(f"'{python}' cannot train ({reason}): install {NEEDED} in it or choose another.")
        return f"Ready to train: torch {child.stdout.strip()}"


class FOOTFALL_preferences(bpy.types.AddonPreferences):
    """What holds for all files."""

    bl_idname = ROOT_PACKAGE

    trainer_python: bpy.props.StringProperty(
        name="Trainer's Python",
        description="A Python that has torch; only training needs it, labelling and baking do not",
        subtype="FILE_PATH",
    )
    runs_folder: bpy.props.StringProperty(
        name="Runs Folder",
        description="Where training runs are kept; empty: in Blender's own user folder",
        subtype="DIR_PATH",
    )

    patches_folder: bpy.props.StringProperty(
        name="Patches Folder",
        description="Where the patches of ground are that are fitted under clips; empty: in Blender's own user folder",
        subtype="DIR_PATH",
    )

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        row = layout.row(align=True)
        row.prop(self, "trainer_python")
        row.operator(FOOTFALL_OT_check_trainer.bl_idname)
        layout.prop(self, "runs_folder")
        layout.prop(self, "patches_folder")

"""The Python of the trainer: set by the user, else the environment created by Footfall."""

import sys
from pathlib import Path

import bpy

from ...core.errors import FootfallError
from ...core.jobs.trainer_setup.environment import TrainerEnvironment
from ...core.jobs.trainer_setup.recipe import EnvironmentRecipe
from ..ui.preferences import addon_preferences, user_folder


def environment() -> TrainerEnvironment:
    """Return the trainer environment in Blender's user folder, which Footfall creates on request."""
    return TrainerEnvironment(Path(user_folder("trainer", create=False)))


def configured_python() -> Path | None:
    """Return the Python set for the trainer, which may not exist; ``None`` if none is set."""
    own = addon_preferences()
    if own and own.training_python:
        return Path(bpy.path.abspath(own.training_python))
    made = environment()
    return made.python if made.state() in ("ready", "outdated") else None


def require_training_python() -> Path:
    """Return the Python that has torch; raise :class:`FootfallError` if none is set or it does not exist."""
    path = configured_python()
    if path is None:
        state = environment().state()
        if state == "making":
            raise FootfallError("The training environment is being installed: wait until it is done")
        raise FootfallError(
            "No Python for training is installed: press Install Environment, or choose a Python with PyTorch "
            "in the Footfall preferences"
        )
    if not path.is_file():
        raise FootfallError(
            "The Python for training, '{path}', does not exist: choose another one in the Footfall preferences",
            path=path,
        )
    return path


def environment_recipe() -> EnvironmentRecipe:
    """Return the recipe for the environment, as set in the preferences."""
    own = addon_preferences()
    if own is None:
        return EnvironmentRecipe(blender_python())
    return EnvironmentRecipe(
        Path(bpy.path.abspath(own.base_python)) if own.base_python else blender_python(),
        wheels=Path(bpy.path.abspath(own.wheels_folder)) if own.wheels_folder else None,
        index=own.package_index.strip(),
        torch_index=own.torch_index.strip(),
    )


def blender_python() -> Path:
    """Return the path of Blender's Python, which creates environments and is never changed itself."""
    return Path(sys.executable)


def why_offline(chosen: EnvironmentRecipe) -> str | None:
    """Return the reason why an environment cannot be created while Blender is offline; ``None`` if it can."""
    if not chosen.needs_network or bpy.app.online_access:
        return None
    return (
        "Blender may not go online: switch on Allow Online Access in the System preferences, or choose a Wheels Folder"
    )

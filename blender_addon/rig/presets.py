"""Rig maps that can be loaded by name: shipped ones, and the user's own, each in a TOML file."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.jobs.file_names import unreserved
from ...core.jobs.locked_files import when_free
from ...core.rig.rig_map import RigMap, bind_rig_map, load_rig_map, save_rig_map, shipped_rig_maps

SHIPPED_PREFIX: Final = "shipped:"
USER_PREFIX: Final = "own:"
PRESET_SUBFOLDER: Final = "footfall/rigs"


def user_presets_folder() -> Path:
    """Return the folder for the user's presets; it is next to Blender's other preset folders."""
    return Path(bpy.utils.user_resource("SCRIPTS", path="presets")) / PRESET_SUBFOLDER


def shipped_items() -> list[tuple[str, str]]:
    """Return the identifiers and titles of the shipped presets, sorted by title."""
    items = [(SHIPPED_PREFIX + stem, rig_map.name) for stem, rig_map in shipped_rig_maps().items()]
    return sorted(items, key=lambda item: item[1].casefold())


def user_items() -> list[tuple[str, str]]:
    """Return the identifiers and titles of the user's presets."""
    files = sorted(user_presets_folder().glob("*.toml")) if user_presets_folder().is_dir() else []
    return [(USER_PREFIX + file.stem, bpy.path.display_name(file.name, title_case=False)) for file in files]


def load(identifier: str) -> RigMap:
    """Load the rig map of a preset.

    Raises:
        FootfallError: the preset does not exist or cannot be read.
    """
    if identifier.startswith(SHIPPED_PREFIX):
        rig_map = shipped_rig_maps().get(identifier.removeprefix(SHIPPED_PREFIX))
        if rig_map is not None:
            return rig_map
        raise FootfallError(
            "Footfall includes no rig preset '{name}': choose another one",
            name=identifier.removeprefix(SHIPPED_PREFIX),
        )
    return load_rig_map(_preset_file(identifier))


def match_to_armature(rig_map: RigMap, armature: bpy.types.Object) -> RigMap:
    """Return a preset's map with the bone names used in an armature; bones that the armature lacks are left out."""
    return bind_rig_map(rig_map, armature.data.bones.keys())


def with_name(rig_map: RigMap, name: str) -> RigMap:
    """Return a rig map with its name changed."""
    return replace(rig_map, name=name)


def save(rig_map: RigMap) -> str:
    """Save a rig map as a user preset under the map's name, replacing a preset of the same name.

    Returns:
        the preset's identifier.

    Raises:
        FootfallError: the map has no name, or the file cannot be written.
    """
    stem = unreserved(bpy.path.clean_name(rig_map.name.strip()))
    if not stem.strip("_"):
        raise FootfallError("The rig preset has no name: enter one")
    try:
        user_presets_folder().mkdir(parents=True, exist_ok=True)
        save_rig_map(rig_map, user_presets_folder() / f"{stem}.toml")
    except OSError as error:
        raise FootfallError(
            "The rig preset '{name}' cannot be saved ({error}): check the permissions of the presets folder",
            name=rig_map.name,
            error=error.strerror,
        ) from error
    return USER_PREFIX + stem


def remove(identifier: str) -> str:
    """Remove a user preset; return its file name without suffix.

    Raises:
        FootfallError: the preset ships with Footfall, or cannot be removed.
    """
    file = _preset_file(identifier)
    try:
        when_free(file.unlink, file)
    except OSError as error:
        raise FootfallError(
            "The rig preset '{name}' cannot be removed ({error}): check the permissions of the presets folder",
            name=file.stem,
            error=error.strerror,
        ) from error
    return file.stem


def is_user_preset(identifier: str) -> bool:
    """Return whether an identifier is that of a user preset whose file exists."""
    return identifier.startswith(USER_PREFIX) and _preset_file(identifier).is_file()


def _preset_file(identifier: str) -> Path:
    stem = identifier.removeprefix(USER_PREFIX)
    if not identifier.startswith(USER_PREFIX) or not stem or Path(stem).name != stem:
        raise FootfallError("The rig presets of Footfall cannot be changed: save the bone map as your own preset")
    return user_presets_folder() / f"{stem}.toml"

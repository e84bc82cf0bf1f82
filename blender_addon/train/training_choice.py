"""The training presets that a user can choose: shipped ones, and the user's own, each in a TOML file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.jobs.training_preset import TrainingPreset, presets_in, shipped_presets

USER_PREFIX: Final = "own:"
PRESET_SUBFOLDER: Final = "footfall/training"
DEFAULT_PRESET: Final = "quick"
FINE_TUNE_PRESET: Final = "fine_tune"
"""The preset of runs that fine-tune a controller; selecting a base controller selects it."""


def user_presets_folder() -> Path:
    """Return the folder of the user's presets, beside all other presets of Blender."""
    return Path(bpy.utils.user_resource("SCRIPTS", path="presets")) / PRESET_SUBFOLDER


def _listed(shipped: Sequence[TrainingPreset], own: Sequence[TrainingPreset]) -> tuple[tuple[str, TrainingPreset], ...]:
    """Return the presets with their identifiers."""
    begun = ((preset.name, preset) for preset in shipped if preset.name != FINE_TUNE_PRESET)
    return (*begun, *((USER_PREFIX + preset.name, preset) for preset in own))


def _items(listed: Sequence[tuple[str, TrainingPreset]]) -> tuple[tuple[str, str, str, int], ...]:
    return tuple(
        (identifier, preset.title, preset.description, number) for number, (identifier, preset) in enumerate(listed)
    )


class _PresetList:
    """The list as last read; Blender keeps pointers to an enum's strings, so they must stay alive."""

    listed = _listed(shipped_presets(), ())
    items = _items(listed)


def refresh() -> None:
    """Read the user's folder again; called after possible changes, never while a panel is drawn."""
    listed = _listed(shipped_presets(), presets_in(user_presets_folder()))
    if listed != _PresetList.listed:
        _PresetList.listed, _PresetList.items = listed, _items(listed)


def enum_items(_owner: object, _context: bpy.types.Context | None) -> tuple[tuple[str, str, str, int], ...]:
    """Return the items of a drop-down list."""
    return _PresetList.items


def number_of(identifier: str) -> int:
    """Return the item's number in the current list; that of the first item if it is not in it."""
    return next((item[3] for item in _PresetList.items if item[0] == identifier), 0)


def identifier_of(number: int) -> str:
    """Return the identifier of the item with a number in the current list."""
    return _PresetList.items[min(number, len(_PresetList.items) - 1)][0]


def description_of(identifier: str) -> str:
    """Return the description of a preset, in a line; empty if it has none or is missing."""
    return next((preset.description for listed, preset in _PresetList.listed if listed == identifier), "")


def is_of_interactions(identifier: str) -> bool:
    """Return whether a preset trains on takes of interactions that are composed of the clips."""
    return any(preset.is_of_interactions for listed, preset in _PresetList.listed if listed == identifier)


def preset_argument(identifier: str) -> str:
    """Return the trainer's argument: the name of a shipped preset, or the path of a user's.

    Raises:
        FootfallError: the preset does not exist.
    """
    refresh()
    for listed, preset in _PresetList.listed:
        if listed == identifier:
            return str(preset.path) if identifier.startswith(USER_PREFIX) else preset.name
    raise FootfallError(
        "The training preset '{removeprefix}' is gone: choose another one",
        removeprefix=identifier.removeprefix(USER_PREFIX),
    )

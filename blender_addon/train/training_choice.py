"""The training presets that a user can choose from: those that ship, and the user's own, a TOML file each."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.jobs.training_preset import SHIPPED, TrainingPreset, presets_in

OWN: Final = "own:"
SUBFOLDER: Final = "footfall/training"
DEFAULT: Final = "quick"
FINE_TUNE: Final = "fine_tune"
"""The preset of runs that go on from a controller, which is chosen by choosing one."""


def folder() -> Path:
    """Where the user's own are: beside the presets of everything else in Blender."""
    return Path(bpy.utils.user_resource("SCRIPTS", path="presets")) / SUBFOLDER


def _listed(shipped: Sequence[TrainingPreset], own: Sequence[TrainingPreset]) -> tuple[tuple[str, TrainingPreset], ...]:
    """Identifiers and presets."""
    begun = ((preset.name, preset) for preset in shipped if preset.name != FINE_TUNE)
    return (*begun, *((OWN + preset.name, preset) for preset in own))


def _items(listed: Sequence[tuple[str, TrainingPreset]]) -> tuple[tuple[str, str, str, int], ...]:
    return tuple(
        (identifier, preset.title, preset.description, number) for number, (identifier, preset) in enumerate(listed)
    )


class _Known:
    """The list as it was last read; Blender keeps pointers to an enum's strings, so they must live on."""

    listed = _listed(presets_in(SHIPPED), ())
    items = _items(listed)


def refresh() -> None:
    """Reads the user's folder again. Called when something may have changed, never while a panel is drawn."""
    listed = _listed(presets_in(SHIPPED), presets_in(folder()))
    if listed != _Known.listed:
        _Known.listed, _Known.items = listed, _items(listed)


def enum_items(_owner: object, _context: bpy.types.Context | None) -> tuple[tuple[str, str, str, int], ...]:
    """The items of a drop-down list."""
    return _Known.items


def number_of(identifier: str) -> int:
    """The item's number in the list as it is now; that of the first where it is not in it."""
    return next((item[3] for item in _Known.items if item[0] == identifier), 0)


def identifier_of(number: int) -> str:
    """The item with a number in the list as it is now."""
    return _Known.items[min(number, len(_Known.items) - 1)][0]


def description_of(identifier: str) -> str:
    """What a preset is for, in a line; empty where it does not say, or is gone."""
    return next((preset.description for listed, preset in _Known.listed if listed == identifier), "")


def argument_of(identifier: str) -> str:
    """What the trainer is told: the name of a preset that ships, the path of one's own.

    Raises:
        FootfallError: it is gone.
    """
    refresh()
    for listed, preset in _Known.listed:
        if listed == identifier:
            return str(preset.path) if identifier.startswith(OWN) else preset.name
    raise FootfallError(f"The training preset '{identifier.removeprefix(OWN)}' is gone: choose another one.")

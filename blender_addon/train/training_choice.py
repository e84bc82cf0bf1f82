"""The training presets that a user can choose: shipped ones, and the user's own, each in a TOML file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.jobs.training_preset import FEATURED_PRESETS, TrainingPreset, presets_in, shipped_presets

USER_PREFIX: Final = "own:"
PRESET_SUBFOLDER: Final = "footfall/training"
DEFAULT_PRESET: Final = "quick"
FINE_TUNE_PRESET: Final = "fine_tune"
"""The preset of runs that fine-tune a controller; selecting a base controller selects it."""


RESEARCH: Final = "research"
"""The item for all presets that are not featured, with a second choice among them."""

Item = tuple[str, str, str, int]
Listed = tuple[str, TrainingPreset]


def user_presets_folder() -> Path:
    """Return the folder for the user's presets; it is next to Blender's other preset folders."""
    return Path(bpy.utils.user_resource("SCRIPTS", path="presets")) / PRESET_SUBFOLDER


def _listed(shipped: Sequence[TrainingPreset], own: Sequence[TrainingPreset]) -> tuple[Listed, ...]:
    """Return the presets as list entries with identifiers, shipped ones first."""
    begun = ((preset.name, preset) for preset in shipped if preset.name != FINE_TUNE_PRESET)
    return (*begun, *((USER_PREFIX + preset.name, preset) for preset in own))


def _is_research(identifier: str) -> bool:
    """Return whether a preset is shipped but not featured."""
    return not identifier.startswith(USER_PREFIX) and identifier not in FEATURED_PRESETS


def _items(listed: Sequence[Listed]) -> tuple[Item, ...]:
    return tuple(
        (identifier, preset.title, preset.description, number) for number, (identifier, preset) in enumerate(listed)
    )


def _main_items(listed: Sequence[Listed]) -> tuple[Item, ...]:
    """Return the items of the main list: featured presets, the user's own, and one item for all others."""
    main = _items([entry for entry in listed if not _is_research(entry[0])])
    return (
        *main,
        (
            RESEARCH,
            "Research",
            "Choose one of the other networks and bodies, such as those from research papers",
            len(main),
        ),
    )


def _research_items(listed: Sequence[Listed]) -> tuple[Item, ...]:
    return _items([entry for entry in listed if _is_research(entry[0])])


class _PresetList:
    """The list as last read; Blender keeps pointers to an enum's strings, so they must stay alive."""

    listed = _listed(shipped_presets(), ())
    items = _main_items(listed)
    research_items = _research_items(listed)


def refresh() -> None:
    """Read the user's folder again; call this after possible changes, but never while a panel is drawn."""
    listed = _listed(shipped_presets(), presets_in(user_presets_folder()))
    if listed != _PresetList.listed:
        _PresetList.listed, _PresetList.items = listed, _main_items(listed)
        _PresetList.research_items = _research_items(listed)


def identifiers() -> list[str]:
    """Return the identifiers of all presets in the current list."""
    return [identifier for identifier, _ in _PresetList.listed]


def enum_items(_owner: object, _context: bpy.types.Context | None) -> tuple[Item, ...]:
    """Return the items for the drop-down list of presets."""
    return _PresetList.items


def research_items(_owner: object, _context: bpy.types.Context | None) -> tuple[Item, ...]:
    """Return the items for the drop-down list of research presets."""
    return _PresetList.research_items


def number_of(identifier: str) -> int:
    """Return the number of a preset in the menu: that of *Research* for a research preset, 0 for a missing preset."""
    known = any(item[0] == identifier for item in _PresetList.research_items)
    wanted = RESEARCH if known else identifier
    return next((item[3] for item in _PresetList.items if item[0] == wanted), 0)


def identifier_of(number: int, present: str) -> str:
    """Return the identifier of the preset with a number in the menu.

    For *Research*, it is ``present`` if that is a research preset, else the first research preset.
    """
    chosen = _PresetList.items[min(number, len(_PresetList.items) - 1)][0]
    if chosen != RESEARCH:
        return chosen
    return present if number_of(present) == number else _PresetList.research_items[0][0]


def research_number_of(identifier: str) -> int:
    """Return the number of a research preset in the menu of research presets; 0 if the preset is missing."""
    return next((item[3] for item in _PresetList.research_items if item[0] == identifier), 0)


def research_identifier_of(number: int) -> str:
    """Return the identifier of the research preset with the given number in the menu; the last one beyond its end."""
    return _PresetList.research_items[min(number, len(_PresetList.research_items) - 1)][0]


def description_of(identifier: str) -> str:
    """Return the one-line description of a preset; empty if there is none."""
    return next((preset.description for listed, preset in _PresetList.listed if listed == identifier), "")


def is_of_interactions(identifier: str) -> bool:
    """Return whether a preset trains on interaction takes composed of the clips."""
    return any(preset.is_of_interactions for listed, preset in _PresetList.listed if listed == identifier)


def preset_argument(identifier: str) -> str:
    """Return the trainer's argument for a preset: the name of a shipped one, or the path of a user's one.

    Raises:
        FootfallError: the preset does not exist.
    """
    refresh()
    for listed, preset in _PresetList.listed:
        if listed == identifier:
            return str(preset.path) if identifier.startswith(USER_PREFIX) else preset.name
    raise FootfallError(
        "The training preset '{name}' no longer exists: choose another one",
        name=identifier.removeprefix(USER_PREFIX),
    )

"""The controllers that a user can choose: shipped ones, copies kept by the user, trained ones, and any file."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import bpy

from ...core.control.interaction.task import action_by_itself, unknown_action
from ...core.control.walk.plan import model_styles
from ...core.errors import FootfallError
from ...core.features.interaction import ACTIONS, FIRST_ACTION_COUNT, goal_actions_of
from ...core.jobs.bounded_files import read_toml
from ...core.jobs.run_folder import RunFolder
from ...core.jobs.training_preset import composes_interactions
from ...core.message import Message
from ...core.models.model_file import ControllerModel, load_model
from ..ui.preferences import runs_folder, user_folder

SHIPPED_FOLDER = Path(__file__).parents[2] / "presets" / "controllers"
DEFAULT_STEM = "locomotion"
"""File name of the controller that is first in the list, and the default."""
FILE_IDENTIFIER = "file"
USER_PREFIX = "own:"


@dataclass(frozen=True, slots=True)
class ControllerEntry:
    """A controller in the list: its stored identifier, its displayed name and its file."""

    identifier: str
    label: str
    description: str
    path: Path


def _list_shipped() -> list[ControllerEntry]:
    files = sorted(SHIPPED_FOLDER.glob("*.safetensors"), key=lambda file: (file.stem != DEFAULT_STEM, file.stem))
    return [
        ControllerEntry(
            f"preset:{file.stem}", _title_of_stem(file.stem), "Salsa controller that is included in Footfall", file
        )
        for file in files
    ]


def user_controllers_folder() -> Path:
    """Return the folder for the user's controllers; it may not exist yet."""
    return Path(user_folder("controllers", create=False))


def user_interactions_folder() -> Path:
    """Return the folder for the user's interaction controllers; it may not exist yet."""
    return user_controllers_folder() / "interactions"


def _list_user(folder: Path) -> list[ControllerEntry]:
    files = sorted(folder.glob("*.safetensors"))
    return [
        ControllerEntry(
            f"{USER_PREFIX}{file.stem}",
            _title_of_stem(file.stem),
            "Controller trained and saved on this computer",
            file,
        )
        for file in files
    ]


def _list_trained(runs: Path) -> list[ControllerEntry]:
    folders = [RunFolder(path) for path in sorted(runs.iterdir()) if path.is_dir()]
    return [
        ControllerEntry(f"run:{run.path.name}", run.path.name, "Controller trained on this computer", run.model_path)
        for run in folders
        if run.model_path.is_file() and not _is_of_interactions(run)
    ]


def _is_of_interactions(run: RunFolder) -> bool:
    """Return whether a run trains an interaction controller; false if its settings are unreadable."""
    try:
        return composes_interactions(read_toml(run.config_path).get("training", {}))
    except (OSError, ValueError, AttributeError, TypeError):
        return False


def title_of(name: str) -> str:
    """Return the title to display for a controller, given the name that :func:`find` returns."""
    return next((entry.label for entry in _ControllerList.entries if entry.path.stem == name), name)


def _title_of_stem(stem: str) -> str:
    return stem.replace("_", " ").replace("-", " ").capitalize()


def _enum_items(choices: Sequence[ControllerEntry]) -> tuple[tuple[str, str, str, int], ...]:
    listed = [(choice.identifier, choice.label, choice.description, number) for number, choice in enumerate(choices)]
    return (
        *listed,
        (FILE_IDENTIFIER, "From File", "Controller from a file", len(listed)),
    )


class _ControllerList:
    """The list as last read; Blender keeps pointers to an enum's strings, so they must stay alive."""

    entries: tuple[ControllerEntry, ...] = tuple(_list_shipped())
    items = _enum_items(entries)


def refresh() -> None:
    """Read the folders again; call this after possible changes, but never while a panel is drawn."""
    _ControllerList.entries = (*_list_shipped(), *_list_user(user_controllers_folder()), *_list_trained(runs_folder()))
    _ControllerList.items = _enum_items(_ControllerList.entries)


def is_known(identifier: str) -> bool:
    """Return whether a controller is in the list; an empty identifier stands for the first one."""
    return not identifier or any(item[0] == identifier for item in _ControllerList.items)


def enum_items(_owner: object, _context: bpy.types.Context | None) -> tuple[tuple[str, str, str, int], ...]:
    """Return the items of the drop-down list of controllers."""
    return _ControllerList.items


def number_of(identifier: str) -> int:
    """Return the number of an item in the current list, or of the first item if it is missing."""
    return next((item[3] for item in _ControllerList.items if item[0] == identifier), 0)


def identifier_of(number: int) -> str:
    """Return the identifier of the controller list's item with a number; the last item's if the number is too high."""
    return _ControllerList.items[min(number, len(_ControllerList.items) - 1)][0]


def find(identifier: str, file: str) -> tuple[str, Path]:
    """Return the name and file of a controller, given its identifier.

    Args:
        identifier: identifier of a choice, or :data:`FILE_IDENTIFIER`, or empty for the first in the list.
        file: the path for :data:`FILE_IDENTIFIER`.

    Raises:
        FootfallError: there is no such controller.
    """
    identifier = identifier or _ControllerList.items[0][0]
    if identifier == FILE_IDENTIFIER:
        if not file:
            raise FootfallError("No controller is selected: choose one from the list, or a file")
        path = Path(bpy.path.abspath(file))
        return path.stem, path
    choice = next((choice for choice in _ControllerList.entries if choice.identifier == identifier), None)
    if choice is None:
        raise FootfallError(
            "The controller '{name}' is no longer in the list: choose another one",
            name=identifier.partition(":")[2],
        )
    return choice.path.parent.name if identifier.startswith("run:") else choice.path.stem, choice.path


@cache
def shipped_interaction_controllers() -> tuple[Path, ...]:
    """Return the files of the shipped interaction controllers, the one with the most actions first."""
    return tuple(sorted((SHIPPED_FOLDER / "interactions").glob("*.safetensors")))


def interaction_controller_path(file: str, wanted: Collection[str] = ()) -> Path:
    """Return an interaction controller's file: the chosen one, or the first shipped one with the wanted actions.

    Raises:
        FootfallError: no file is chosen, and no controller is shipped.
    """
    shipped = shipped_interaction_controllers()
    if file:
        return Path(bpy.path.abspath(file))
    if not shipped:
        raise FootfallError("This version of Footfall includes no interaction controller: choose your own file")
    return next((path for path in shipped if set(wanted) <= set(_known_goal_actions(path, wanted))), shipped[0])


def load_interaction_controller(file: str, wanted: Collection[str] = ()) -> tuple[str, ControllerModel]:
    """Load the interaction controller in a file, or a shipped one; return its name and model.

    Args:
        file: the chosen file; empty for the first shipped one that knows the wanted actions.
        wanted: actions of the tasks.

    Raises:
        FootfallError: there is no controller, or it is invalid or walks along paths.
    """
    path = interaction_controller_path(file, wanted)
    model = load_model(path)
    if not model.is_interaction_controller:
        raise FootfallError(
            "The controller '{name}' can only walk along paths: choose an interaction controller", name=path.name
        )
    return path.stem, model


def _known_goal_actions(path: Path, wanted: Collection[str]) -> tuple[str, ...]:
    """Return the actions that an interaction controller can perform on command.

    The file is read only if some wanted action is not known to every controller. An unreadable file counts as knowing
    all of them, since the bake reports the error.
    """
    known = goal_actions_of(ACTIONS[:FIRST_ACTION_COUNT])
    if set(wanted) <= set(known):
        return known
    try:
        stat = path.stat()
        return _load_cached(path, stat.st_mtime_ns, stat.st_size).taught_goals
    except (OSError, FootfallError):
        return tuple(wanted)


def why_unknown(file: str, wanted: Sequence[str]) -> Message | None:
    """Return the reason why the interaction controller cannot do all wanted actions; ``None`` if it can.

    Raises:
        FootfallError: no file is chosen, and no controller is shipped.
    """
    path = interaction_controller_path(file, wanted)
    known = _known_goal_actions(path, wanted)
    unknown = next((action for action in wanted if action not in known), None)
    if unknown is None:
        return None
    shipped = shipped_interaction_controllers()
    if not file and any(unknown in _known_goal_actions(one, [unknown]) for one in shipped):
        return action_by_itself(unknown)
    return unknown_action(unknown, f"'{path.stem}'")


def load(identifier: str, file: str) -> tuple[str, ControllerModel]:
    """Load a controller and return its name and model; raise :class:`FootfallError` if it is missing or invalid."""
    name, path = find(identifier, file)
    try:
        stat = path.stat()
    except OSError:
        return name, load_model(path)  # reports errors of the file
    return name, _load_cached(path, stat.st_mtime_ns, stat.st_size)


@dataclass(frozen=True, slots=True)
class ControllerTraits:
    """The choices that a controller offers: its styles besides walking and running, and its performers."""

    styles: tuple[str, ...] = ()
    performers: tuple[str, ...] = ()


def traits_of(identifier: str, file: str) -> ControllerTraits:
    """Return the cached traits of a controller; no traits if it is unreadable."""
    try:
        _, path = find(identifier, file)
        stat = path.stat()
    except (FootfallError, OSError):
        return ControllerTraits()
    return _traits_cached(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _traits_cached(path: Path, _changed: int, _size: int) -> ControllerTraits:
    try:
        model = load_model(path)
    except FootfallError:
        return ControllerTraits()
    return ControllerTraits(model_styles(model), tuple(model.performers))


@lru_cache(maxsize=4)
def _load_cached(path: Path, _changed: int, _size: int) -> ControllerModel:
    return load_model(path)

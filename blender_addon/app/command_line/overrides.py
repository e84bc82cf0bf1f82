"""What a command line says otherwise than the settings that are stored with a character."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import bpy

from ....core.errors import FootfallError
from .controller_choice import chosen, file_of

SETTINGS: Final = ("path", "speed", "seed", "style")
"""Options that are settings of walks along paths."""
PATHS_ONLY: Final = (*SETTINGS, "together")
"""Options that errands have no use for."""

Change = tuple[bpy.types.PropertyGroup, str, Any]
"""Whose setting, its name, and its new value."""


def changes_of(options: argparse.Namespace, settings: bpy.types.PropertyGroup) -> list[Change]:
    """What the options change of a character's settings."""
    given = {name: getattr(options, name) for name in SETTINGS if getattr(options, name) is not None}
    if "path" in given:
        given["path"] = bpy.data.objects.get(options.path)
        if given["path"] is None:
            raise FootfallError(f"There is no object '{options.path}' to walk along.")
    if options.controller is not None:
        given |= _controller(options.controller, options.errands)
    changes = [(settings, name, value) for name, value in given.items()]
    if options.start is not None and settings.output.destination == "RANGE":
        changes.append((settings.output, "first", options.start))
    elif options.start is not None:
        changes.append((settings, "start", "CURRENT"))
    return changes


def _controller(name: str, errands: bool) -> dict[str, str]:
    """The settings by which a controller is chosen."""
    if errands:
        return {"interaction_file": file_of(name)}
    identifier, file = chosen(name)
    return {"controller": identifier, "controller_file": file}


@contextmanager
def changed(changes: Sequence[Change]) -> Iterator[None]:
    """Changes settings; what goes wrong in the body brings back what they were."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in changes]
    _set(changes)
    try:
        yield
    except BaseException:
        _set(before)
        raise


def _set(changes: Sequence[Change]) -> None:
    for owner, name, value in changes:
        setattr(owner, name, value)

"""Options of a command line that override the settings stored with a character."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import bpy

from ....core.errors import FootfallError
from .controller_choice import require_controller_file, resolve_controller

WALK_OPTIONS: Final = {
    "path": "path",
    "speed": "speed",
    "seed": "seed",
    "performer": "performer",
    "performer-share": "performer_share",
    "variation": "control_variation",
    "responsiveness": "responsiveness",
    "style": "style",
}
"""Options that are settings of walks along paths, and the settings."""
WALK_ONLY_OPTIONS: Final = WALK_OPTIONS | {"crowd": "crowd"}
"""Options that interaction tasks do not use."""

SettingChange = tuple[bpy.types.PropertyGroup, str, Any]
"""The owner of a setting, its name, and its new value."""


def setting_changes(options: argparse.Namespace, settings: bpy.types.PropertyGroup) -> list[SettingChange]:
    """Return the changes to a character's settings that the options request."""
    given = {name: getattr(options, name) for name in WALK_OPTIONS.values() if getattr(options, name) is not None}
    if "path" in given:
        given["path"] = bpy.data.objects.get(options.path)
        if given["path"] is None:
            raise FootfallError("There is no object '{name}' to walk along: check the name", name=options.path)
    if options.controller is not None:
        given |= _controller_settings(options.controller, options.interactions)
    changes = [(settings, name, value) for name, value in given.items()]
    if options.start is not None and settings.output.destination == "RANGE":
        changes.append((settings.output, "frame_start", options.start))
    elif options.start is not None:
        changes.append((settings, "start", "CURRENT"))
    return changes


def _controller_settings(name: str, interactions: bool) -> dict[str, str]:
    """Return the settings that select a controller by name."""
    if interactions:
        return {"interaction_controller_file": require_controller_file(name)}
    identifier, file = resolve_controller(name)
    return {"controller": identifier, "controller_file": file}


@contextmanager
def applied_changes(changes: Sequence[SettingChange]) -> Iterator[None]:
    """Apply changes to settings; restore the old settings if the body raises an exception."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in changes]
    _apply(changes)
    try:
        yield
    except BaseException:
        _apply(before)
        raise


def _apply(changes: Sequence[SettingChange]) -> None:
    for owner, name, value in changes:
        setattr(owner, name, value)

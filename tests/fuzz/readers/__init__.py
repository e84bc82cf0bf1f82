"""Every reader of the project: functions that read a file which people, other programs or a crash may have made."""

from collections.abc import Iterator
from importlib import import_module
from typing import Final

from ..reader import Reader

ROOMS: Final = ("motion", "scene", "commands", "runs", "addon", "training")
"""Modules with readers; those of ``training`` come last, since Blender's Python has no torch."""


def all_readers() -> Iterator[Reader]:
    for room in ROOMS:
        yield from import_module(f"{__name__}.{room}").READERS


def find_reader(name: str) -> Reader:
    """Return the reader of a name; raises ``SystemExit`` if there is none."""
    found = next((one for one in all_readers() if one.name == name), None)
    if found is None:
        raise SystemExit(f"there is no reader '{name}': choose one of {', '.join(one.name for one in all_readers())}")
    return found

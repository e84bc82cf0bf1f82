"""Options for reading motion files, and notes on how they were read."""

import argparse
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from .options import positive_float

if TYPE_CHECKING:
    from ..core.motion.bvh_target import BvhTarget

UP_NAMES: Final = {"y": "Y", "z": "Z", "x": "X", "y-down": "-Y", "z-down": "-Z", "x-down": "-X"}
"""Up axis by value of ``--up``."""
UNITS_M: Final = {"cm": 0.01, "m": 1.0, "mm": 0.001, "dm": 0.1, "inch": 0.0254, "foot": 0.3048, "cmu": 0.0254 / 0.45}
"""Meters per unit by value of ``--unit``; the CMU unit is 5.64 cm."""


def unit_length(text: str) -> float:
    """Parse the name of a unit, or a number of meters; return its length in meters."""
    if text.lower() in UNITS_M:
        return UNITS_M[text.lower()]
    try:
        return positive_float(text)
    except argparse.ArgumentTypeError as error:
        names = ", ".join(UNITS_M)
        raise argparse.ArgumentTypeError(f"'{text}' is neither one of {names} nor a number of meters") from error


def add_reading_options(parser: argparse.ArgumentParser, prefix: str = "", whose: str = "the clips'") -> None:
    """Add the options ``--up`` and ``--unit``, the up axis and the unit of motion files.

    Args:
        parser: the command's parser.
        prefix: prefix of the options' names, such as ``onto-``.
        whose: possessive that names the files in the help text, such as ``"the clips'"``.
    """
    parser.add_argument(
        f"--{prefix}up",
        type=str.lower,
        choices=tuple(UP_NAMES),
        help=f"{whose} up axis (default: estimated from the motion)",
    )
    parser.add_argument(
        f"--{prefix}unit",
        type=unit_length,
        metavar="UNIT",
        help=f"{whose} unit: {', '.join(UNITS_M)}, or its meters (default: estimated from body size)",
    )


def reading_of(options: argparse.Namespace, prefix: str = "") -> dict[str, Any]:
    """Return unit and up axis from the command line, as keyword arguments of :func:`read_clip`."""
    up = getattr(options, f"{prefix}up")
    return {"unit": getattr(options, f"{prefix}unit"), "up": None if up is None else UP_NAMES[up]}


def summarize_notes(notes: Iterable[Mapping[str, Any]]) -> str:
    """Return one line about repairs of a file and doubts about it, with the options that settle the doubts.

    Args:
        notes: notes about the reading of the file, each a :class:`ReadingNote` as plain data.
    """
    return "; ".join(f"{note['text']}{_remedy(note)}" for note in notes)


def _remedy(note: Mapping[str, Any]) -> str:
    """Return the option that follows a note's suggestion; empty if there is none."""
    if "up" in note:
        return f" (if so: --up {next(name for name, axis in UP_NAMES.items() if axis == note['up'])})"
    if "unit" in note:
        return f" (if not: --unit {next((name for name, m in UNITS_M.items() if m == note['unit']), note['unit'])})"
    return ""


def describe_target(target: "BvhTarget") -> dict[str, Any]:
    """Return the joints, unit and up axis of a retargeting target's file, as entries of a result."""
    return {
        "joints": len(target.joints),
        "unit_m": target.unit,
        "up": target.up,
        "reading": [note.entry() for note in target.clip.notes],
    }


def summarize_target(target: "BvhTarget") -> str:
    """Return one line of text with the joints, unit and up axis of a retargeting target's file."""
    name = next((name for name, meters in UNITS_M.items() if meters == target.unit), f"{target.unit:g} m")
    said = summarize_notes(note.entry() for note in target.clip.notes)
    return f"{len(target.joints)} joints, in {name}, {target.up} up{'; ' if said else ''}{said}"

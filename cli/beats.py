"""Reader of the characters and beats of a duel from a JSON file."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from ..core.control.duel.beats import Beat, Duelist
from ..core.control.duel.weapon import Weapon
from ..core.errors import FootfallError
from ..core.jobs.bounded_files import ContentError, read_json
from ..core.motion.rotations import Array

FORMAT_HINT: Final = 'write {"characters": [{"name", "start"}, ...], "beats": [{"frame", "striker", "receiver"}, ...]}'
"""Remedy in error messages about the file's format."""
MAX_FRAME: Final = 36_000
"""Latest frame of a beat: twenty minutes at 30 frames per second."""
MAX_COORDINATE_M: Final = 100.0
"""Largest coordinate of a position."""
WEAPON_HINT: Final = '{"hand": "hand.R", "length": 0.9}'
"""Remedy in error messages about an invalid weapon."""
CHARACTER_KEYS: Final = {"name", "start", "end", "weapon"}
WEAPON_KEYS: Final = {"hand", "length"}
BEAT_KEYS: Final = {"frame", "striker", "receiver", "part", "effector", "side", "answer", "point"}
TEXT_KEYS: Final = ("striker", "receiver", "part", "effector", "side", "answer")


def read_beats(path: Path) -> tuple[list[Duelist], list[Beat]]:
    """Read the characters and the beats of a duel from a JSON file.

    Raises:
        FootfallError: the file cannot be read or is not valid; the message names file and entry.
    """
    try:
        document = read_json(path)
    except OSError as error:
        raise FootfallError(
            "The beats file '{path}' cannot be read: {strerror}", path=path, strerror=error.strerror
        ) from error
    except ContentError as error:
        raise FootfallError(
            "The beats file '{path}' cannot be read: {error}; {hint}", path=path, error=error, hint=FORMAT_HINT
        ) from error
    if not isinstance(document, dict) or set(document) != {"characters", "beats"}:
        raise FootfallError(
            "The beats file '{path}' has no characters or no beats: {hint}", path=path, hint=FORMAT_HINT
        )
    duelists = [
        _character(entry, f"'{path}', character {number}") for number, entry in _entries(document, "characters", path)
    ]
    return duelists, [_beat(entry, f"'{path}', beat {number}") for number, entry in _entries(document, "beats", path)]


def _entries(document: dict[str, Any], key: str, path: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return the objects in a list of a document, each with its number for messages."""
    entries = document[key]
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise FootfallError(
            "The beats file '{path}': {key} is not a list of objects; {hint}", path=path, key=key, hint=FORMAT_HINT
        )
    return list(enumerate(entries, start=1))


def _character(entry: dict[str, Any], where: str) -> Duelist:
    _require_keys(entry, where, {"name", "start"}, CHARACTER_KEYS)
    end = entry.get("end")
    return Duelist(
        _text(entry["name"], where, "name"),
        _numbers(entry["start"], where, "start", 2),
        None if end is None else _numbers(end, where, "end", 2),
        _weapon(entry["weapon"], where) if "weapon" in entry else None,
    )


def _weapon(entry: object, where: str) -> Weapon:
    if not isinstance(entry, dict):
        raise FootfallError("{where}: weapon is '{value}'; write {hint}", where=where, value=entry, hint=WEAPON_HINT)
    _require_keys(entry, f"{where}, weapon", set(), WEAPON_KEYS)
    usual = Weapon()
    hand, length = entry.get("hand", usual.hand), entry.get("length", usual.length)
    if not _is_number(length):
        raise FootfallError(
            "{where}: '{value}' is not a weapon length; write a number in meters", where=where, value=length
        )
    return Weapon(_text(hand, where, "hand"), float(length))


def _beat(entry: dict[str, Any], where: str) -> Beat:
    _require_keys(entry, where, {"frame", "striker", "receiver"}, BEAT_KEYS)
    frame, point = entry["frame"], entry.get("point")
    if not isinstance(frame, int) or isinstance(frame, bool):
        raise FootfallError("{where}: '{value}' is not a frame; write a whole number", where=where, value=frame)
    if frame > MAX_FRAME:
        raise FootfallError(
            "{where}: frame {value} is too high; write a frame up to {most}", where=where, value=frame, most=MAX_FRAME
        )
    words = {key: _text(entry[key], where, key) for key in TEXT_KEYS if key in entry}
    return Beat(frame, **words, point=None if point is None else _numbers(point, where, "point", 3))


def _require_keys(entry: dict[str, Any], where: str, needed: set[str], known: set[str]) -> None:
    """Raise an error if an entry lacks a required key or has an unknown one."""
    for key in sorted(needed - set(entry)):
        raise FootfallError("{where}: '{key}' is missing; add it", where=where, key=key)
    for key in sorted(set(entry) - known):
        raise FootfallError(
            "{where}: '{key}' is unknown; choose from {names}", where=where, key=key, names=", ".join(sorted(known))
        )


def _text(value: object, where: str, key: str) -> str:
    if not isinstance(value, str) or not value:
        raise FootfallError("{where}: '{value}' is not a {key}; write text", where=where, value=value, key=key)
    return value


def _numbers(value: object, where: str, key: str, count: int) -> Array:
    """Return an array of ``count`` numbers; raise an error if the value is anything else."""
    if not isinstance(value, list) or len(value) != count or not all(_is_number(one) for one in value):
        raise FootfallError(
            "{where}: {key} is '{value}'; write {count} numbers in meters, in brackets",
            where=where,
            key=key,
            value=value,
            count=count,
        )
    if any(abs(one) > MAX_COORDINATE_M for one in value):
        raise FootfallError(
            "{where}: {key} is too far away; write coordinates up to {most} m",
            where=where,
            key=key,
            most=f"{MAX_COORDINATE_M:g}",
        )
    return np.array(value, dtype=float)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)

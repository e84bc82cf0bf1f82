"""Roll-outs of characters kept while Blender is open, so that the next bake generates only what has changed."""

from collections import OrderedDict
from typing import Final, TypeVar

import bpy

MAX_CACHED_FRAMES: Final = 216_000
"""Frames of all roll-outs that are kept together, an hour at 60 Hz: about a gigabyte."""

Kind = TypeVar("Kind")
_CACHE: OrderedDict[tuple[type, int], tuple[object, int]] = OrderedDict()


def store(armature: bpy.types.Object, rollout: object, frames: int) -> None:
    """Keep an armature's roll-out and its number of frames, replacing the last one of this type.

    If there are too many, the oldest roll-outs of all armatures are dropped.
    """
    key = type(rollout), armature.session_uid
    _CACHE.pop(key, None)
    _CACHE[key] = rollout, frames
    while len(_CACHE) > 1 and sum(count for _, count in _CACHE.values()) > MAX_CACHED_FRAMES:
        _CACHE.popitem(last=False)


def stored(armature: bpy.types.Object, kind: type[Kind]) -> Kind | None:
    """Return an armature's last roll-out of a type; ``None`` if there is none."""
    kept = _CACHE.get((kind, armature.session_uid))
    return kept[0] if kept is not None and isinstance(kept[0], kind) else None


def clear() -> None:
    """Drop all roll-outs."""
    _CACHE.clear()

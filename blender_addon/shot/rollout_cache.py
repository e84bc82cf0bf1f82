"""Roll-outs of characters kept while Blender is open, so that the next bake generates only what has changed."""

from collections import OrderedDict
from typing import Final, TypeVar

import bpy

MAX_CACHED_FRAMES: Final = 216_000
"""Frames of all roll-outs that are kept together, an hour at 60 Hz: about a gigabyte."""

Kind = TypeVar("Kind")
_CACHE: OrderedDict[tuple[type, int], tuple[object, int]] = OrderedDict()


def store(armature: bpy.types.Object, rollout: object, frames: int) -> None:
    """Keep a roll-out of an armature, with its number of frames, in place of its last of this type.

    The oldest ones of all armatures are dropped.
    """
    key = type(rollout), armature.session_uid
    _CACHE.pop(key, None)
    _CACHE[key] = rollout, frames
    while len(_CACHE) > 1 and sum(count for _, count in _CACHE.values()) > MAX_CACHED_FRAMES:
        _CACHE.popitem(last=False)


def stored(armature: bpy.types.Object, kind: type[Kind]) -> Kind | None:
    """Return the last roll-out of a type of an armature; ``None`` if there is none."""
    kept = _CACHE.get((kind, armature.session_uid))
    return kept[0] if kept is not None and isinstance(kept[0], kind) else None


def clear() -> None:
    """Drop all roll-outs."""
    _CACHE.clear()

"""Walks that were baked, kept while Blender is open, so that the next bake makes anew only what has changed."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import bpy

from ...core.control.walk.path_walk import PathWalk

MOST: Final = 216_000
"""Frames of all walks that are kept together, an hour at 60 Hz: about a gigabyte."""


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    walk: PathWalk
    around: tuple


_WALKS: OrderedDict[int, _Kept] = OrderedDict()


def keep(armature: bpy.types.Object, walk: PathWalk, around: tuple) -> None:
    """Keeps an armature's walk in surroundings; the oldest give way."""
    _WALKS.pop(armature.session_uid, None)
    _WALKS[armature.session_uid] = _Kept(walk, around)
    while len(_WALKS) > 1 and sum(one.walk.frames_done for one in _WALKS.values()) > MOST:
        _WALKS.popitem(last=False)


def go_on(armature: bpy.types.Object, walk: PathWalk, around: tuple) -> int:
    """Has a walk keep the frames of the armature's last one that would be the same; returns how many."""
    kept = _WALKS.get(armature.session_uid)
    return walk.resume_from(kept.walk) if kept is not None and kept.around == around else 0


def forget() -> None:
    """Keeps no walk any more."""
    _WALKS.clear()

"""Cache of baked walks while Blender is open, so that the next bake only generates changed parts."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import bpy

from ....core.control.walk.path_walk import WalkRollout

MAX_CACHED_FRAMES: Final = 216_000
"""Largest number of cached frames of all walks, an hour at 60 Hz: about a gigabyte."""


@dataclass(frozen=True, slots=True, eq=False)
class _CachedWalk:
    walk: WalkRollout
    scene_key: tuple


_CACHE: OrderedDict[int, _CachedWalk] = OrderedDict()


def store(armature: bpy.types.Object, walk: WalkRollout, scene_key: tuple) -> None:
    """Cache an armature's walk in its surroundings; the oldest walks are dropped."""
    _CACHE.pop(armature.session_uid, None)
    _CACHE[armature.session_uid] = _CachedWalk(walk, scene_key)
    while len(_CACHE) > 1 and sum(one.walk.frames_done for one in _CACHE.values()) > MAX_CACHED_FRAMES:
        _CACHE.popitem(last=False)


def resume(armature: bpy.types.Object, walk: WalkRollout, scene_key: tuple) -> int:
    """Reuse the unchanged frames of the armature's cached walk; return their number."""
    kept = _CACHE.get(armature.session_uid)
    return walk.resume_from(kept.walk) if kept is not None and kept.scene_key == scene_key else 0


def clear() -> None:
    """Drop all cached walks."""
    _CACHE.clear()

"""Finds what is drawn once for each revision of the labels: outside of drawing, and never while Blender plays."""

from collections.abc import Callable
from typing import Final

import bpy
from bpy.app.handlers import persistent

from ....core.errors import FootfallError
from ....core.motion import Clip
from ...rig.clip_reader import read_take
from ...ui.operator_base import active_armature
from ...ui.redraw import redraw
from ..strip.reading import shown_of
from ..strip.shown import Shown
from .dials import Dials, find_dials
from .footprints import Prints, find_prints
from .trajectory import Way, find_way

WAIT: Final = 0.5  # seconds, for playback to end

Found = Prints | Way | Dials | None
FINDERS: Final[dict[str, Callable[[Clip, Shown], Found]]] = {
    "footprints": find_prints,
    "trajectory": lambda clip, _shown: find_way(clip),
    "dials": find_dials,
}

_Key = tuple[object, ...]


class _Known:
    """The overlays of the last labels that were drawn."""

    key: _Key = ()
    clip: Clip | None = None
    found: dict[str, Found] = {}
    wanted: set[str] = set()


@persistent
def forget(*_: object) -> None:
    """An undo or another file may bring back a revision's number with other labels."""
    _Known.key, _Known.clip, _Known.found, _Known.wanted = (), None, {}, set()


def stop() -> None:
    """Ends what is still to be found."""
    forget()
    if bpy.app.timers.is_registered(_find):
        bpy.app.timers.unregister(_find)


def found(armature: bpy.types.Object, what: str) -> Found:
    """An overlay of the armature's labels; ``None`` until it is found, which is begun by asking for it."""
    key = _key(armature)
    if key != _Known.key:
        forget()
        _Known.key = key
    if what not in _Known.found:
        _Known.wanted.add(what)
        if not bpy.app.timers.is_registered(_find):
            bpy.app.timers.register(_find, first_interval=0.0)
    return _Known.found.get(what)


def _key(armature: bpy.types.Object) -> _Key:
    action = armature.animation_data.action
    placed = tuple(round(value, 6) for row in armature.matrix_world for value in row)
    return armature.session_uid, action.session_uid, action.footfall.revision, placed


def _find() -> float | None:
    """Finds what is wanted; again later where Blender plays, and not at all where the labels have gone."""
    context = bpy.context
    if any(window.screen.is_animation_playing for window in context.window_manager.windows):
        return WAIT
    armature = active_armature(context)
    data = armature.animation_data if armature else None
    if armature is None or data is None or data.action is None or _key(armature) != _Known.key:
        return None
    for what in sorted(_Known.wanted):
        _Known.found[what] = _find_one(context, armature, what)
    _Known.wanted.clear()
    redraw()
    return None


def _find_one(context: bpy.types.Context, armature: bpy.types.Object, what: str) -> Found:
    """What is to be drawn; nothing where the motion does not have it, such as a trajectory without hips."""
    action = armature.animation_data.action
    try:
        if _Known.clip is None:
            _Known.clip, _ = read_take(armature, action, context.scene)
        return FINDERS[what](_Known.clip, shown_of(armature, action))
    except FootfallError:
        return None

"""Finds how the ground lies when something has changed: outside of drawing, and never while Blender plays."""

from typing import Final

import bpy
from bpy.app.handlers import persistent

from ....core.errors import FootfallError
from ....core.motion.proportions import ADULT_LEG, leg_length
from ...animation.output import first_frame
from ...rig.store import body_of, has_map, stored_map
from ...ui.operator_base import active_armature
from ...ui.redraw import redraw
from ..mesh_ground import Clock
from ..path_reader import read_path
from ..walk_scene import surroundings_of
from .profile import Lie, find_lie

PAUSE: Final = 0.3
"""Seconds without a change after which it is found: whoever drags a curve wants to see it move."""
WAIT: Final = 0.5
"""Seconds, for playback to end."""


class _Known:
    """What was found last, and of whom."""

    of: tuple[int, int] | None = None
    lie: Lie | None = None
    trouble = ""
    stale = True


def found(armature: bpy.types.Object) -> tuple[Lie | None, str]:
    """How the ground lies along an armature's path, and why nobody knows; finding it is begun by asking for it.

    What was known before something changed is given until it is known anew.
    """
    of = (armature.session_uid, bpy.context.scene.session_uid)
    if _Known.of != of:
        _Known.of, _Known.lie, _Known.trouble, _Known.stale = of, None, "", True
    if _Known.stale and not bpy.app.timers.is_registered(_find):
        bpy.app.timers.register(_find, first_interval=0.0 if _Known.lie is None else PAUSE)
    return _Known.lie, _Known.trouble


def stop() -> None:
    """Ends what is still to be found and forgets all."""
    _Known.of, _Known.lie, _Known.trouble, _Known.stale = None, None, "", True
    if bpy.app.timers.is_registered(_find):
        bpy.app.timers.unregister(_find)


@persistent
def forget(*_: object) -> None:
    """Another file, or an undo."""
    stop()


@persistent
def notice(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Something has changed; a character that is posed or played changes no ground."""
    if not _Known.stale and _Known.of is not None:
        _Known.stale = any(_matters(update) for update in depsgraph.updates)


def _matters(update: bpy.types.DepsgraphUpdate) -> bool:
    block = update.id
    if isinstance(block, bpy.types.Scene | bpy.types.Action):  # a scene has changed whenever anything in it has
        return False
    if isinstance(block, bpy.types.Object):
        hangs_on = block.find_armature() or block
        return hangs_on.original.session_uid != (_Known.of or (0, 0))[0]
    return not isinstance(block, bpy.types.Armature)


def _find() -> float | None:
    context = bpy.context
    if any(window.screen.is_animation_playing for window in context.window_manager.windows):
        return WAIT
    armature = active_armature(context)
    if armature is None or _Known.of != (armature.session_uid, context.scene.session_uid):
        return None
    _Known.lie, _Known.trouble = look(armature, context)
    context.view_layer.update()  # reading a path makes and removes an object, which would be noticed
    _Known.stale = False
    redraw()
    return None


def look(armature: bpy.types.Object, context: bpy.types.Context) -> tuple[Lie | None, str]:
    """How the ground lies along an armature's path; or why nobody knows, in a sentence."""
    if armature.footfall.path is None:
        return None, "Choose a path to see the ground along it"
    try:
        path = read_path(armature.footfall.path)
        around = surroundings_of(armature, context, path.ground, Clock(first_frame(armature, context.scene)))
        level = path.ground if around.level else float(path.heights[0])
        scale = leg_length(body_of(armature, stored_map(armature))) / ADULT_LEG if has_map(armature) else 1.0
        return find_lie(path.points, around.surroundings, level, scale), ""
    except FootfallError as error:
        return None, str(error)

"""The making of the trainer's environment beside Blender's own work: looked at now and then, never waited for."""

from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.jobs.trainer_setup.environment import Making
from ..ui.redraw import redraw
from .environment import environment, recipe

LOOK_SECONDS: Final = 0.5


class _Made:
    making: Making | None = None


def is_running() -> bool:
    """Whether this Blender makes the environment."""
    return _Made.making is not None


def begin() -> None:
    """Begins to make the environment, or to bring it up to date.

    Raises:
        FootfallError: what the preferences say cannot be made.
    """
    making = environment().make(recipe())
    _Made.making = making
    _tell("", "begins", 0.0)
    look()
    session = bpy.context.window_manager.footfall
    if _Made.making is None and session.making_trouble:
        raise FootfallError(session.making_trouble)
    if not bpy.app.background:
        bpy.app.timers.register(look, first_interval=LOOK_SECONDS, persistent=True)


def look() -> float | None:
    """Looks how far it is; returns the seconds until the next look, or ``None`` where it has ended."""
    making = _Made.making
    if making is None:
        return None
    try:
        fraction, doing = next(making)
    except StopIteration as done:
        _Made.making = None
        _tell("", f"torch {done.value.get('torch', '')} is installed".replace("  ", " "), 1.0)
        return None
    except FootfallError as error:
        _Made.making = None
        _tell(str(error), "", 0.0)
        return None
    _tell("", doing, fraction)
    return LOOK_SECONDS


def cancel() -> None:
    """Ends the making and removes what was made; raises :class:`FootfallError` where that cannot be removed."""
    stop()
    try:
        environment().remove()
    finally:
        _tell("", "", 0.0)


def stop() -> None:
    """Ends the making; what was made stays, for the next one to go on with."""
    if bpy.app.timers.is_registered(look):
        bpy.app.timers.unregister(look)
    making, _Made.making = _Made.making, None
    if making is not None:
        making.close()


def _tell(trouble: str, doing: str, fraction: float) -> None:
    session = bpy.context.window_manager.footfall
    session.making_trouble, session.making_doing, session.making_fraction = trouble, doing, fraction
    session.environment = environment().state()
    redraw()

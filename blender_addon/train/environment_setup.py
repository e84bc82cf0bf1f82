"""The making of the trainer's environment beside Blender's own work: looked at now and then, never waited for."""

from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.jobs.trainer_setup.environment import InstallProgress
from ...core.message import Message
from ..ui.redraw import tag_redraw_all
from ..ui.translations import translate_interface
from .environment import environment, environment_recipe

POLL_INTERVAL_S: Final = 0.5


class _Installation:
    process: InstallProgress | None = None


def is_running() -> bool:
    """Return whether this Blender makes the environment."""
    return _Installation.process is not None


def start_install() -> None:
    """Begin to make the environment, or to bring it up to date.

    Raises:
        FootfallError: what the preferences say cannot be made.
    """
    making = environment().make(environment_recipe())
    _Installation.process = making
    _show_state("", Message("begins"), 0.0)
    poll_install()
    session = bpy.context.window_manager.footfall
    if _Installation.process is None and session.environment_error:
        raise FootfallError(session.environment_error)
    if not bpy.app.background:
        bpy.app.timers.register(poll_install, first_interval=POLL_INTERVAL_S, persistent=True)


def poll_install() -> float | None:
    """Look how far it is; returns the seconds until the next look, or ``None`` where it has ended."""
    making = _Installation.process
    if making is None:
        return None
    try:
        fraction, doing = next(making)
    except StopIteration as done:
        _Installation.process = None
        _show_state("", _installed_text(done.value.get("torch", "")), 1.0)
        return None
    except FootfallError as error:
        _Installation.process = None
        _show_state(str(error), "", 0.0)
        return None
    _show_state("", doing, fraction)
    return POLL_INTERVAL_S


def _installed_text(version: str) -> Message:
    return Message("torch {get} is installed", get=version) if version else Message("torch is installed")


def cancel_install() -> None:
    """End the making and removes what was made; raises :class:`FootfallError` where that cannot be removed."""
    stop_install()
    try:
        environment().remove()
    finally:
        _show_state("", "", 0.0)


def stop_install() -> None:
    """End the making; what was made stays, for the next one to go on with."""
    if bpy.app.timers.is_registered(poll_install):
        bpy.app.timers.unregister(poll_install)
    making, _Installation.process = _Installation.process, None
    if making is not None:
        making.close()


def _show_state(trouble: str, doing: str, fraction: float) -> None:
    session = bpy.context.window_manager.footfall
    session.environment_error, session.environment_step = translate_interface(trouble), translate_interface(doing)
    session.environment_fraction = fraction
    session.environment_status = environment().state()
    tag_redraw_all()

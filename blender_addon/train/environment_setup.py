"""Creation of the trainer's environment in the background, polled by a timer."""

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
    """Return whether this Blender is creating the environment now."""
    return _Installation.process is not None


def start_install() -> None:
    """Start creating or updating the environment.

    Raises:
        FootfallError: the preferences describe an impossible environment.
    """
    making = environment().make(environment_recipe())
    _Installation.process = making
    _show_state("", Message("Starting the installation"), 0.0)
    poll_install()
    session = bpy.context.window_manager.footfall
    if _Installation.process is None and session.environment_error:
        raise FootfallError(session.environment_error)
    if not bpy.app.background:
        bpy.app.timers.register(poll_install, first_interval=POLL_INTERVAL_S, persistent=True)


def poll_install() -> float | None:
    """Update the displayed progress; return the seconds until the next poll, or ``None`` when done."""
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
    return Message("PyTorch {version} is installed", version=version) if version else Message("PyTorch is installed")


def cancel_install() -> None:
    """Stop creating the environment and remove its files; raise :class:`FootfallError` if that is impossible."""
    stop_install()
    try:
        environment().remove()
    finally:
        _show_state("", "", 0.0)


def stop_install() -> None:
    """Stop creating the environment, keeping its files so that the next attempt can continue."""
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

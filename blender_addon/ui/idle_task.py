"""Work done by a timer: outside of drawing, and never during playback."""

from collections.abc import Callable
from typing import Final

import bpy

PLAYBACK_RETRY_S: Final = 0.5
"""Seconds until a task checks again for the end of playback."""


class IdleTask:
    """A function that a timer calls once, however often it was requested until then."""

    def __init__(self, run: Callable[[], None]) -> None:
        self.run = run
        self._callback = self.on_timer  # Blender identifies a timer by its object; bound methods are new ones each time

    @property
    def is_pending(self) -> bool:
        """True if the work was requested and has not been done yet."""
        return bpy.app.timers.is_registered(self._callback)

    def request(self, delay: float = 0.0) -> None:
        """Request the work after ``delay`` seconds, unless it is pending already."""
        if not self.is_pending:
            bpy.app.timers.register(self._callback, first_interval=delay)

    def cancel(self) -> None:
        """Cancel a pending request."""
        if self.is_pending:
            bpy.app.timers.unregister(self._callback)

    def on_timer(self) -> float | None:
        if any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows):
            return PLAYBACK_RETRY_S
        self.run()
        return None

"""A window without Blender around it, in which an operator works slice by slice."""

from types import SimpleNamespace
from typing import Any

import bpy

from footfall.blender_addon.ui.modal_operator import ModalWorkOperator

TICK, ESCAPE, KEY = (SimpleNamespace(type=kind, value="PRESS") for kind in ("TIMER", "ESC", "A"))


class Window:
    """Stands in for the context of a window: Blender's own but for timers and status."""

    window = None

    def __init__(self) -> None:
        self.status: list[str | None] = []
        self.timers = 0
        self.workspace = SimpleNamespace(status_text_set=self.status.append)
        self.window_manager = SimpleNamespace(
            footfall=bpy.context.window_manager.footfall,
            event_timer_add=self.add_timer,
            event_timer_remove=self.remove_timer,
            modal_handler_add=lambda operator: None,
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(bpy.context, name)

    def add_timer(self, _seconds: float, window: object) -> object:
        self.timers += 1
        return object()

    def remove_timer(self, _timer: object) -> None:
        self.timers -= 1


class OperatorInWindow(ModalWorkOperator):
    """A mix-in for an operator that has begun in a window, with slices of work that are as short as can be."""

    slice_s = 0.0

    def __init__(self, window: Window) -> None:
        self.reports: list[tuple[set[str], str]] = []
        self.start_modal(window)

    def report(self, kinds: set[str], text: str) -> None:
        self.reports.append((kinds, text))

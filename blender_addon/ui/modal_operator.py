"""Operators for long work: in slices on a timer with progress and Esc; all at once without windows."""

import math
import time
from collections.abc import Generator
from typing import ClassVar, Final, TypeVar

import bpy

from ...core.errors import FootfallError
from ...core.jobs.steps import finished, mapped
from ...core.message import Message
from .durations import format_duration
from .operator_base import FootfallOperator
from .redraw import tag_redraw_all
from .translations import translate_interface, translate_report

SLICE_S: Final = 0.1
MAX_SLICE_S: Final = 0.6
"""Largest ratio of a slice to the time of drawing, so that slow drawing takes at most half of the time."""
TICK_INTERVAL_S: Final = 0.02

Result = TypeVar("Result")
WorkSteps = Generator[tuple[float, str], None, str]
"""Generator of the done share, 0 to 1, and the current activity; returns the sentence to report."""


def part_of_work(
    steps: Generator[float, None, Result], start: float, end: float, text: str
) -> Generator[tuple[float, str], None, Result]:
    """Run a part of the work, yielding its progress as a share of the whole; return the part's result.

    Args:
        steps: generator that yields the share of the part that is done.
        start: share of the whole at which the part begins.
        end: share of the whole at which the part ends.
        text: the current activity.
    """
    return mapped(steps, lambda share: (start + (end - start) * share, text))


def part_of_progress(
    steps: Generator[tuple[float, str], None, Result], start: float, end: float
) -> Generator[tuple[float, str], None, Result]:
    """Run the part of the work from ``start`` to ``end`` of the whole, yielding progress; return its result."""
    return mapped(steps, lambda step: (start + (end - start) * step[0], step[1]))


class ModalWorkOperator(FootfallOperator):
    """A mix-in for operators that have a generator named ``work``.

    Canceled work is closed at its last yield; it either writes at the end or undoes its changes.
    """

    running: ClassVar[bool] = False
    cancel_message = "Canceled: nothing was changed"
    slice_s = SLICE_S
    last_slice_ended_at = math.inf
    """The time at the end of the last slice."""

    def work(self, context: bpy.types.Context) -> WorkSteps:
        """Do the work in slices; if it is impossible, raise :class:`FootfallError` before changing anything."""
        raise NotImplementedError

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if ModalWorkOperator.running:
            cls.poll_message_set(
                translate_report("Footfall is busy with another operation: wait for it to end, or press Esc to stop it")
            )
            return False
        return super().poll(context)

    def run(self, context: bpy.types.Context) -> str:
        return finished(self.work(context))

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if bpy.app.background or context.window is None:
            return self.execute(context)
        return self.start_modal(context)

    def start_modal(self, context: bpy.types.Context) -> set[str]:
        """Start doing the work in slices."""
        self.slices = self.work(context)
        self.begun = time.monotonic()
        self.timer = context.window_manager.event_timer_add(TICK_INTERVAL_S, window=context.window)
        ModalWorkOperator.running = True
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if event.type == "ESC":
            self._end(context)
            self.report({"INFO"}, translate_report(self.cancel_message))
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            self._show_progress(context, *self._advance())
        except StopIteration as done:
            self._end(context)
            self.report({"INFO"}, translate_report(done.value))
            return {"FINISHED"}
        except FootfallError as error:
            self._end(context)
            return self.report_error(error)
        except BaseException:
            self._end(context)
            raise
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop the work; called when Blender closes or loads another file."""
        self._end(context)

    def _advance(self) -> tuple[float, str]:
        begun = time.monotonic()
        until = begun + min(max(self.slice_s, begun - self.last_slice_ended_at), MAX_SLICE_S)
        while True:
            progress = next(self.slices)
            self.last_slice_ended_at = time.monotonic()
            if self.last_slice_ended_at > until:
                return progress

    def _show_progress(self, context: bpy.types.Context, fraction: float, doing: str) -> None:
        session = context.window_manager.footfall
        left = (time.monotonic() - self.begun) * (1 - fraction) / max(fraction, 1e-6)
        percent = f"{100 * fraction:.0f}"
        session.work_fraction = fraction
        progress = (
            Message("{percent} %, {time} left", percent=percent, time=format_duration(left))
            if fraction > 0
            else Message("{percent} %", percent=percent)
        )
        session.work_progress = translate_interface(progress)
        context.workspace.status_text_set(
            translate_interface(
                Message(
                    "Footfall: {activity}, {progress}   |   Esc: Cancel", activity=Message(doing), progress=progress
                )
            )
        )
        tag_redraw_all()

    def _end(self, context: bpy.types.Context) -> None:
        ModalWorkOperator.running = False
        self.slices.close()
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.footfall.work_fraction = -1.0
        context.workspace.status_text_set(None)
        tag_redraw_all()

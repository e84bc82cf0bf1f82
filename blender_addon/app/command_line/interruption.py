"""Ctrl+C, and the SIGTERM of a farm that wants its machine back, as an exception: files stay whole."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

HANDLED_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Interrupted(BaseException):
    """Raised where the work is to end.

    Attributes:
        code: the exit code of the signal: 130 for Ctrl+C, 143 for SIGTERM.
    """

    def __init__(self, signal_number: int) -> None:
        super().__init__(f"Interrupted by {signal.Signals(signal_number).name}.")
        self.code = 128 + signal_number


class Interruption:
    """True if the work is to end."""

    def __init__(self) -> None:
        self._signal_number: int | None = None

    @contextmanager
    def listen(self) -> Iterator[None]:
        """Have both signals raise :class:`Interrupted` in the body; Blender's own answer to Ctrl+C is for renders."""
        before = {number: signal.signal(number, self._handle_signal) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                # Blender's own handlers are none that Python could set again, and Blender ends after the command.
                signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def check(self) -> None:
        """Raise :class:`Interrupted` once more where a signal came: what add-ons' handlers raise, Blender drops."""
        if self._signal_number is not None:
            raise Interrupted(self._signal_number)

    def _handle_signal(self, number: int, _frame: FrameType | None) -> None:
        self._signal_number = number
        raise Interrupted(number)

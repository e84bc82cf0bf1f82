"""Ctrl+C, and the SIGTERM of a render farm, as an exception, so that files stay whole."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

HANDLED_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Interrupted(BaseException):
    """Raised to end the work.

    Attributes:
        code: the exit code of the signal: 130 for Ctrl+C, 143 for SIGTERM.
    """

    def __init__(self, signal_number: int) -> None:
        super().__init__(f"Interrupted by {signal.Signals(signal_number).name}")
        self.code = 128 + signal_number


class Interruption:
    """Handler of the signals that end the work; true once one was received."""

    def __init__(self) -> None:
        self._signal_number: int | None = None

    @contextmanager
    def listen(self) -> Iterator[None]:
        """Raise :class:`Interrupted` in the body on either signal; Blender handles Ctrl+C only while rendering."""
        before = {number: signal.signal(number, self._handle_signal) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                # Python could not restore Blender's own handlers, and Blender ends after the command.
                signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def check(self) -> None:
        """Raise :class:`Interrupted` again after a signal, since Blender drops exceptions raised in add-on handlers."""
        if self._signal_number is not None:
            raise Interrupted(self._signal_number)

    def _handle_signal(self, number: int, _frame: FrameType | None) -> None:
        self._signal_number = number
        raise Interrupted(number)

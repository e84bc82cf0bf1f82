"""Conversion of SIGTERM, which render farms and service managers send, to an exception, so that files stay intact."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

TERMINATED_EXIT_CODE: Final = 128 + signal.SIGTERM
"""Exit code after SIGTERM: 143."""


class Terminated(KeyboardInterrupt):
    """Exception raised on SIGTERM; a training run ends as after Ctrl+C, and ``--resume`` continues it."""


@contextmanager
def end_on_termination() -> Iterator[None]:
    """Context manager in which SIGTERM raises :class:`Terminated`, in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _raise_terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)


def _raise_terminated(_number: int, _frame: FrameType | None) -> None:
    """Raise :class:`Terminated`."""
    raise Terminated

"""How far a command is, on the standard error: lines for a farm's log, not more than one a second."""

import sys
import time
from collections.abc import Callable
from typing import Final

from ...ui.durations import in_words

INTERVAL: Final = 1.0
"""Seconds from one line to the next."""
TELLING: Final = 0.02
"""The share of the work from which on the time that it has taken tells how long the rest will."""


class Progress:
    """Says how far the work is.

    Args:
        clock: seconds, to tell when a line is due.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = self._last = clock()

    def __call__(self, fraction: float, doing: str) -> None:
        """Says that a share of the work, 0 to 1, is done, and what it is at, unless the last line is too near."""
        now = self._clock()
        if now - self._last < INTERVAL:
            return
        self._last = now
        ahead = ""
        if fraction >= TELLING:
            ahead = f", {in_words((now - self._began) * (1 - fraction) / fraction)} left"
        say(f"{100 * fraction:3.0f} %, {doing}{ahead}")


def say(text: str) -> None:
    """A line on the standard error, told from Blender's own."""
    print(f"footfall: {text}", file=sys.stderr, flush=True)

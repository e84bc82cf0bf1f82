"""Progress of a command on the standard error: lines for a farm's log, at most one per second."""

import sys
import time
from collections.abc import Callable
from typing import Final

from ...ui.durations import format_duration

MIN_INTERVAL_S: Final = 1.0
"""Seconds from one line to the next."""
ETA_MIN_SHARE: Final = 0.02
"""Share of the work from which on its duration so far allows an estimate of the remaining time."""


class Progress:
    """Progress of the work, printed at intervals.

    Args:
        clock: the current time, seconds, for the interval between lines.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started_at = self._last_printed_at = clock()

    def __call__(self, fraction: float, doing: str) -> None:
        """Print the share of the work done, 0 to 1, and the current activity, unless the last line is too recent."""
        now = self._clock()
        if now - self._last_printed_at < MIN_INTERVAL_S:
            return
        self._last_printed_at = now
        ahead = ""
        if fraction >= ETA_MIN_SHARE:
            ahead = f", {format_duration((now - self._started_at) * (1 - fraction) / fraction)} left"
        print_status(f"{100 * fraction:3.0f} %, {doing}{ahead}")


def print_status(text: str) -> None:
    """Print a line marked as Footfall's to the standard error."""
    print(f"footfall: {text}", file=sys.stderr, flush=True)

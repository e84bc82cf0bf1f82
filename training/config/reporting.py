"""Callbacks through which a run reports its progress."""

from collections.abc import Callable
from typing import Any, Final

REPORT_INTERVAL_S: Final = 1.0
"""Seconds between two progress reports of a training."""

ReportCallback = Callable[[dict[str, Any]], None]
"""Function called with each line for ``progress.jsonl``."""
ProgressCallback = Callable[[int, int, str], None]
"""Function called with finished units, total units and the name of the last unit; it may raise to cancel."""

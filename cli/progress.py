"""Progress bars of commands, on standard error."""

import sys
from collections.abc import Iterable
from types import TracebackType
from typing import Any, TypeVar

from tqdm import tqdm

Item = TypeVar("Item")


def track_progress(items: Iterable[Item], total: int, name: str, unit: str) -> "tqdm[Item]":
    """Return the items wrapped in a progress bar that advances as they are consumed."""
    return tqdm(items, name, total, unit=f" {unit}", mininterval=_refresh_interval_s())


class ProgressBar:
    """A progress bar for one or more stages, updated by calls."""

    def __init__(self, name: str = "", unit: str = "") -> None:
        self._name, self._unit = name, unit
        self._bar: tqdm[Any] | None = None

    def __call__(self, done: int, total: int, text: str = "") -> None:
        """Show the number of finished units, the total number, and a short text."""
        if self._bar is None:
            self._bar = tqdm(desc=self._name, unit=f" {self._unit}", total=total, mininterval=_refresh_interval_s())
        self._bar.total = total
        self._bar.set_postfix_str(text, refresh=False)
        self._bar.update(done - self._bar.n)

    def stage(self, name: str, unit: str) -> None:
        """Start a new progress bar for a stage, unless it is the present one; ``unit`` is the name of its units."""
        if name != self._name:
            self.close()
            self._name, self._unit = name, unit

    def note(self, text: str) -> None:
        """Print a line of text above the progress bar."""
        tqdm.write(text, file=sys.stderr)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _refresh_interval_s() -> float:
    """Return the time between two updates, s; it is long when writing to a log file, to keep the file short."""
    return 0.1 if sys.stderr.isatty() else 10.0

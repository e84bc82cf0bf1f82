"""The results of a command: item by item, and as one JSON document at the end, even after errors."""

import math
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.jobs.steps import finished, mapped
from .interruption import Interrupted, Interruption
from .progress import Progress, print_status

ResultT = TypeVar("ResultT")
JSON_DECIMALS: Final = 4
"""Decimals of numbers in the document."""


class Job:
    """One run of a command.

    Args:
        command: name of the command.
        tell: function that displays a line for each item.
        interruption: true once the run should end.

    Attributes:
        total: total number of items, for the progress.
        items: the entries of all items.
        errors: a sentence for each error.
        changed: whether the open file was changed.
        saved: the saved ``.blend`` file.
    """

    def __init__(self, command: str, print_line: Callable[[str], None], interruption: Interruption) -> None:
        self.command = command
        self.interruption = interruption
        self.total = 1
        self.items: list[dict[str, Any]] = []
        self.errors: list[str] = []
        self.changed = False
        self.saved: str | None = None
        self._print_line = print_line
        self._progress = Progress()
        self._started_at = time.monotonic()

    @contextmanager
    def item(self, **what: str) -> Iterator[dict[str, Any]]:
        """Yield an item's report entry to be filled in: ``message`` is for the user, the other fields for programs.

        A :class:`FootfallError` or :class:`OSError` makes the item fail, and the command continues with the next one.

        Args:
            what: the names of the item, the first of which is displayed.
        """
        title, began = next(iter(what.values())), time.monotonic()
        entry: dict[str, Any] = {**what, "status": "failed", "error": None, "warnings": []}
        try:
            yield entry
            entry["status"] = "done"
            self._print_line(f"{title}: {entry.get('message', 'done')}")
        except (FootfallError, OSError) as error:
            entry["error"] = error_message(error)
            self.add_error(f"{title}: {entry['error']}")
        except Interrupted:
            entry["status"] = "interrupted"
            raise
        finally:
            entry["seconds"] = time.monotonic() - began
            self.items.append(entry)

    def run(self, work: Generator[tuple[float, str], None, ResultT], title: str) -> ResultT:
        """Do the work on the current item while showing progress; return the work's result.

        Args:
            work: generator that yields the share done and the current activity.
            title: the name of the item.
        """
        return finished(mapped(work, lambda step: self.report_progress(step[0], title, step[1])))

    def report_progress(self, fraction: float, title: str, doing: str) -> None:
        """Show the progress of the current item.

        Raises:
            Interrupted: a signal has asked the work to end.
        """
        self.interruption.check()
        self._progress((len(self.items) + fraction) / self.total, f"'{title}': {doing}")

    def add_error(self, sentence: str) -> None:
        """Record an error and print it."""
        self.errors.append(sentence)
        print_status(sentence)

    def to_document(self, version: str, code: int) -> dict[str, Any]:
        """Return the results as plain data for JSON."""
        return to_json_value(
            {
                "footfall": version,
                "blender": bpy.app.version_string,
                "command": self.command,
                "file": bpy.data.filepath or None,
                "scene": bpy.context.scene.name,
                "exit_code": code,
                "saved": self.saved,
                "seconds": time.monotonic() - self._started_at,
                "items": self.items,
                "errors": self.errors,
            }
        )


def error_message(error: FootfallError | OSError) -> str:
    """Return the text that tells the user about an error."""
    if isinstance(error, FootfallError):
        return str(error)
    reason = error.strerror or str(error)
    return f"'{error.filename}': {reason}." if error.filename else f"{reason}."


def to_json_value(value: Any) -> Any:
    """Convert values to JSON: numbers are rounded, non-finite ones become ``None``, and sequences become lists."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Mapping):
        return {str(name): to_json_value(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [to_json_value(one) for one in value]
    if isinstance(value, float):
        return round(value, JSON_DECIMALS) if math.isfinite(value) else None
    return value

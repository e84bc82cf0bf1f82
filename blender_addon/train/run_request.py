"""The request for a training run, stored before the run starts.

The file is in the run's folder, which may be from another user: only fields written by this add-on are read.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from ...core.jobs.atomic import write_atomically
from ...core.jobs.bounded_files import read_json_object
from ...core.jobs.process import start_stamp
from ...core.jobs.run_folder import RunFolder, RunState

REQUEST_FILE: Final = "request.json"
FOLDER_OPTIONS: Final = ("--run", "--resume")
"""Options that name the run's own folder."""
SINGLE_VALUE_OPTIONS: Final = (*FOLDER_OPTIONS, "--preset", "--base", "--style", "--set")
"""Options of ``footfall train`` with a single value; ``--clips`` takes any number."""
MAX_PID: Final = 2**31 - 1


@dataclass(frozen=True)
class RunRequest:
    """The arguments of ``footfall train`` for a run, and its process; see ``core.process.start_stamp``."""

    arguments: list[str]
    pid: int = 0
    process: str = ""

    @staticmethod
    def read(run: RunFolder) -> "RunRequest | None":
        """Read a run's last request; ``None`` if there is none, or this add-on did not write it."""
        try:
            request = RunRequest(**read_json_object(run.path / REQUEST_FILE))
            return request if request._is_valid(run) else None
        except (OSError, ValueError, TypeError):
            return None

    def write(self, run: RunFolder) -> None:
        """Write the request to the run's folder."""
        write_atomically(run.path / REQUEST_FILE, json.dumps(asdict(self)).encode(), follow_links=False)

    def is_starting(self, state: RunState | None) -> bool:
        """Return whether the run's process exists but has not reported yet, even if another Blender started it."""
        return (state is None or state.pid != self.pid) and self.process == start_stamp(self.pid)

    def _is_valid(self, run: RunFolder) -> bool:
        """Return whether the request's types and options are valid for this run."""
        if type(self.pid) is not int or not 0 <= self.pid <= MAX_PID or not isinstance(self.process, str):
            return False
        if not isinstance(self.arguments, list) or not all(_is_argument(part) for part in self.arguments):
            return False
        options = list(_split_options(self.arguments))
        places = [values for name, values in options if name in FOLDER_OPTIONS]
        return all(_is_known_option(name, values) for name, values in options) and all(
            _is_same_folder(folder, run.path) for values in places for folder in values
        )


def _is_same_folder(folder: str, path: Path) -> bool:
    """Return whether two paths name the same folder, without looking at the disk."""
    one, other = (os.path.normcase(os.path.normpath(Path(name).absolute())) for name in (folder, path))
    return one == other


def _is_argument(part: Any) -> bool:
    """Return whether a value can be passed as a process argument.

    Raise ``ValueError`` for text that the system cannot encode.
    """
    return isinstance(part, str) and b"\0" not in os.fsencode(part)


def _split_options(arguments: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each option with the values that follow it; values before the first option get an empty name."""
    name, values = "", list[str]()
    for part in arguments:
        if not part.startswith("-"):
            values.append(part)
            continue
        if name or values:
            yield name, values
        name, values = part, []
    yield name, values


def _is_known_option(name: str, values: Sequence[str]) -> bool:
    return name == "--clips" or (name in SINGLE_VALUE_OPTIONS and len(values) == 1)

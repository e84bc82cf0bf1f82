"""The process that reads the inputs, each with a bound of time and of memory, and reports on each by a line.

It is told its readers by lines of JSON on its input, and may be killed: the file that it was reading is still there.
"""

import json
import mmap
import os
import re
import shutil
import signal
import sys
import time
import traceback
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from footfall.core.errors import FootfallError
from footfall.core.message import UNSHOWABLE

from .bombs import bombs, special_files
from .mutation import mutate
from .pace import Pace
from .reader import HANG_SECONDS, Reader

MAX_SENTENCE: Final = 5000
"""Characters of the longest refusal: a few texts of a file, each cut at 600, and paths."""
HARMLESS: Final = ("read", "refused")
SIZE, RESIDENT = 0, 1
"""Columns of ``/proc/self/statm``."""
PEAK_PATTERN: Final = re.compile(rb"^VmHWM:\s*(\d+)", re.MULTILINE)
PAGE: Final = mmap.PAGESIZE


class TooSlowError(BaseException):
    """An input has taken longer than its reader's bound."""


@dataclass(frozen=True)
class Result:
    """The end of one input.

    Attributes:
        number: of the input.
        outcome: ``"read"``, ``"refused"``, ``"escaped"``, ``"slow"``, ``"memory"``, or ``"words"`` for a refusal that
            is no sentence to be shown.
        seconds: processor time that it took.
        megabytes: by which the process has grown at most.
        what: the input.
        error: the exception, with its place.
    """

    number: int
    outcome: str
    seconds: float
    megabytes: float
    what: str
    error: str = ""


class Inputs:
    """All inputs of a reader by their number: special files, bombs, valid files, then mutations without end."""

    def __init__(self, reader: Reader, folder: Path, seed: int) -> None:
        self.reader, self.seed = reader, seed
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.valid = list(reader.prepare(folder))
        self.special = [*special_files().items()]
        self.bombs = bombs(reader.syntax, self.valid)
        self.path = folder / reader.file
        self.path.parent.mkdir(parents=True, exist_ok=True)

    def crafted(self) -> int:
        """The number of inputs that are not mutations."""
        return len(self.valid) + len(self.special) + len(self.bombs)

    def write(self, number: int) -> str:
        """Write an input in the reader's place; return what it is."""
        _remove(self.path)
        if number < len(self.valid):
            self.path.write_bytes(self.valid[number])
            return "valid"
        if (at := number - len(self.valid)) < len(self.special):
            self.special[at][1](self.path)
            return self.special[at][0]
        if (at := at - len(self.special)) < len(self.bombs):
            self.path.write_bytes(self.bombs[at][1])
            return self.bombs[at][0]
        rng = np.random.default_rng([self.seed, zlib.crc32(self.reader.name.encode()), number])
        origin = self.valid[int(rng.integers(len(self.valid)))]
        self.path.write_bytes(mutate(origin, self.reader.syntax, self.valid, rng))
        return "mutated"


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def try_input(reader: Reader, path: Path, number: int, what: str) -> Result:
    """Read one input within the bounds."""
    error, outcome = "", "read"
    before = _pages(RESIDENT)
    _forget_peak()
    start = time.process_time()
    try:
        with _bounded(reader):
            reader.read(path)
    except FootfallError as refusal:
        text = str(refusal)
        outcome = "refused"
        if UNSHOWABLE.search(text) or len(text) > MAX_SENTENCE or not text.strip():
            outcome, error = "words", f"at {_place(refusal)}"
    except reader.refusals:
        outcome = "refused"
    except TooSlowError as late:
        outcome, error = "slow", _place(late)
    except MemoryError as full:
        outcome, error = "memory", _place(full)
    except BaseException as escape:
        outcome, error = "escaped", f"{type(escape).__name__} at {_place(escape)}"
    seconds = time.process_time() - start
    return Result(number, outcome, round(seconds, 4), round(max(0.0, _peak() - before), 1), what, error)


def _place(error: BaseException) -> str:
    """Return the deepest line of the project in a traceback."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if "/tests/fuzz/" not in one.filename]
    own = [one for one in frames if "site-packages" not in one.filename and "/lib/python" not in one.filename]
    last = (own or frames or [None])[-1]
    return "?" if last is None else f"{Path(last.filename).name}:{last.lineno} {last.name}"


@contextmanager
def _bounded(reader: Reader) -> Iterator[None]:
    """Interrupt what takes too long, and refuse memory beyond the bound, where the system can."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return
    import resource

    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (int((_pages(SIZE) + reader.megabytes) * 1e6), limits[1]))
    timers = {signal.ITIMER_PROF: (signal.SIGPROF, reader.seconds), signal.ITIMER_REAL: (signal.SIGALRM, HANG_SECONDS)}
    for timer, (number, seconds) in timers.items():
        signal.signal(number, _ring)
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for timer in timers:
            signal.setitimer(timer, 0)
        resource.setrlimit(resource.RLIMIT_AS, limits)


def _ring(*_: Any) -> None:
    raise TooSlowError


def _pages(column: int) -> float:
    """Return a number of the process's pages in megabytes; 0 on systems without ``/proc``."""
    with suppress(OSError), open("/proc/self/statm", "rb", buffering=0) as file:  # noqa: PTH123 - every input pays.
        return int(file.read().split()[column]) * PAGE / 1e6
    return 0.0


def _peak() -> float:
    """Return the most memory of the process since ``_forget_peak`` in megabytes; 0 on systems without ``/proc``."""
    with suppress(OSError), open("/proc/self/status", "rb", buffering=0) as file:  # noqa: PTH123 - every input pays.
        found = PEAK_PATTERN.search(file.read(4096))
        return int(found[1]) * 1024 / 1e6 if found else 0.0
    return 0.0


def _forget_peak() -> None:
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def run_reader(reader: Reader, order: dict[str, Any], report: Callable[[dict[str, Any]], None]) -> None:
    """Read inputs from a number on, until the time is over or they are enough, but at least all crafted ones."""
    inputs = Inputs(reader, Path(order["folder"]), order["seed"])
    kept: dict[str, int] = {}
    report({"crafted": inputs.crafted()})
    number, end, pace = order["first"], time.monotonic() + order["seconds"], Pace(**order["pace"])
    while number < order["count"] and (number < inputs.crafted() or (pace.tried < pace.aim and time.monotonic() < end)):
        result = try_input(reader, inputs.path, number, inputs.write(number))
        if result.outcome not in HARMLESS or (result.what == "valid" and result.outcome != "read"):
            kept[result.error] = kept.get(result.error, 0) + 1
            if kept[result.error] <= order["keep"]:
                keep_input(inputs.path, Path(order["failures"]), reader.name, result)
        pace.add(result.seconds)
        report(vars(result))
        number += 1
    _remove(inputs.path)
    report({"done": True})


def keep_input(path: Path, folder: Path, name: str, result: Result) -> None:
    """Keep a failing input beside the line that runs it again; a special file by its name alone."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"{name}-{result.number}{path.suffix}"
    if path.is_file() and path.stat().st_size and not path.is_symlink():
        shutil.copyfile(path, kept)
    again = f"python -m footfall.tests.fuzz --reader {name} --input {kept}\n"
    kept.with_suffix(".txt").write_text(f"{again}{result.what}: {result.outcome}\n{result.error}\n", encoding="utf-8")


def main() -> int:
    """Serve orders until the input ends."""
    from .readers import find_reader

    lines = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Readers may print; reports are not theirs.
    for line in sys.stdin:
        order = json.loads(line)

        def report(entry: dict[str, Any]) -> None:
            lines.write(json.dumps(entry) + "\n")
            lines.flush()

        run_reader(find_reader(order["reader"]), order, report)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

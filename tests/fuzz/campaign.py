"""The campaign: readers one after the other in a pool of workers, and what came of it."""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from footfall.benchmarks.tables import Table, table
from footfall.tools.build.environments import BLENDERS, is_ready

from .pace import Pace
from .reader import BLENDER, DEV, HANG_SECONDS, Reader
from .worker import Result, keep_input

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / ".cache" / "fuzz"
"""The folder of inputs, and of those that fail."""
PATIENCE_S: Final = 60.0
"""Time beyond a reader's bound after which its process is ended: code that no alarm interrupts."""
PREPARE_S: Final = 300.0
"""Longest time until a worker has prepared a reader's valid files."""
KEPT: Final = 3
"""Failing inputs kept for each place of an error."""
MAX_CRASHES: Final = 20
"""Ended processes after which a reader is given up."""
FIRST_PART: Final = 0.5
"""Share of the time in which all readers have the same, before the rest is shared by need."""
LEAST_SECONDS: Final = 1.0
"""Time left for which no round begins."""
ESCAPES: Final = ("escaped", "slow", "memory", "words", "crashed")


@dataclass
class Summary:
    """The results of one reader's inputs.

    Attributes:
        reader: its name.
        counts: of each outcome.
        refused_valid: valid files that were refused.
        slowest: seconds of the slowest input.
        peak: megabytes by which the process grew at most for one.
        errors: of each escape, with the number of inputs.
        why_not: the reason if it was not tried.
        pace: of its inputs, which decides how many are enough.
        seconds: time that it has had, and needed to prepare.
    """

    reader: str
    counts: Counter[str] = field(default_factory=Counter)
    refused_valid: list[str] = field(default_factory=list)
    slowest: float = 0.0
    peak: float = 0.0
    errors: Counter[str] = field(default_factory=Counter)
    why_not: str = ""
    pace: Pace = field(default_factory=Pace)
    seconds: float = 0.0

    @property
    def inputs(self) -> int:
        return sum(self.counts.values())

    @property
    def escapes(self) -> int:
        return sum(self.counts[name] for name in ESCAPES)

    @property
    def need(self) -> float:
        """Time until its inputs are enough, at the rate so far; of an untried reader 1."""
        if not self.inputs:
            return 1.0
        return self.seconds * max(0, self.pace.aim - self.pace.tried) / self.inputs

    def is_through(self, count: int) -> bool:
        """Return if more time would be of no use: it is enough, or its process keeps ending."""
        is_broken = bool(self.why_not) or self.counts["crashed"] > MAX_CRASHES
        return is_broken or self.inputs >= min(count, self.pace.aim)

    def add(self, result: Result) -> None:
        self.pace.add(result.seconds)
        self.counts[result.outcome] += 1
        self.slowest, self.peak = max(self.slowest, result.seconds), max(self.peak, result.megabytes)
        if result.outcome in ESCAPES:
            self.errors[f"{result.outcome}: {result.error}"] += 1
        elif result.what == "valid" and result.outcome == "refused":
            self.refused_valid.append(f"valid file {result.number}")


class Worker:
    """A process of an environment that reads inputs; a new one takes the place of one that had to be ended."""

    def __init__(self, python: Path) -> None:
        self.python, self.lines = python, queue.Queue[str | None]()
        self.child: subprocess.Popen[str] | None = None

    def begin(self, order: dict[str, Any]) -> None:
        if self.child is None:
            variables = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
            self.child = subprocess.Popen(
                [str(self.python), "-P", "-m", "footfall.tests.fuzz.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=(FOLDER / "stderr.txt").open("ab"),
                text=True,
                env=variables,
            )
            self.lines = queue.Queue()
            threading.Thread(target=_pump, args=(self.child.stdout, self.lines), daemon=True).start()
        assert self.child.stdin is not None
        self.child.stdin.write(json.dumps(order) + "\n")
        self.child.stdin.flush()

    def next_line(self, seconds: float) -> dict[str, Any] | None:
        """Return the next report; ``None`` if the process ended or stays silent."""
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            return None
        return None if line is None else json.loads(line)

    def end(self) -> int | None:
        """End the process; return its exit code if it had ended by itself."""
        if self.child is None:
            return None
        try:
            code = self.child.wait(1)
        except subprocess.TimeoutExpired:
            code = None
            self.child.kill()
            self.child.wait()
        for stream in (self.child.stdin, self.child.stdout):
            assert stream is not None
            with suppress(OSError):  # What was still to be written went to a process that is gone.
                stream.close()
        self.child = None
        return code


def _pump(stream: Any, lines: "queue.Queue[str | None]") -> None:
    try:
        for line in stream:
            lines.put(line)
    except ValueError:
        pass  # Closed at its end.
    lines.put(None)


def run_campaign(
    readers: Sequence[Reader],
    seconds: float,
    seed: int = 0,
    count: int = sys.maxsize,
    processes: int = 1,
    report: Callable[[Summary], None] = lambda _: None,
) -> list[Summary]:
    """Try the readers until their inputs are enough, or for a time that they share.

    Args:
        readers: of one or more environments.
        seconds: of the whole campaign at most; every reader gets all crafted inputs, whatever they take.
        seed: of the mutations.
        count: inputs of each reader at most.
        processes: that work at one time.
        report: is given each summary when its reader has had its time.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    summaries, end = {one.name: Summary(one.name) for one in readers}, time.monotonic() + seconds
    waiting, stops = sorted(readers, key=lambda one: one.python), time.monotonic() + seconds * FIRST_PART
    while True:
        _run_round(waiting, summaries, stops, seed, count, processes, report)
        waiting, stops = [one for one in waiting if not summaries[one.name].is_through(count)], end
        if not waiting or end - time.monotonic() < LEAST_SECONDS:
            return [summaries[one.name] for one in readers]


def _run_round(
    readers: Sequence[Reader],
    summaries: dict[str, Summary],
    stops: float,
    seed: int,
    count: int,
    processes: int,
    report: Callable[[Summary], None],
) -> None:
    """Try readers once each; they share the time until a stop by their need, and what one leaves goes to the next."""
    waiting, lock = [*readers], threading.Lock()

    def work() -> None:
        workers: dict[str, Worker] = {}
        while True:
            with lock:
                if not waiting:
                    break
                needs = sum(summaries[one.name].need for one in waiting)
                reader = waiting.pop(0)
                summary = summaries[reader.name]
                remaining = max(0.0, stops - time.monotonic()) * processes
                share = remaining * summary.need / needs
            python = python_of(reader)
            if python is None:
                summary.why_not = f"{reader.python} is not set up here"
            else:
                _try_reader(reader, summary, workers.setdefault(reader.python, Worker(python)), share, seed, count)
            report(summary)
        for worker in workers.values():
            worker.end()

    threads = [threading.Thread(target=work) for _ in range(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def python_of(reader: Reader) -> Path | None:
    """Return the Python of a reader's environment; the running one for all but Blender."""
    if reader.python == DEV:
        return Path(sys.executable)
    assert reader.python == BLENDER
    ready = [version for version, one in BLENDERS.items() if is_ready(one)]
    return BLENDERS[max(ready)].python if ready else None


def _try_reader(reader: Reader, summary: Summary, worker: Worker, seconds: float, seed: int, count: int) -> None:
    """Add a reader's further inputs to its summary, and the time that they took."""
    began = time.monotonic()
    _read_inputs(reader, summary, worker, began + seconds, seed, count)
    summary.seconds += time.monotonic() - began


def _read_inputs(reader: Reader, summary: Summary, worker: Worker, end: float, seed: int, count: int) -> None:
    """Read inputs until a time; a worker that dies or hangs goes on behind the input that did it."""
    first = summary.inputs
    folder = FOLDER / "work" / reader.name
    while True:
        order = {"reader": reader.name, "seed": seed, "first": first, "count": count, "keep": KEPT}
        order |= {"pace": asdict(summary.pace)}
        order |= {"seconds": max(0.0, end - time.monotonic())} | {"folder": str(folder), "failures": str(FOLDER)}
        worker.begin(order)
        crafted = worker.next_line(PREPARE_S)
        if crafted is None:
            worker.end()
            summary.why_not = "its valid files could not be made; see .cache/fuzz/stderr.txt"
            return
        while (entry := worker.next_line(HANG_SECONDS + PATIENCE_S)) is not None:
            if "done" in entry:
                return
            summary.add(Result(**entry))
            first = entry["number"] + 1
        code = worker.end()
        why = "hangs" if code is None else f"ends the process with {code}"
        result = Result(first, "crashed", reader.seconds, 0.0, "input", why)
        keep_input(folder / reader.file, FOLDER, reader.name, result)
        summary.add(result)
        first += 1
        if summary.counts["crashed"] > MAX_CRASHES:
            return


def summary_table(summaries: Sequence[Summary]) -> Table:
    """Return the summary as a table."""
    tried = [one for one in summaries if not one.why_not]
    counts = [(one.inputs, one.counts["read"], one.counts["refused"], one.escapes) for one in tried]
    rows = [[one.reader, *four, *_extremes([one])] for one, four in zip(tried, counts, strict=True)]
    totals = [sum(part) for part in zip(*counts, strict=True)] or [0] * 4
    head = ["reader", "inputs", "read", "refused", "escapes", "slowest s", "peak MB"]
    return table(head, [*rows, ["all", *totals, *_extremes(tried)]])


def _extremes(summaries: Sequence[Summary]) -> list[str]:
    """Return the longest seconds and the largest peak in megabytes."""
    slowest, peak = (max((getattr(one, name) for one in summaries), default=0) for name in ("slowest", "peak"))
    return [f"{slowest:.2f}", f"{peak:.0f}"]


def problems(summaries: Sequence[Summary]) -> list[str]:
    """Return a line for each kind of escape, and for each reader that refuses its own valid files."""
    found = []
    for one in summaries:
        found += [f"{one.reader}: {times} x {error}" for error, times in one.errors.most_common()]
        found += [f"{one.reader}: refuses {what}" for what in one.refused_valid]
    return found


def missed_aims(summaries: Sequence[Summary]) -> list[str]:
    """Return a line for each reader that has had fewer inputs than are enough for it."""
    tried = [one for one in summaries if not one.why_not and one.pace.tried < one.pace.aim]
    return [f"{one.reader}: {one.pace.tried} of {one.pace.aim} inputs" for one in tried]

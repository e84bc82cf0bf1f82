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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from footfall import build

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
    """

    reader: str
    counts: Counter[str] = field(default_factory=Counter)
    refused_valid: list[str] = field(default_factory=list)
    slowest: float = 0.0
    peak: float = 0.0
    errors: Counter[str] = field(default_factory=Counter)
    why_not: str = ""

    @property
    def inputs(self) -> int:
        return sum(self.counts.values())

    @property
    def escapes(self) -> int:
        return sum(self.counts[name] for name in ESCAPES)

    def add(self, result: Result) -> None:
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
    """Try the readers for a time that they share.

    Args:
        readers: of one or more environments.
        seconds: of the whole campaign; every reader gets all crafted inputs, whatever they take.
        seed: of the mutations.
        count: inputs of each reader at most.
        processes: that work at one time.
        report: is given each summary when its reader is through.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    waiting: queue.SimpleQueue[Reader] = queue.SimpleQueue()
    for reader in sorted(readers, key=lambda one: one.python):
        waiting.put(reader)
    summaries: dict[str, Summary] = {}
    started, left, lock = time.monotonic(), [len(readers)], threading.Lock()

    def work() -> None:
        workers: dict[str, Worker] = {}
        while True:
            with lock:
                if waiting.empty():
                    break
                reader = waiting.get()
                remaining = seconds - (time.monotonic() - started)
                share = max(0.0, remaining * processes / max(1, left[0]))
                left[0] -= 1
            python = python_of(reader)
            if python is None:
                summary = Summary(reader.name, why_not=f"{reader.python} is not set up here")
            else:
                worker = workers.setdefault(reader.python, Worker(python))
                summary = _try_reader(reader, worker, share, seed, count)
            summaries[reader.name] = summary
            report(summary)
        for worker in workers.values():
            worker.end()

    threads = [threading.Thread(target=work) for _ in range(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [summaries[reader.name] for reader in readers]


def python_of(reader: Reader) -> Path | None:
    """Return the Python of a reader's environment; the running one for all but Blender."""
    if reader.python == DEV:
        return Path(sys.executable)
    assert reader.python == BLENDER
    ready = [version for version, one in build.BLENDERS.items() if build.is_ready(one)]
    return build.BLENDERS[max(ready)].python if ready else None


def _try_reader(reader: Reader, worker: Worker, seconds: float, seed: int, count: int) -> Summary:
    """Return the summary of a reader; a worker that dies or hangs goes on behind the input that did it."""
    summary, first, end = Summary(reader.name), 0, time.monotonic() + seconds
    folder = FOLDER / "work" / reader.name
    while True:
        order = {"reader": reader.name, "seed": seed, "first": first, "count": count, "keep": KEPT}
        order |= {"seconds": max(0.0, end - time.monotonic())} | {"folder": str(folder), "failures": str(FOLDER)}
        worker.begin(order)
        crafted = worker.next_line(PREPARE_S)
        if crafted is None:
            worker.end()
            summary.why_not = "its valid files could not be made; see .cache/fuzz/stderr.txt"
            return summary
        while (entry := worker.next_line(HANG_SECONDS + PATIENCE_S)) is not None:
            if "done" in entry:
                return summary
            summary.add(Result(**entry))
            first = entry["number"] + 1
        code = worker.end()
        why = "hangs" if code is None else f"ends the process with {code}"
        result = Result(first, "crashed", reader.seconds, 0.0, "input", why)
        keep_input(folder / reader.file, FOLDER, reader.name, result)
        summary.add(result)
        first += 1
        if summary.counts["crashed"] > 20:
            return summary


def table(summaries: Sequence[Summary]) -> str:
    """Return the summary as a table."""
    lines = ["| reader | inputs | read | refused | escapes | slowest s | peak MB |", "| --- " * 7 + "|"]
    tried = [one for one in summaries if not one.why_not]
    for one in tried:
        cells = [one.reader, one.inputs, one.counts["read"], one.counts["refused"], one.escapes]
        lines.append("| " + " | ".join(map(str, [*cells, f"{one.slowest:.2f}", f"{one.peak:.0f}"])) + " |")
    totals = [
        sum(part)
        for part in zip(*((o.inputs, o.counts["read"], o.counts["refused"], o.escapes) for o in tried), strict=True)
    ]
    worst = [f"{max((o.slowest for o in tried), default=0):.2f}", f"{max((o.peak for o in tried), default=0):.0f}"]
    lines.append("| " + " | ".join(map(str, ["all", *(totals or [0] * 4), *worst])) + " |")
    return "\n".join(lines)


def problems(summaries: Sequence[Summary]) -> list[str]:
    """Return a line for each kind of escape, and for each reader that refuses its own valid files."""
    found = []
    for one in summaries:
        found += [f"{one.reader}: {times} x {error}" for error, times in one.errors.most_common()]
        found += [f"{one.reader}: refuses {what}" for what in one.refused_valid]
    return found

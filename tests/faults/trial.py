"""One fault in one run of a command, and whether all that was there before is still whole."""

import os
import re
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from footfall.benchmarks.tables import Table, table
from footfall.core.errors import FootfallError
from footfall.core.message import UNSHOWABLE

from .injection import FULL, KILL, NONE, READ_ONLY, Fault, Injector
from .scenario import Results, Scenario
from .small_disk import BLOCK, empty, fill, small_disk

FOREIGN: Final = "thesis.txt"
"""A file of the user's, beside what the command makes."""
WORDS: Final = b"Not to be lost.\n"
CRASHED: Final = 70
KINDS: Final = (KILL, FULL, "disk", READ_ONLY, "link")
LEFT_OVER: Final = re.compile(r"^\.footfall-\d|\.part$|\.partial$|^\.reserve$")
"""Names that a finished command leaves behind only by a fault of its own."""


@dataclass
class Tally:
    """The faults that a command was given, by kind, and what they did."""

    scenario: str
    counts: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    @property
    def faults(self) -> int:
        return sum(self.counts.values())


class Trials:
    """All trials of one command, in a folder of their own."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        self.scenario, self.folder = scenario, folder
        self.inputs, self.out = folder / "inputs", folder / "disk" / "out"
        self.tally = Tally(scenario.name)
        shutil.rmtree(folder, ignore_errors=True)
        self.inputs.mkdir(parents=True)
        scenario.prepare(self.inputs)
        self._begin()
        self.old = scenario.results(self.out)
        self.changes, _ = self._attempt(1, Fault(NONE))
        self.new = scenario.results(self.out)
        self.made = sorted(path.relative_to(self.out) for path in self.out.rglob("*") if path.name != FOREIGN)
        self.bytes = sum(path.stat().st_size for path in self.out.rglob("*") if path.is_file())

    def _begin(self, with_old: bool = True) -> None:
        """Make the output's folder, with a foreign file and with what the old version has made."""
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        if with_old and self.scenario.has_old:
            old = self.folder / "old"
            if not old.exists():
                code, said = self._fork(lambda: self.scenario.run(self.inputs, self.out, 0))
                if code != 0:
                    raise AssertionError(f"{self.scenario.name} fails without a fault: {said}")
                shutil.copytree(self.out, old, symlinks=True)
            else:
                shutil.copytree(old, self.out, symlinks=True, dirs_exist_ok=True)
        (self.out.parent / FOREIGN).write_bytes(WORDS)

    def _attempt(self, version: int, fault: Fault) -> tuple[int, str]:
        """Run a version with a fault; return the number of changes, or the exit code, and what was said."""
        counted = self.folder / "count"

        def work() -> int:
            injector = Injector(fault, self.out.parent)
            code = self.scenario.run(self.inputs, self.out, version)
            if fault.kind == NONE:
                counted.write_text(str(injector.count))
            return code

        code, said = self._fork(work)
        return (int(counted.read_text()), said) if fault.kind == NONE else (code, said)

    def _fork(self, work: Callable[[], int]) -> tuple[int, str]:
        """Return the exit code of work in a process of its own, negative for a signal, and its standard error."""
        log = self.folder / "said.txt"
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            code = CRASHED
            try:
                descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
                os.dup2(descriptor, 1)
                os.dup2(descriptor, 2)
                sys.stdout, sys.stderr = (os.fdopen(number, "w", closefd=False) for number in (1, 2))
                signal.alarm(int(self.scenario.seconds))
                code = work()
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status), log.read_text(errors="replace")

    # --- The kinds of faults

    def injected(self, kind: str, numbers: Sequence[int]) -> None:
        """Try a kind of fault at changes of these numbers."""
        for number in numbers:
            self._begin()
            code, said = self._attempt(1, Fault(kind, number))
            self._judge(f"{kind} at change {number}", kind, code, said)

    def full_at_bytes(self, sizes: Sequence[int]) -> None:
        """Try real disks that have so many bytes left."""
        disk = self.out.parent
        shutil.rmtree(disk)
        for free in sizes:
            with small_disk(disk, 2 * self.bytes + (8 << 20)):
                self._begin()
                fill(disk, free)
                code, said = self._fork(lambda: self.scenario.run(self.inputs, self.out, 1))
                self._judge(f"disk with {free} bytes left", "disk", code, said, lambda: empty(disk))
        disk.mkdir()

    def links(self, makers: Sequence[Path]) -> None:
        """Try a link to a foreign file or folder in place of each thing that the command makes."""
        for made in makers:
            self._begin(with_old=False)
            victim = self.folder / "victim"
            shutil.rmtree(victim, ignore_errors=True)
            victim.mkdir()
            (victim / FOREIGN).write_bytes(WORDS)
            place = self.out / made
            place.parent.mkdir(parents=True, exist_ok=True)
            is_folder = (self.folder / "whole" / made).is_dir()
            place.symlink_to(victim if is_folder else victim / FOREIGN)
            code, said = self._fork(lambda: self.scenario.run(self.inputs, self.out, 1))
            self._count("link")
            what = f"link at {made}"
            is_own = self.scenario.linked == str(made)
            if not is_own and ((victim / FOREIGN).read_bytes() != WORDS or len(list(victim.iterdir())) != 1):
                self._problem(what, "what it leads to is changed")
            self._check_words(what, "link", code, said)

    # --- What must be true afterwards

    def _judge(self, what: str, kind: str, code: int, said: str, mend: Callable[[], None] = lambda: None) -> None:
        self._count(kind)
        self._check_whole(what, finished=code == 0)
        self._check_words(what, kind, code, said)
        mend()
        again, said_again = self._fork(lambda: self.scenario.again(self.inputs, self.out))
        if again != 0:
            self._problem(what, f"it cannot be run again: {said_again.strip()[-300:]}")
        elif self._results() != self.new:
            self._problem(what, "run again, it makes something else")
        left = [path.name for path in self.out.rglob("*") if LEFT_OVER.search(path.name)]
        if again == 0 and left:
            self._problem(what, f"left behind: {left[:3]}")

    def _results(self) -> Results | str:
        try:
            return self.scenario.results(self.out)
        except FootfallError as error:
            return str(error)

    def _check_whole(self, what: str, finished: bool) -> None:
        """Note what is neither as it was nor as it was to be."""
        found = self._results()
        if isinstance(found, str):
            self._problem(what, f"lost: {found[:200]}")
        else:
            for name in {*self.old, *found}:
                allowed = {self.new.get(name)} if finished else {self.old.get(name), self.new.get(name)}
                if found.get(name) not in allowed:
                    self._problem(what, f"'{name}' is {'missing' if name not in found else 'half-written'}")
        if (self.out.parent / FOREIGN).read_bytes() != WORDS:
            self._problem(what, "a foreign file is changed")

    def _check_words(self, what: str, kind: str, code: int, said: str) -> None:
        """Note an error that is not told in one sentence."""
        if kind == KILL:
            if code not in (0, -signal.SIGKILL):
                self._problem(what, f"ended with {code}: {said.strip()[-300:]}")
            return
        lines = [line for line in said.splitlines() if line.startswith(("footfall: ", "build.py: "))]
        if code < 0 or code == CRASHED or "Traceback" in said:
            self._problem(what, f"ended with {code}: {said.strip()[-400:]}")
        elif code != 0 and (len(lines) != 1 or UNSHOWABLE.search(lines[0]) or len(lines[0]) > 1000):
            self._problem(what, f"no clear sentence: {said.strip()[-300:]}")

    def _count(self, kind: str) -> None:
        self.tally.counts[kind] = self.tally.counts.get(kind, 0) + 1

    def _problem(self, what: str, text: str) -> None:
        self.tally.problems.append(f"{self.tally.scenario}, {what}: {text}")


def spread(count: int, most: int) -> list[int]:
    """Return up to ``most`` of the numbers below ``count``, the first and the last among them, evenly spread."""
    if count <= most:
        return list(range(count))
    return sorted({round(number * (count - 1) / (most - 1)) for number in range(most)})


def try_scenario(scenario: Scenario, folder: Path, most: int, disks: bool) -> Tally:
    """Try all kinds of faults on a command.

    Args:
        scenario: the command.
        folder: to work in; emptied.
        most: faults of each kind.
        disks: whether real small disks are tried, too.
    """
    trials = Trials(scenario, folder)
    shutil.copytree(trials.out, folder / "whole", symlinks=True)
    for kind in (KILL, FULL, READ_ONLY):
        trials.injected(kind, spread(trials.changes, most))
    trials.links([trials.made[at] for at in spread(len(trials.made), most)])
    if disks:
        blocks = trials.bytes // BLOCK + 8
        trials.full_at_bytes([BLOCK * number for number in spread(blocks, most)])
    return trials.tally


def tally_table(tallies: Sequence[Tally]) -> Table:
    """Return the faults of each kind by command."""
    rows = [[tally.scenario, *(tally.counts.get(kind, 0) for kind in KINDS), len(tally.problems)] for tally in tallies]
    return table(["command", *KINDS, "lost or unclear"], rows)

"""Training runs that are killed, run out of disk, or lose their device or newest checkpoint, at random moments."""

import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from . import run_faults
from .interrupted import Bench, NotPossible, Outcome
from .run_faults import Fault
from .setup import Setup
from .tables import Part, table

TITLE = "Interrupted training"
SEED: Final = 6
CLIPS: Final = 4

FAULTS: Final[dict[str, tuple[Fault, int]]] = {
    "trainer killed while the data set was built": (run_faults.killed_while_building, 6),
    "trainer killed in stage one": (run_faults.killed_in_frames, 6),
    "trainer killed in stage two": (run_faults.killed_in_windows, 6),
    "trainer killed while it wrote a checkpoint": (run_faults.killed_while_saving, 8),
    "trainer killed thrice in a row, at any moment": (run_faults.killed_again_and_again, 3),
    "newest checkpoint torn": (run_faults.torn_by_a_power_cut, 8),
    "full disk": (run_faults.full_disk, 6),
    "full disk while the data set was built": (run_faults.full_disk_while_building, 2),
    "device lost": (run_faults.lost_device, 6),
    "Blender killed": (run_faults.killed_blender, 4),
    "Blender and trainer killed": (run_faults.killed_blender_and_trainer, 4),
}

NOTES: Final = "*Told*: the state is interrupted, or failed with one sentence."


def measure(setup: Setup) -> list[Part]:
    """Return the section's table; raise :class:`FootfallError` without the data."""
    clips = sorted(setup.clips("walk", split="train"), key=lambda path: path.stat().st_size)[:CLIPS]
    with TemporaryDirectory() as folder:
        bench = Bench.make(Path(folder), clips)
        rows = [_row(bench, name, fault, times) for name, (fault, times) in FAULTS.items()]
    everything = _Row("all", [one for row in rows for one in row.outcomes])
    head = ["what happened", "times", "told", "unreadable", "resumed", "equal", "steps done again: mean / max"]
    return [table(head, [row.cells() for row in [*rows, everything]]), NOTES]


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the table: the outcomes of a fault, or the reason that it could not be produced."""

    name: str
    outcomes: list[Outcome]
    reason: str = ""

    def cells(self) -> list[object]:
        if not self.outcomes:
            return [f"{self.name}: {self.reason}", *[None] * 6]
        counts = [
            sum(getattr(one, what) for one in self.outcomes) for what in ("told", "unreadable", "resumed", "equal")
        ]
        lost = [one.lost for one in self.outcomes]
        return [self.name, len(self.outcomes), *counts, f"{np.mean(lost):.1f} / {max(lost)}"]


def _row(bench: Bench, name: str, fault: Fault, times: int) -> _Row:
    outcomes: list[Outcome] = []
    for number in range(times):
        run = bench.run(f"{name.replace(' ', '-').replace(',', '')}-{number}")
        try:
            found = fault(bench, run, np.random.default_rng([SEED, number, *name.encode()]))
        except NotPossible as reason:
            return _Row(name, [], str(reason))
        print(f"{run.path.name}: {found}", file=sys.stderr, flush=True)
        outcomes += found
    return _Row(name, outcomes)

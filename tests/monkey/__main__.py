"""Walk over the operators, part by part, until the time is over; print what was done and what was wrong."""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

CALLS: Final = 120
"""Deeds of one part, in a Blender of its own."""
PART_SECONDS: Final = 600.0
"""Time after which a part hangs."""


@dataclass
class Tally:
    """The results of the deeds.

    Attributes:
        results: how often operators had which result.
        deeds: how many deeds there were of each kind.
        faults: each with its seed, number, deed and what was wrong.
    """

    results: Counter[str] = field(default_factory=Counter)
    deeds: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, seed: int, log: Path) -> None:
        """Count the deeds of a part, and collect its faults."""
        told, kind, number, ended = "the scene", "scene", -1, False
        for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
            one = json.loads(line)
            ended = "ended" in one
            if "deed" in one:
                told, kind, number = one["told"], one["kind"], one["deed"]
                self.deeds[kind] += 1
            elif "fault" in one:
                self.faults.append(f"seed {seed}, deed {number}, {told}: {one['fault']}")
            elif "result" in one and kind == "operator":
                self.results[one["result"]] += 1
        if not ended:
            self.faults.append(f"seed {seed}, deed {number}, {told}: the process ended or hung")


def walk(seed: int, calls: int, tally: Tally) -> None:
    """Walk one part in a Blender of its own, with a home of its own."""
    with TemporaryDirectory(prefix="footfall-monkey-") as folder:
        home = {"HOME": folder, "XDG_CACHE_HOME": folder, "BLENDER_USER_RESOURCES": str(Path(folder) / "user")}
        command = [sys.executable, "-P", "-m", "footfall.tests.monkey.walk", folder, str(seed), str(calls)]
        try:
            child = subprocess.run(
                command, env={**os.environ, **home}, capture_output=True, text=True, timeout=PART_SECONDS
            )
            if child.returncode:
                print(child.stderr[-2000:], file=sys.stderr)
        except subprocess.TimeoutExpired:
            pass
        tally.add(seed, Path(folder) / "log.jsonl")


def main() -> int:
    """Return 0 if nothing was wrong."""
    parser = argparse.ArgumentParser(prog="footfall.tests.monkey", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="default: 10")
    parser.add_argument("--seed", type=int, default=0, help="of the first part; default: 0")
    parser.add_argument("--calls", type=int, default=CALLS, help=f"deeds of a part; default: {CALLS}")
    options = parser.parse_args()
    tally, seed, until = Tally(), options.seed, time.monotonic() + 60 * options.minutes
    while seed == options.seed or time.monotonic() < until:
        known = len(tally.faults)
        walk(seed, options.calls, tally)
        print(f"[monkey] seed {seed}: {sum(tally.deeds.values())} deeds", *tally.faults[known:], sep="\n  ", flush=True)
        seed += 1
    print("\n| deeds |", " | ".join(f"{kind} {count}" for kind, count in tally.deeds.items()), "|")
    print("| operators |", " | ".join(f"{result} {count}" for result, count in tally.results.items()), "|")
    print(f"| faults | {len(tally.faults)} |")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Try all faults on all commands, and print a table."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from .scenario import SCENARIOS
from .small_disk import can_mount
from .trial import tally_table, try_scenario


def main(arguments: Sequence[str]) -> int:
    """Return 0 if nothing was lost."""
    parser = argparse.ArgumentParser(prog="footfall.tests.faults", description=__doc__)
    parser.add_argument("--most", type=int, default=sys.maxsize, help="faults of each kind; default: all")
    parser.add_argument("--command", action="append", help="default: all; more than once for several")
    options = parser.parse_args(arguments)
    tallies = []
    disks = can_mount()
    if not disks:
        print("[faults] no small disks: this process may not mount any", flush=True)
    for scenario in SCENARIOS:
        if options.command and scenario.name not in options.command:
            continue
        with TemporaryDirectory() as folder:
            tally = try_scenario(scenario, Path(folder) / "trial", options.most, disks)
        tallies.append(tally)
        print(f"[faults] {tally.scenario}: {tally.faults} faults, {len(tally.problems)} problems", flush=True)
        print("\n".join(tally.problems), flush=True)
    print(tally_table(tallies))
    return int(any(tally.problems for tally in tallies))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

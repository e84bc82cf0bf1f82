"""Run the campaign, or one input again."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from .campaign import Summary, missed_aims, problems, run_campaign, summary_table
from .readers import all_readers, find_reader
from .worker import Inputs


def main(arguments: Sequence[str]) -> int:
    """Return 0 if nothing escaped."""
    parser = argparse.ArgumentParser(prog="footfall.tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="of the whole campaign at most; default: 10")
    parser.add_argument("--seed", type=int, default=0, help="other mutations; default: 0")
    parser.add_argument("--count", type=int, default=sys.maxsize, help="inputs of each reader at most")
    parser.add_argument("--processes", type=int, default=1, help="that work at one time; default: 1")
    parser.add_argument("--reader", action="append", metavar="NAME", help="default: all; more than once for several")
    parser.add_argument("--input", type=Path, metavar="FILE", help="read this file with the one reader, unguarded")
    options = parser.parse_args(arguments)
    chosen = [find_reader(name) for name in options.reader] if options.reader else [*all_readers()]
    if options.input is not None:
        with TemporaryDirectory() as folder:
            inputs = Inputs(chosen[0], Path(folder) / "work", options.seed)
            inputs.path.write_bytes(options.input.read_bytes())
            print(chosen[0].read(inputs.path))
        return 0
    summaries = run_campaign(chosen, options.minutes * 60, options.seed, options.count, options.processes, report=_say)
    print("\n" + summary_table(summaries))
    for one in summaries:
        if one.why_not:
            print(f"SKIPPED {one.reader}: {one.why_not}")
    for line in missed_aims(summaries):
        print(f"FEWER {line}")
    found = problems(summaries)
    print("\n".join(["", *found, "inputs and how to run them again: .cache/fuzz"]) if found else "\nNothing escaped.")
    return 1 if found else 0


def _say(summary: Summary) -> None:
    what = summary.why_not or f"{summary.inputs} inputs, {summary.escapes} escapes, slowest {summary.slowest:.2f} s"
    print(f"[fuzz] {summary.reader}: {what}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

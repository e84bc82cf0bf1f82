"""``python -m footfall.benchmarks``: each table is measured in its own process, then written as JSON."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Final

from ..tools.build.folders import SHARED
from .order import GROUPS, THREADS
from .pages import write_pages
from .results import FOLDER, Result, write_result
from .setup import Setup

THREAD_VARIABLES: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main(arguments: list[str] | None = None) -> int:
    """Measure and write the tables; return exit code 1 if a table could not be measured (the others are written)."""
    parser = argparse.ArgumentParser("python -m footfall.benchmarks", description=__doc__)
    names = sorted({*THREADS, *GROUPS})
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"default: all; or {', '.join(names)}")
    parser.add_argument(
        "--only", nargs="+", choices=THREADS, default=[], metavar="NAME", help="these tables alone, no group of them"
    )
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="DIR", help="default: benchmarks/results")
    parser.add_argument("--data", type=Path, default=SHARED / "data" / "mocap", metavar="DIR")
    parser.add_argument("--controller", type=Path, metavar="FILE", help="default: the one that ships")
    parser.add_argument("--print", action="store_true", dest="show", help="print the tables, and write nothing")
    parser.add_argument("--json", action="store_true", help="print the results as JSON, and write nothing")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.tables if name not in names]:
        parser.error(f"there is no table '{unknown[0]}'; there are {', '.join(names)}")
    measured = chosen(options.tables, options.only)
    if options.show or options.json:
        setup = Setup(options.data, options.controller)
        return max([show(name, setup, options.json) for name in measured])
    failed = [name for name in measured if not write(name, options)]
    if options.out == FOLDER:
        write_pages()
    if failed:
        print(f"not measured: {', '.join(failed)} (see above)", file=sys.stderr)
    return 1 if failed else 0


def chosen(tables: Sequence[str], only: Sequence[str]) -> list[str]:
    """Return the tables to measure, each once: from the named groups or tables, or all tables if none is named."""
    named = [member for name in tables for member in GROUPS.get(name, (name,))]
    return list(dict.fromkeys([*named, *only])) or list(THREADS)


def show(name: str, setup: Setup, as_json: bool) -> int:
    """Measure one table in this process and print its result."""
    from ..core.errors import FootfallError

    module = import_module(f".{name}", __package__)
    try:
        parts = module.measure(setup)
    except FootfallError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    from .machine import describe

    threads = THREADS[name]
    used = "" if threads is None else f"; {threads} thread{'s' * (threads > 1)}"
    command = f"python build.py bench -- --only {name}"
    result = Result.of_parts(module.TITLE, command, date.today().isoformat(), describe() + used, parts)
    print(result.to_json() if as_json else "\n\n".join(map(str, parts)))
    return 0


def write(name: str, options: argparse.Namespace) -> bool:
    """Measure one table in its own process and write its result."""
    print(f"measuring {name} ...", file=sys.stderr, flush=True)
    threads = THREADS[name]
    limited = {} if threads is None else dict.fromkeys(THREAD_VARIABLES, str(threads))
    command = [sys.executable, "-m", str(__package__), "--only", name, "--json", "--data", str(options.data)]
    if options.controller:
        command += ["--controller", str(options.controller)]
    child = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", env={**os.environ, **limited})
    if child.returncode:
        return False
    write_result(name, Result.from_json(child.stdout), options.out)
    return True


if __name__ == "__main__":
    sys.exit(main())

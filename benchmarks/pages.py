"""Pages of the results: all tables for developers, and one table for users.

``python -m footfall.benchmarks.pages`` writes both without measuring.
"""

import re
from collections.abc import Mapping
from typing import Final

from .order import THREADS
from .quality import quality_page
from .results import Result, read_results
from .setup import ROOT
from .tables import Table

BENCHMARKS: Final = ROOT / "docs" / "developing" / "benchmarks.md"
QUALITY: Final = ROOT / "docs" / "manual" / "quality.md"
MOST_ROWS: Final = 5
"""Largest number of rows of a table shown in full."""
FIRST_ROWS: Final = 2
"""First shown rows of a longer table."""
SUMMARY: Final = re.compile(r"(all|mean|median|worst|reach|this|ships|shipped|captured|mocap|people)\b", re.IGNORECASE)
"""Prefix of summary rows of a table."""
HEADER: Final = f"""\
# Benchmarks

Written by `python build.py bench` from `benchmarks/results`, which has every table complete, with its command and
machine. A table of more than {MOST_ROWS} rows shows its first {FIRST_ROWS} here, and those that sum it up. A result
stays as it is until it is made again; the numbers of a row come from one run on one machine. *Reach* is the aim.
"""


def benchmarks_page(results: Mapping[str, Result]) -> str:
    """Return the page of all results, in the order of measurement; others follow by name."""
    order = list(THREADS)
    names = sorted(results, key=lambda name: (order.index(name) if name in order else len(order), name))
    return "\n".join([HEADER, *(_section(name, results[name]) for name in names)])


def _section(name: str, result: Result) -> str:
    """Return the section of a result."""
    processor = result.machine.split(",")[0]
    parts = [f"## {result.title}", f"`{name}`, {result.date}, {processor}"]
    parts += [str(_shortened(table)) for table in result.tables]
    parts += [result.notes] if result.notes else []
    parts += [str(picture) for picture in result.pictures]
    return "\n\n".join(parts) + "\n"


def _shortened(table: Table) -> Table:
    """Return a table with only the rows for the page."""
    if len(table.rows) <= MOST_ROWS:
        return table
    summary = [row for row in table.rows[FIRST_ROWS:] if SUMMARY.match(row[0])]
    return Table(table.head, (*table.rows[:FIRST_ROWS], *summary), table.title)


def write_pages() -> None:
    """Write both pages."""
    results = read_results()
    BENCHMARKS.write_text(benchmarks_page(results), encoding="utf-8")
    QUALITY.write_text(quality_page(results), encoding="utf-8")


if __name__ == "__main__":
    write_pages()

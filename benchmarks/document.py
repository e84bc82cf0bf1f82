"""``docs/benchmarks.md``: sections between marker comments, each replaced on its own."""

import re
from collections.abc import Iterable, Sequence
from itertools import dropwhile, takewhile

HEADER = """\
# Benchmarks

Written by `python build.py bench` (`python -m footfall.benchmarks`); a section that is not run again stays as it is.
Numbers on one line of a table come from one run on one machine.
"""


def merge(document: str, name: str, section: str, order: Sequence[str]) -> str:
    """Return the document with one section put in or replaced; sections stand in the given order of names."""
    sections = dict(_MARKED.findall(document)) | {name: section.strip() + "\n"}
    ordered = sorted(sections, key=lambda known: order.index(known) if known in order else len(order))
    marked = (f"<!-- begin {known} -->\n{sections[known]}<!-- end {known} -->\n" for known in ordered)
    head = document.split("<!-- begin")[0].rstrip() + "\n" if "<!-- begin" in document else HEADER
    return "\n".join([head, *marked])


_MARKED = re.compile(r"<!-- begin (\w+) -->\n(.*?)<!-- end \1 -->", re.DOTALL)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; numbers are written as :func:`figure` writes them."""
    lines = [head, ["---"] * len(head), *([figure(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def figure(value: object) -> str:
    """Return a number with three significant digits; a dash for a value that was not measured."""
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    if abs(value) >= 1000:
        return f"{value:.0f}"
    digits = f"{value:.3g}"
    return f"{float(digits):.3f}".rstrip("0").rstrip(".") if "e" in digits else digits


def cells(document: str, name: str) -> list[dict[str, str]]:
    """Return the rows of a section's first table, by the names of its columns; none if there is no such section."""
    section = dict(_MARKED.findall(document)).get(name, "")
    rows = takewhile(lambda line: line.startswith("| "), dropwhile(lambda line: line[:2] != "| ", section.splitlines()))
    lines = [line.strip(" |").split(" | ") for line in rows]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[2:]] if lines else []

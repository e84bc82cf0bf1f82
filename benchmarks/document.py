"""``docs/benchmarks.md``: sections between marker comments, each replaced on its own."""

import re
from collections.abc import Iterable, Sequence

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


def cells(document: str, name: str, number: int = 0) -> list[dict[str, str]]:
    """Return the rows of a table by the names of its columns; none if there is no such section or table.

    The second column of a name is called ``NAME (2)``.

    Args:
        document: all sections.
        name: the section.
        number: index of the table in its section.
    """
    section = dict(_MARKED.findall(document)).get(name, "")
    tables = re.findall(r"(?:^\| .*\n)+", section, re.MULTILINE)
    lines = [line[2:-2].split(" | ") for line in tables[number].splitlines()] if number < len(tables) else []
    if not lines:
        return []
    head = [name if name not in lines[0][:at] else f"{name} (2)" for at, name in enumerate(lines[0])]
    return [dict(zip(head, line, strict=True)) for line in lines[2:]]


def measured_on(document: str, name: str) -> str:
    """Return the day, as YYYY-MM-DD, on which a section was measured; empty if there is no such section."""
    found = re.search(r"`, (\d{4}-\d\d-\d\d), ", dict(_MARKED.findall(document)).get(name, ""))
    return found[1] if found else ""

"""Tables of measurements, and pictures, as results of the benchmarks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

IMAGES: Final = Path(__file__).parents[1] / "docs" / "images"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of displayed cells.

    Attributes:
        head: names of the columns.
        rows: cells of each row, one per column.
        title: title above it; empty for the only table of a measurement.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""

    def records(self) -> list[dict[str, str]]:
        """Return the rows by the names of their columns; the second column of a name is called ``NAME (2)``."""
        names = [name if name not in self.head[:at] else f"{name} (2)" for at, name in enumerate(self.head)]
        return [dict(zip(names, row, strict=True)) for row in self.rows]

    def __str__(self) -> str:
        """Return the table as Markdown."""
        lines = [self.head, ["---"] * len(self.head), *self.rows]
        text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
        return f"**{self.title}**\n\n{text}" if self.title else text


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a measurement.

    Attributes:
        text: description of the content.
        file: path below ``docs/images``.
    """

    text: str
    file: str

    def __str__(self) -> str:
        """Return the picture as Markdown of a page in ``docs/developing``."""
        return f"![{self.text}](../images/{self.file})"


Part = Table | Picture | str
"""Part of a benchmark's results: tables, pictures, and sentences about them."""


def table(head: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> Table:
    """Return a table, with numbers in the format of :func:`figure`."""
    return Table(tuple(head), tuple(tuple(figure(cell) for cell in row) for row in rows), title)


def figure(value: object) -> str:
    """Return a number with three significant digits; a dash for a missing value."""
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    if abs(value) >= 1000:
        return f"{value:.0f}"
    digits = f"{value:.3g}"
    return f"{float(digits):.3f}".rstrip("0").rstrip(".") if "e" in digits else digits

"""Results of the benchmarks: one JSON file for each, in ``benchmarks/results``."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from .tables import Part, Picture, Table

FOLDER: Final = Path(__file__).with_name("results")


@dataclass(frozen=True, slots=True)
class Result:
    """A measurement of a benchmark.

    Attributes:
        title: its heading.
        command: command for a repetition.
        date: day of the measurement, YYYY-MM-DD.
        machine: processor, cores, memory, system, Python and threads.
        tables: its tables, complete.
        notes: sentences about them, at most two for each.
        pictures: drawn pictures.
    """

    title: str
    command: str
    date: str
    machine: str
    tables: tuple[Table, ...] = ()
    notes: str = ""
    pictures: tuple[Picture, ...] = field(default=())

    @classmethod
    def of_parts(cls, title: str, command: str, date: str, machine: str, parts: Iterable[Part]) -> "Result":
        """Return the result from a benchmark's parts."""
        parts = list(parts)
        notes = " ".join(" ".join(part.split()) for part in parts if isinstance(part, str))
        tables = tuple(part for part in parts if isinstance(part, Table))
        pictures = tuple(part for part in parts if isinstance(part, Picture))
        return cls(title, command, date, machine, tables, notes, pictures)

    @classmethod
    def from_json(cls, text: str) -> "Result":
        """Return the result of a file's text."""
        found = json.loads(text)
        tables = tuple(
            Table(tuple(one["head"]), tuple(map(tuple, one["rows"])), one["title"]) for one in found.pop("tables")
        )
        pictures = tuple(Picture(**one) for one in found.pop("pictures"))
        return cls(**found, tables=tables, pictures=pictures)

    def to_json(self) -> str:
        """Return the text of its file, with one row of a table per line."""
        whole = asdict(self) | {"tables": []}
        tables = ",\n".join(_table_text(one) for one in self.tables)
        text = json.dumps(whole, indent=2, ensure_ascii=False)
        return text.replace('"tables": []', f'"tables": [\n{tables}\n  ]' if tables else '"tables": []') + "\n"


def _table_text(table: Table) -> str:
    """Return a table as JSON."""
    title, head = (json.dumps(value, ensure_ascii=False) for value in (table.title, table.head))
    rows = ",\n".join("        " + json.dumps(row, ensure_ascii=False) for row in table.rows)
    return f'    {{\n      "title": {title},\n      "head": {head},\n      "rows": [\n{rows}\n      ]\n    }}'


def read_results(folder: Path = FOLDER) -> dict[str, Result]:
    """Return the results of a folder by the names of their files."""
    return {file.stem: Result.from_json(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))}


def write_result(name: str, result: Result, folder: Path = FOLDER) -> None:
    """Write a result in place of an earlier one with its name."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(result.to_json(), encoding="utf-8")

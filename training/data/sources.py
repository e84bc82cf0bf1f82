"""The source, license and credit of a clip, for a controller's provenance."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from ...core.errors import FootfallError
from ...core.jobs.bounded_files import ContentError, read_toml

KNOWN_SOURCES_PATH: Final = Path(__file__).parents[2] / "presets" / "sources.toml"
SOURCE_FILE_NAME: Final = "source.toml"
SEARCHED_FOLDERS: Final = 3
"""Number of folders, from the clip's upward, in the search for a source file."""


@dataclass(frozen=True, slots=True)
class ClipSource:
    """A clip's source; ``licence`` and ``credit`` are empty if unknown, ``folder`` is that of its ``source.toml``."""

    name: str
    licence: str
    credit: str
    folder: str


def source_of(clip: Path) -> ClipSource:
    """Return the source of a clip, from the nearest ``source.toml`` in its folder or the two folders above.

    Without such a file, it is the shipped source that is named like one of these folders, if there is one.

    Raises:
        FootfallError: the ``source.toml`` is damaged.
    """
    folders = list(clip.absolute().parents)[:SEARCHED_FOLDERS]
    for folder in folders:
        if (folder / SOURCE_FILE_NAME).is_file():
            return _read_source(folder / SOURCE_FILE_NAME)
        if folder.name in _known_sources():
            return _known_sources()[folder.name]
    return ClipSource(folders[0].name, "", "", folders[0].name)


def source_fields(path: Path) -> dict[str, str]:
    """Return the fields ``source``, ``licence`` and ``credit`` of a clip's manifest entry."""
    source = source_of(path)
    return {"source": source.name, "licence": source.licence, "credit": source.credit}


@cache
def _known_sources() -> dict[str, ClipSource]:
    """Return the shipped sources by folder name."""
    data = tomllib.loads(KNOWN_SOURCES_PATH.read_text(encoding="utf-8"))
    return {
        folder: ClipSource(entry["name"], entry["licence"], entry["credit"], folder)
        for entry in data["source"]
        for folder in entry["folders"]
    }


def _read_source(path: Path) -> ClipSource:
    """Read a ``source.toml``."""
    try:
        data = read_toml(path)
    except (OSError, ContentError) as error:
        raise FootfallError(
            "The source file '{path}' is not valid TOML ({error}): write name, licence and credit",
            path=path,
            error=error,
        ) from error
    if set(data) != {"name", "licence", "credit"} or not all(isinstance(value, str) for value in data.values()):
        raise FootfallError(
            "The source file '{path}' must contain name, licence and credit as text, and nothing else", path=path
        )
    return ClipSource(**data, folder=path.parent.name)

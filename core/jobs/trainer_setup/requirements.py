"""Requirements files in pip's format: one package per line; ``-r`` and ``-c`` include other files."""

import hashlib
import re
from pathlib import Path
from typing import Final

TRAINING_REQUIREMENTS: Final = Path(__file__).parents[3] / "requirements" / "training.txt"
"""The requirements of the trainer's own Python."""


def digest_of(requirements: Path) -> str:
    """Return a hash, as text, of the contents of a requirements file and all files that it includes."""
    digest = hashlib.sha256()
    for file in _included_files(requirements):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def pinned_versions(requirements: Path) -> dict[str, str]:
    """Return the pinned version of each package in a requirements file and all files that it includes."""
    pins: dict[str, str] = {}
    for file in _included_files(requirements):
        for line in _read_text(file).splitlines():
            name, equals, version = line.partition("#")[0].partition("==")
            if equals:
                pins[_normalized_name(name)] = version.strip()
    return pins


def requested_packages(requirements: Path) -> list[str]:
    """Return the names of the requested packages, without those only listed in constraint files (``-c``)."""
    names: list[str] = []
    for file in _included_files(requirements, ("-r ",)):
        lines = (line.partition("#")[0].strip() for line in _read_text(file).splitlines())
        names += [
            _normalized_name(re.split(r"[<>=!~;\[ ]", line)[0]) for line in lines if line and not line.startswith("-")
        ]
    return names


def _included_files(requirements: Path, prefixes: tuple[str, ...] = ("-r ", "-c ")) -> list[Path]:
    """Return the files that a requirements file includes with one of the prefixes."""
    files = [requirements]
    for line in _read_text(requirements).splitlines():
        if line.startswith(prefixes):
            files += _included_files(requirements.parent / line[3:].strip(), prefixes)
    return files


def _normalized_name(name: str) -> str:
    """Return a package's name in lower case, with hyphens as separators."""
    return name.strip().lower().replace("_", "-")


def _read_text(path: Path) -> str:
    """Return the text of a file."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

"""Requirements files as pip has them: a line a package, ``-r`` and ``-c`` name others."""

import hashlib
import re
from pathlib import Path
from typing import Final

TRAINING_REQUIREMENTS: Final = Path(__file__).parents[3] / "requirements" / "training.txt"
"""What the trainer's own Python holds."""


def digest_of(requirements: Path) -> str:
    """Return a digest of a requirements file and of those that it names."""
    digest = hashlib.sha256()
    for file in _included_files(requirements):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def pinned_versions(requirements: Path) -> dict[str, str]:
    """Return the pinned versions, by package, of a requirements file and of those that it names."""
    pins: dict[str, str] = {}
    for file in _included_files(requirements):
        for line in _read_text(file).splitlines():
            name, equals, version = line.partition("#")[0].partition("==")
            if equals:
                pins[_normalised_name(name)] = version.strip()
    return pins


def requested_packages(requirements: Path) -> list[str]:
    """Return the packages that are asked for by name, not those that only constrain."""
    names: list[str] = []
    for file in _included_files(requirements, ("-r ",)):
        lines = (line.partition("#")[0].strip() for line in _read_text(file).splitlines())
        names += [
            _normalised_name(re.split(r"[<>=!~;\[ ]", line)[0]) for line in lines if line and not line.startswith("-")
        ]
    return names


def _included_files(requirements: Path, prefixes: tuple[str, ...] = ("-r ", "-c ")) -> list[Path]:
    files = [requirements]
    for line in _read_text(requirements).splitlines():
        if line.startswith(prefixes):
            files += _included_files(requirements.parent / line[3:].strip(), prefixes)
    return files


def _normalised_name(name: str) -> str:
    return name.strip().lower().replace("_", "-")


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

"""Requirements files as pip has them: a line a package, ``-r`` and ``-c`` name others."""

import hashlib
import re
from pathlib import Path
from typing import Final

TRAINING: Final = Path(__file__).parents[3] / "requirements" / "training.txt"
"""What the trainer's own Python holds."""


def digest_of(requirements: Path) -> str:
    """A digest of a requirements file and of those that it names."""
    digest = hashlib.sha256()
    for file in _with_named(requirements):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def pins_of(requirements: Path) -> dict[str, str]:
    """The pinned versions, by package, of a requirements file and of those that it names."""
    pins: dict[str, str] = {}
    for file in _with_named(requirements):
        for line in _text(file).splitlines():
            name, equals, version = line.partition("#")[0].partition("==")
            if equals:
                pins[_plain(name)] = version.strip()
    return pins


def named_in(requirements: Path) -> list[str]:
    """The packages that are asked for by name, not those that only constrain."""
    names: list[str] = []
    for file in _with_named(requirements, ("-r ",)):
        lines = (line.partition("#")[0].strip() for line in _text(file).splitlines())
        names += [_plain(re.split(r"[<>=!~;\[ ]", line)[0]) for line in lines if line and not line.startswith("-")]
    return names


def _with_named(requirements: Path, how: tuple[str, ...] = ("-r ", "-c ")) -> list[Path]:
    files = [requirements]
    for line in _text(requirements).splitlines():
        if line.startswith(how):
            files += _with_named(requirements.parent / line[3:].strip(), how)
    return files


def _plain(name: str) -> str:
    return name.strip().lower().replace("_", "-")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

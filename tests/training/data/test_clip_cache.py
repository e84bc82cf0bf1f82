"""What invalidates the cache of analyzed clips and their samples."""

import ast
from pathlib import Path

import footfall
from footfall.training.data.clip_cache import DIGESTED_SOURCES

ROOT = Path(footfall.__file__).parent
ENTRY_POINTS = ("training/data/clip_cache.py", "training/data/shards.py")
WITHOUT_INFLUENCE = ("core/errors.py", "core/message.py", "core/jobs", "core/models/network.py")
"""Errors and messages, file writing and type aliases: they change no number of a sample."""


def imported_modules(module: Path) -> set[Path]:
    """The modules of the package that a module imports, anywhere in it."""
    package = module.parent
    found: set[Path] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = package
            for _ in range(node.level - 1):
                folder = folder.parent
            base = folder.joinpath(*(node.module or "").split("."))
            for path in (base, *(base / alias.name for alias in node.names)):
                found |= {file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()}
    return found - {ROOT / "__init__.py"}


def test_a_change_of_any_module_that_makes_samples_is_noticed() -> None:
    seen: set[Path] = set()
    waiting = [ROOT / name for name in ENTRY_POINTS]
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            waiting += imported_modules(module)
    digested = [ROOT / name for name in (*DIGESTED_SOURCES, *WITHOUT_INFLUENCE)]
    missed = [
        path.relative_to(ROOT).as_posix() for path in seen if not any(path.is_relative_to(one) for one in digested)
    ]
    assert not missed

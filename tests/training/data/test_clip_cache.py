"""What invalidates the cache of analyzed clips and their samples."""

import ast
import re
from pathlib import Path

import numpy as np

import footfall
from footfall.training.data.clip_cache import DIGESTED_SOURCES, analyze_clip, clip_folder_name

ROOT = Path(footfall.__file__).parent
ENTRY_POINTS = ("training/data/clip_cache.py", "training/data/shards.py")
WITHOUT_INFLUENCE = (
    *("core/errors.py", "core/message.py", "core/jobs", "core/models/network.py"),
    "training/data/shard_files.py",
)
"""Errors and messages, reading and writing of files, and type aliases: they change no number of a sample."""


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


def test_a_damaged_cache_is_made_again(walks: list[Path], tmp_path: Path) -> None:
    """One changed byte in the archive said "encrypted" or "compression method", and ended the build."""
    rng = np.random.default_rng(5)
    before = analyze_clip(walks[0], tmp_path)
    (cached,) = (path for path in tmp_path.glob("*.npz") if not path.name.endswith(".labels.npz"))
    sound = cached.read_bytes()
    ends = len(sound) - np.arange(1, 200)
    for at in [*rng.choice(ends, 6, replace=False), 6, 8, *rng.integers(0, len(sound), 4)]:
        damaged = bytearray(sound)
        damaged[at] ^= 0x55
        cached.write_bytes(damaged)
        again = analyze_clip(walks[0], tmp_path)
        np.testing.assert_array_equal(again.rotation_scatter, before.rotation_scatter)


def test_the_folder_of_a_clip_has_a_name_that_every_disk_takes() -> None:
    names = [
        clip_folder_name(Path(f"/clips/{stem}.bvh")) for stem in ("ü" * 120, "ü" * 119 + "u", "CON", "walk. ", "a:b")
    ]
    assert len(set(names)) == 5 and all(len(f"{name}-0123456789abcdef.partial".encode()) < 160 for name in names)
    assert all(re.fullmatch(r"[\w-]+-[0-9a-f]{8}", name) for name in names)

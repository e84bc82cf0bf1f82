"""Ownership of a data set's folder: no build replaces or removes what none has made."""

import json
from pathlib import Path
from typing import Final

from ...core.jobs.folder_lock import has_lock_file
from ...core.jobs.replacing import holds_something, list_contents
from ...core.jobs.source_table import TABLE_FILE_NAME
from .manifest import MANIFEST_NAME, DatasetError

BUILT_NAMES: Final = (MANIFEST_NAME, "network.json", TABLE_FILE_NAME, "shards", "takes")
"""Files and folders that a build replaces."""


def require_dataset_folder(out: Path) -> None:
    """Raise :class:`DatasetError` if a build would replace what none has made."""
    found = next((name for name in BUILT_NAMES if holds_something(out / name)), None) if list_contents(out) else None
    if found and not (has_lock_file(out) or _has_manifest(out) or _is_half_built(out)):
        raise DatasetError(
            "'{out}' holds '{name}', which is no part of a data set of Footfall: name a new or empty folder.",
            out=out,
            name=found,
        )


def _has_manifest(out: Path) -> bool:
    """Return whether the manifest is that of a data set, or ``network.json`` that of one that is not finished."""
    return _has_key(out / MANIFEST_NAME, "input_layout") or _has_key(out / "network.json", "reference_rotations")


def _has_key(path: Path, key: str) -> bool:
    """Return whether a file holds a JSON object with a key."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and key in content


def _is_half_built(out: Path) -> bool:
    """Return whether all shards and analyzed clips of a folder are those of a build, finished or not."""
    parts = [*_children(out / "shards"), *_children(out / "takes")]
    return bool(parts) and all(
        path.suffix in (".npz", ".part", ".partial") or (path / "shard.json").is_file() for path in parts
    )


def _children(folder: Path) -> list[Path]:
    """Return what a folder holds; nothing if it is none."""
    return list(folder.iterdir()) if folder.is_dir() else []

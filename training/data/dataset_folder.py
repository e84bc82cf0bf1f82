"""The folder of a data set: checks before a build may write to it, cleanup after builds, the stored skeleton."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np

from ...core.jobs.atomic import is_disk_full, remove_abandoned_parts
from ...core.jobs.bounded_files import MAX_MANIFEST_BYTES, ContentError, read_json_object
from ...core.jobs.folder_lock import has_lock_file, lock_folder
from ...core.jobs.replacing import holds_something, list_contents
from ...core.jobs.source_table import TABLE_FILE_NAME
from ...core.motion import Skeleton
from ...core.motion.rotations import Array
from .manifest import MANIFEST_NAME, DatasetError, skeleton_from_json

NETWORK_NAME: Final = "network.json"
"""File of a data set's folder that stores the network skeleton."""
BUILT_NAMES: Final = (MANIFEST_NAME, NETWORK_NAME, TABLE_FILE_NAME, "shards", "takes")
"""Files and folders replaced by a build."""


def require_dataset_folder(out: Path) -> None:
    """Raise :class:`DatasetError` if a folder has files that a build would overwrite but no build has written."""
    found = next((name for name in BUILT_NAMES if holds_something(out / name)), None) if list_contents(out) else None
    if found and not (has_lock_file(out) or _has_manifest(out) or _is_half_built(out)):
        raise DatasetError(
            "The folder '{folder}' contains '{name}', which is not part of a Footfall data set: give a new or "
            "empty folder",
            folder=out,
            name=found,
        )


def _has_manifest(out: Path) -> bool:
    """Return whether the folder has a data set's manifest, or the ``network.json`` of an unfinished data set."""
    return _has_key(out / MANIFEST_NAME, "input_layout") or _has_key(out / NETWORK_NAME, "reference_rotations")


def _has_key(path: Path, key: str) -> bool:
    """Return whether a file holds a JSON object with the given key."""
    try:
        return key in read_json_object(path, MAX_MANIFEST_BYTES)
    except (OSError, ContentError):
        return False


def _is_half_built(out: Path) -> bool:
    """Return whether all shards and analyzed clips in a folder were written by a build, finished or not."""
    parts = [*_children(out / "shards"), *_children(out / "takes")]
    return bool(parts) and all(
        path.suffix in (".npz", ".part", ".partial") or (path / "shard.json").is_file() for path in parts
    )


def _children(folder: Path) -> list[Path]:
    """Return the paths in a folder; an empty list if the path is not a folder."""
    return list(folder.iterdir()) if folder.is_dir() else []


@contextmanager
def told_of_full_disk(out: Path) -> Iterator[None]:
    """Context manager that turns an error of a full disk into a :class:`DatasetError` that names the folder."""
    try:
        yield
    except OSError as error:
        if not is_disk_full(error):
            raise
        raise DatasetError("The disk of '{folder}' is full: free space and build again", folder=out) from error


@contextmanager
def building(out: Path) -> Iterator[None]:
    """Context manager that locks a data set's folder for a build, and removes partial files if the build fails.

    Raises:
        DatasetError: the disk is full.
    """
    with told_of_full_disk(out):
        out.mkdir(parents=True, exist_ok=True)
        with lock_folder(out):
            remove_partial_files(out)
            try:
                yield
            finally:
                remove_partial_files(out)


def remove_partial_files(out: Path) -> None:
    """Remove the unfinished files that a killed or failed build has left in a data set's folder."""
    remove_abandoned_parts(out)
    remove_abandoned_parts(out / "takes")
    for part in out.glob("shards/*.partial"):
        shutil.rmtree(part, ignore_errors=True)


def read_network_skeleton(path: Path) -> tuple[Skeleton, Array, dict[str, Array], Array | None] | None:
    """Return the network skeleton's data in the file ``network.json``: skeleton, rotations, hinge axes, standing pose.

    Reference rotations of the pose joints are (P, 4) in the root's frame, hinge axes (3) by role, the standing pose
    (J, 4) world rotations (``None`` in older data sets). The result is ``None`` if the file is missing or damaged.
    """
    try:
        data = read_json_object(path)
        skeleton, references = skeleton_from_json(data["skeleton"]), np.array(data["reference_rotations"], dtype=float)
        hinges = {str(role): np.array(axis, dtype=float) for role, axis in data["hinges"].items()}
        standing = np.array(data["standing"], dtype=float) if "standing" in data else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    poses = [references] if standing is None else [references, standing]
    whole = all(pose.shape == (len(skeleton), 4) for pose in poses)
    return (skeleton, references, hinges, standing) if whole else None

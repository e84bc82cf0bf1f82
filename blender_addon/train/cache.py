"""Files on the disk that can be generated again: patches of ground, and data sets of finished runs."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import bpy

from ...core.errors import FootfallError
from ...core.jobs.run_folder import ACTIVE_STATUSES, RunFolder
from ...core.jobs.source_table import TABLE_FILE_NAME
from ...core.message import Message
from ...core.terrain.patches import HEADER_FILE, HEIGHTS_FILE
from ..ui.preferences import cache_folder, runs_folder


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """A cached item with a title, and all of its files and folders."""

    title: str
    paths: tuple[Path, ...]

    def size(self) -> int:
        """Return the total size of the files, bytes."""
        return sum(file.stat().st_size for path in self.paths for file in (path, *path.rglob("*")) if file.is_file())


def list_cache(context: bpy.types.Context) -> list[CacheEntry]:
    """Return all cached items of the runs in the panel, leaving out folders that the user has named."""
    patches = cache_folder() / "patches"
    made = tuple(patches / name for name in (HEADER_FILE, HEIGHTS_FILE) if (patches / name).is_file())
    found = [CacheEntry("Terrain patches", made)] if made else []
    ended = tuple(path for run in _runs_with_status(context, "finished") for path in _dataset_entry(run))
    return [*found, CacheEntry("Data sets of finished training runs", ended)] if ended else found


def is_in_use(context: bpy.types.Context) -> bool:
    """Return whether a run may be reading files of the cache."""
    return any(run.status in ACTIVE_STATUSES for run in context.window_manager.footfall.training_runs)


def clear_cache(context: bpy.types.Context) -> str:
    """Remove all cached items; return a text about the space that this has freed.

    Raises:
        FootfallError: a file cannot be removed; all others are removed.
    """
    said, failed = [], []
    for item in list_cache(context):
        said.append(Message("{title}: {format_size}", title=item.title, format_size=format_size(item.size())))
        for path in item.paths:
            try:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            except OSError as error:
                failed.append(
                    Message(
                        "'{path}' cannot be removed ({error}): close the programs that use it and try again",
                        path=path,
                        error=error.strerror,
                    )
                )
    if failed:
        raise FootfallError(Message.joined(". ", failed))
    return Message("Removed from the cache: {items}", items=Message.joined(", ", said))


def format_size(size: int) -> str:
    """Return a number of bytes as text, such as ``635 MB``."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"


def _runs_with_status(context: bpy.types.Context, status: str) -> Iterator[RunFolder]:
    folder = runs_folder()
    return (
        RunFolder(folder / run.name) for run in context.window_manager.footfall.training_runs if run.status == status
    )


def _dataset_entry(run: RunFolder) -> Iterator[Path]:
    """Yield the files of a run's data set, except the table of sources, which the panel shows."""
    folder = run.dataset_path
    return (path for path in folder.iterdir() if path.name != TABLE_FILE_NAME) if folder.is_dir() else iter(())

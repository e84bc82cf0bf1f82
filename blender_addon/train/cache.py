"""Files of Footfall on the disk that it could make again: patches of ground, and data sets of runs that have ended."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import bpy

from ...core.errors import FootfallError
from ...core.jobs.run_folder import ACTIVE_STATUSES, RunFolder
from ...core.jobs.source_table import TABLE_FILE_NAME
from ...core.message import Message
from ..ui.preferences import cache_folder, runs_folder


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """Something that can be made again: what to call it, and all of its files and folders."""

    title: str
    paths: tuple[Path, ...]

    def size(self) -> int:
        """Return how many bytes it takes."""
        return sum(file.stat().st_size for path in self.paths for file in (path, *path.rglob("*")) if file.is_file())


def list_cache(context: bpy.types.Context) -> list[CacheEntry]:
    """Return all that there is now, for as many runs as the panel knows. A folder that the user named is none of it."""
    patches = cache_folder() / "patches"
    found = [CacheEntry("Patches of ground", (patches,))] if (patches / "patches.json").is_file() else []
    ended = tuple(path for run in _runs_with_status(context, "finished") for path in _dataset_entry(run))
    return [*found, CacheEntry("Data sets of finished runs", ended)] if ended else found


def is_in_use(context: bpy.types.Context) -> bool:
    """Return whether a run may be reading what is cached."""
    return any(run.status in ACTIVE_STATUSES for run in context.window_manager.footfall.training_runs)


def clear_cache(context: bpy.types.Context) -> str:
    """Remove all of it and say what is free now.

    Raises:
        FootfallError: something cannot be removed; the rest is.
    """
    said, failed = [], []
    for item in list_cache(context):
        said.append(Message("{title}: {format_size}", title=item.title, format_size=format_size(item.size())))
        for path in item.paths:
            try:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            except OSError as error:
                failed.append(Message("'{path}' cannot be removed ({strerror})", path=path, strerror=error.strerror))
    if failed:
        raise FootfallError("{join}: close what uses it and try again.", join=Message.joined("; ", failed))
    return Message("Free again. {join}", join=Message.joined("; ", said))


def format_size(size: int) -> str:
    """Return a number of bytes such as ``635 MB``."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"


def _runs_with_status(context: bpy.types.Context, status: str) -> Iterator[RunFolder]:
    folder = runs_folder()
    return (
        RunFolder(folder / run.name) for run in context.window_manager.footfall.training_runs if run.status == status
    )


def _dataset_entry(run: RunFolder) -> Iterator[Path]:
    """Yield the data set of a run; the table of its sources, which the panel shows, stays."""
    folder = run.dataset_path
    return (path for path in folder.iterdir() if path.name != TABLE_FILE_NAME) if folder.is_dir() else iter(())

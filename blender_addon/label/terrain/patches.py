"""Storage of the ground patches fitted under clips, and their build in the background."""

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from pathlib import Path
from threading import Event
from typing import Final

import bpy

from ....core.errors import FootfallError
from ....core.terrain.patches import PatchDatabase, build_patches
from ...ui.preferences import addon_preferences, cache_folder

POLL_INTERVAL_S: Final = 0.05
"""Seconds between two polls of the build's progress."""


def patches_folder() -> Path:
    """Return the folder for ground patches set in the preferences; it may not exist yet."""
    own = addon_preferences()
    chosen = bpy.path.abspath(own.terrain_patches_folder) if own and own.terrain_patches_folder else ""
    return Path(chosen) if chosen else cache_folder() / "patches"


def have_patches() -> bool:
    """Return whether there are ground patches."""
    return (patches_folder() / "patches.json").is_file()


def open_patches() -> PatchDatabase:
    """Open the ground patches; raise :class:`FootfallError` if they are missing or damaged."""
    if not have_patches():
        raise FootfallError(
            "There are no terrain patches in '{folder}': press Make Terrain Patches first",
            folder=patches_folder(),
        )
    return PatchDatabase.open(patches_folder())


class _Cancelled(Exception):
    """Raised after cancellation of the build of the patches."""


def make_patches(folder: Path, count: int) -> Generator[float, None, PatchDatabase]:
    """Build a database of ``count`` ground patches in the background, yielding the share done; return it.

    Raises:
        FootfallError: the folder cannot be written.
    """
    cancelled, share = Event(), [0.0]

    def tell(done: int, total: int) -> None:
        share[0] = done / total
        if cancelled.is_set():
            raise _Cancelled

    pool = ThreadPoolExecutor(1, thread_name_prefix="patches")
    try:
        making = pool.submit(build_patches, folder, count, progress=tell)
        while not making.done():
            yield share[0]
            wait_for([making], POLL_INTERVAL_S)
        return making.result()
    except OSError as error:
        raise FootfallError(
            "The terrain patches could not be written to '{folder}' ({error}): choose another folder in the "
            "preferences",
            folder=folder,
            error=error,
        ) from error
    finally:
        cancelled.set()
        pool.shutdown(wait=False)

"""Saving the open file after a command: completely, or not at all."""

import argparse
import errno
import os
from pathlib import Path
from typing import Final

import bpy

from ....core.errors import FootfallError
from ....core.jobs.atomic import destination, move_into_place, remove_parts_of, temporary_path
from ....core.jobs.locked_files import discard
from .job import Job
from .progress import print_status

BLEND_SUFFIX: Final = ".blend"

LAST_BLOCK: Final = b"ENDB"
"""Code of the last block of a file that is not compressed; its head is at most as long as :data:`TAIL_BYTES`."""
SEEK_TABLE_MAGIC: Final = (0x8F92EAB1).to_bytes(4, "little")
"""Last bytes of a file that is compressed (Zstandard's seekable format)."""
TAIL_BYTES: Final = 64


def add_saving(parser: argparse.ArgumentParser) -> None:
    """Add the options ``--save`` and ``--out``."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--save", action="store_true", help="save the result over the open file")
    where.add_argument(
        "--out", metavar="BLEND", help="save the result as another file, leaving the open file unchanged"
    )


def output_path(options: argparse.Namespace) -> Path | None:
    """Return the file to save to, if any; called before any work, so that errors appear early.

    Raises:
        FootfallError: the file cannot be saved there.
    """
    if options.save:
        if not bpy.data.filepath:
            raise FootfallError(
                "No file is open, so --save has no file to write: name a file before --command, or give --out"
            )
        path = Path(bpy.data.filepath)
    elif options.out:
        path = Path(options.out).absolute()
    else:
        return None
    if path.suffix != BLEND_SUFFIX:
        raise FootfallError(
            "'{path}' is not a Blender file: give a name that ends in {suffix}",
            path=path,
            BLEND_SUFFIX=BLEND_SUFFIX,
            BLEND_SUFFIX_2=BLEND_SUFFIX,
        )
    if not path.parent.is_dir():
        raise FootfallError("There is no folder '{folder}': create it first", folder=path.parent)
    if not os.access(path.parent, os.W_OK) or path.is_dir():
        raise FootfallError("'{path}' cannot be written: give another file", path=path)
    return path


def save(path: Path | None, job: Job) -> None:
    """Save the open file if it was changed and the options name a file to save to.

    Raises:
        FootfallError: the file could not be written; an existing file is unchanged.
        Interrupted: a signal has asked the work to end.
    """
    job.interruption.check()
    if not job.changed:
        return
    if path is None:
        print_status("nothing was saved: give --save to save over the open file, or --out to save as another file")
        return
    save_copy(path)
    job.saved = str(path)


def save_copy(path: Path) -> None:
    """Save the open file under a temporary name beside a path, then rename it; raise errors like :func:`save`."""
    path = destination(path)
    remove_parts_of(path)
    temporary = temporary_path(path, BLEND_SUFFIX)
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(temporary), copy=True, check_existing=False)
        require_complete(temporary)
        move_into_place(temporary, path)
    except (RuntimeError, OSError) as error:
        reason = str(error).strip().removeprefix("Error: ").rstrip(".")
        raise FootfallError(
            "'{path}' could not be saved ({reason}): free disk space, or give another file", path=path, reason=reason
        ) from error
    finally:
        discard(temporary)


def require_complete(path: Path) -> None:
    """Check that a saved file is complete, since Blender reports no error if a full disk cuts it off.

    Raises:
        RuntimeError: the end of the file is missing.
    """
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - TAIL_BYTES, 0))
        tail = file.read()
    if LAST_BLOCK not in tail and not tail.endswith(SEEK_TABLE_MAGIC):
        raise RuntimeError(os.strerror(errno.ENOSPC))

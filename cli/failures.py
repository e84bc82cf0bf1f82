"""Clips of a batch that cannot be used: reported at the end, after all others are processed."""

import errno
from pathlib import Path
from typing import Any

from ..core.errors import FootfallError, unknown_failure
from ..core.jobs.atomic import is_disk_full
from ..core.message import Message, printable


def failed_entry(clip: Path, error: Exception) -> dict[str, Any]:
    """Return the entry of an unusable clip in the result, with the ``error``; re-raise errors that affect all clips."""
    if is_disk_full(error) or isinstance(error, MemoryError):
        raise error
    if isinstance(error, FootfallError):
        return {"clip": str(clip), "error": str(error)}
    if isinstance(error, OSError):
        if error.errno != errno.ENAMETOOLONG:
            raise error
        said = Message("'{clip}': the file name is too long, as other files are named after it: shorten it", clip=clip)
        return {"clip": str(clip), "error": str(said)}
    return {"clip": str(clip), "error": f"'{printable(str(clip))}': {unknown_failure(error)}"}

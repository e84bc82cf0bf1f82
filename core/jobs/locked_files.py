"""Changes to files that other programs may have open, which Windows refuses.

Virus scanners, backups and previews open a new file for a moment. A folder cannot be renamed while a file in it is
open.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from ..message import Message

RETRY_PAUSES_S: Final = (0.01, 0.05, 0.2, 0.5, 1.0)
"""Pauses between attempts to change a file that another program has open."""
GLANCE_PAUSES_S: Final = (0.01, 0.05)
"""Pauses between attempts to read a file that is being replaced."""

Result = TypeVar("Result")


def when_free(change: Callable[[], Result], path: Path, pauses: tuple[float, ...] = RETRY_PAUSES_S) -> Result:
    """Call ``change``, again as long as another program has the file or folder open, and return its result.

    Args:
        change: function that makes the change.
        path: file or folder that an error message names, such as the target of a rename.
        pauses: wait after each failed attempt, seconds; their number limits the attempts.

    Raises:
        PermissionError: the file stays open, or must not be changed.
        OSError: the change fails for another reason.
    """
    for pause in pauses:
        with suppress(PermissionError):
            return change()
        time.sleep(pause)
    try:
        return change()
    except PermissionError as error:
        reason = Message("Another program has the file open, or the file is protected: close it in that program")
        raise PermissionError(error.errno, reason, str(path)) from error


def remove_when_free(path: Path) -> None:
    """Remove a file if it exists; raises the errors of :func:`when_free`."""
    when_free(lambda: path.unlink(missing_ok=True), path)


def discard(path: Path) -> None:
    """Remove a file that is no longer needed; if it stays open in another program, leave it."""
    with suppress(OSError):
        remove_when_free(path)

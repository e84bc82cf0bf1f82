"""Printing of results: as one JSON document, on standard output or in a file, or as lines of text."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import FootfallError
from ..core.jobs.atomic import write_atomically
from ..core.message import printable
from .options import STANDARD_OUTPUT


def print_result(document: Mapping[str, Any], json_target: str | None) -> None:
    """Print a result, or write it as JSON; values of ``None`` could not be measured.

    Args:
        document: the result.
        json_target: the value of ``--json``, a file or :data:`.options.STANDARD_OUTPUT`; ``None`` to print lines of
            text.

    Raises:
        OSError: the file cannot be written.
    """
    if json_target is not None:
        text = json.dumps(document, indent=2, allow_nan=False)
        if json_target == STANDARD_OUTPUT:
            print(text)
        else:
            write_atomically(Path(json_target).absolute(), f"{text}\n".encode())
        return
    width = max(map(len, document), default=0)
    for key, value in document.items():
        print(f"{printable(key):{width}}  {printable(_format_value(value))}")


def require_no_failures(failed: Sequence[Mapping[str, Any]], count: int) -> None:
    """Raise a :class:`FootfallError` with the first failed clip's ``error`` and the number of failures, if any failed.

    ``failed`` are the entries of failed clips, ``count`` is the number of all clips.
    """
    if failed:
        more = f" ({len(failed) - 1} more of {count} clips failed, too)" if len(failed) > 1 else ""
        raise FootfallError("{error}{more}", error=failed[0]["error"], more=more)


def _format_value(value: Any) -> str:
    """Return a result value formatted as text."""
    if value is None:
        return "-"
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)

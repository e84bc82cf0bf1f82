"""Results on the standard output: one JSON document, or lines of text."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.errors import FootfallError
from ..core.message import printable


def print_result(document: Mapping[str, Any], as_json: bool) -> None:
    """Print a result; ``None`` stands for a value that could not be measured."""
    if as_json:
        print(json.dumps(document, indent=2, allow_nan=False))
        return
    width = max(map(len, document), default=0)
    for key, value in document.items():
        print(f"{printable(key):{width}}  {printable(_format_value(value))}")


def require_no_failures(failed: Sequence[Mapping[str, Any]], count: int) -> None:
    """Raise the ``error`` of the first of the clips that failed as a :class:`FootfallError`, with how many more did.

    Args:
        failed: entries of these clips.
        count: of all clips.
    """
    if failed:
        more = f" ({len(failed) - 1} more of {count} clips failed, too)" if len(failed) > 1 else ""
        raise FootfallError("{error}{more}", error=failed[0]["error"], more=more)


def _format_value(value: Any) -> str:
    """Return a value as text."""
    if value is None:
        return "-"
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)

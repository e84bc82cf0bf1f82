"""Results on the standard output: one JSON document, or lines of text."""

import json
from collections.abc import Mapping
from typing import Any

from ..core.message import printable


def print_result(document: Mapping[str, Any], as_json: bool) -> None:
    """Print a result; ``None`` stands for a value that could not be measured."""
    if as_json:
        print(json.dumps(document, indent=2, allow_nan=False))
        return
    width = max(map(len, document), default=0)
    for key, value in document.items():
        print(f"{printable(key):{width}}  {printable(_format_value(value))}")


def _format_value(value: Any) -> str:
    """Return a value as text."""
    if value is None:
        return "-"
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)

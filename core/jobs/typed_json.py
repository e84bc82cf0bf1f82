"""Bounded reading of typed JSON: values that match type hints, and rows of data classes."""

from collections.abc import Mapping
from types import UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from .bounded_files import ContentError, parse_json

Row = TypeVar("Row")
_UNIONS: Final = (Union, UnionType)


def has_type(value: object, hint: Any) -> bool:
    """Return whether a JSON value matches a type hint; integers pass as floats, booleans do not pass as numbers.

    Args:
        value: a value from :func:`.bounded_files.parse_json`.
        hint: a plain type, ``None``, ``Any``, ``Literal``, ``list``, ``tuple`` of a fixed length (in JSON a list), a
            ``dict`` with text keys, or a union of these.

    >>> has_type({"left": [1, 2.5]}, dict[str, list[float]]), has_type([1, "a"], tuple[int, int])
    (True, False)
    """
    kind, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if kind is Literal:
        return value in parts
    if kind in _UNIONS:
        return any(has_type(value, part) for part in parts)
    if kind is list:
        return isinstance(value, list) and all(has_type(one, parts[0]) for one in value)
    if kind is tuple:
        return isinstance(value, list) and len(value) == len(parts) and all(map(has_type, value, parts))
    if kind is dict:
        return isinstance(value, Mapping) and all(has_type(one, parts[1]) for one in value.values())
    if hint in (int, float):
        return isinstance(value, int if hint is int else int | float) and not isinstance(value, bool)
    return value is None if hint in (None, type(None)) else isinstance(value, hint)


def parse_rows(text: str, row_type: type[Row]) -> tuple[Row, ...]:
    """Parse a JSON list of objects that have the fields of a data class, and return them as its instances.

    Raises:
        ContentError: the text is damaged, or has other fields or types.
    """
    hints, rows = get_type_hints(row_type), parse_json(text)
    if not has_type(rows, list[dict[str, Any]]):
        raise ContentError("the text does not contain a list of JSON objects")
    for row in rows:
        if row.keys() != hints.keys() or not all(has_type(row[name], hint) for name, hint in hints.items()):
            raise ContentError("a row does not have the expected fields")
    return tuple(row_type(**row) for row in rows)

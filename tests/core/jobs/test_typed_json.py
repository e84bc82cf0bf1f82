"""Values of JSON that are what type hints say, and rows that are not."""

import json
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from footfall.core.jobs.bounded_files import ContentError
from footfall.core.jobs.typed_json import has_type, parse_rows


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (1, int),
        (1, float),
        (1.5, float),
        ("a", str),
        (None, float | None),
        (2.0, float | None),
        ({"a": [1, 2]}, Any),
        ("GOOD", Literal["GOOD", "BAD"]),
        ([], list[int]),
        ([1, 2.5], list[float]),
        (["a", 1], tuple[str, int]),
        ({"a": "b"}, dict[str, str]),
        ({"a": [True]}, dict[str, bool | list[bool]]),
    ],
)
def test_values_of_a_type(value: object, hint: Any) -> None:
    assert has_type(value, hint)


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (1.5, int),
        (True, int),
        (True, float),
        ("1", float),
        (None, float),
        ("FINE", Literal["GOOD", "BAD"]),
        ({}, list[int]),
        ([1, "a"], list[float]),
        ([1], tuple[int, int]),
        ([1, 2, 3], tuple[int, int]),
        ("ab", tuple[str, str]),
        ([], dict[str, str]),
        ({"a": 1}, dict[str, str]),
    ],
)
def test_values_of_another_type(value: object, hint: Any) -> None:
    assert not has_type(value, hint)


@dataclass(frozen=True)
class Step:
    """A row."""

    side: Literal["left", "right"]
    length: float


def test_rows_of_a_data_class() -> None:
    text = json.dumps([{"side": "left", "length": 0.7}, {"length": 1, "side": "right"}])
    assert parse_rows(text, Step) == (Step("left", 0.7), Step("right", 1))
    assert parse_rows("[]", Step) == ()


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[" * 100_000,
        "{}",
        "[1]",
        "[{}]",
        '[{"side": "left"}]',
        '[{"side": "left", "length": "1"}]',
        '[{"side": "up", "length": 1}]',
        '[{"side": "left", "length": NaN}]',
        '[{"side": "left", "length": 1, "width": 1}]',
    ],
)
def test_other_rows_are_refused(text: str) -> None:
    with pytest.raises(ContentError):
        parse_rows(text, Step)

"""Work in steps: its result, and its shares as those of a part."""

from collections.abc import Generator

import pytest

from footfall.core.jobs.steps import part_of


def halves() -> Generator[float, None, str]:
    yield 0.0
    yield 0.5
    return "made"


def test_shares_of_a_part_are_those_of_all() -> None:
    shares = []

    def whole() -> Generator[float, None, str]:
        made = yield from part_of(halves(), 0.2, 0.6)
        shares.append(made)
        return made

    assert list(whole()) == pytest.approx([0.2, 0.4]) and shares == ["made"]

"""Work in steps: its result, and its shares as those of a part."""

from collections.abc import Generator

import pytest

from footfall.core.jobs.steps import part_of, rising


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


def test_shares_of_work_that_is_done_again_do_not_fall() -> None:
    made = []

    def again() -> Generator[float, None, str]:
        yield from halves()
        yield from halves()
        yield 0.75
        return "made again"

    def whole() -> Generator[float, None, None]:
        made.append((yield from rising(again())))

    assert list(whole()) == [0.0, 0.5, 0.5, 0.5, 0.75] and made == ["made again"]

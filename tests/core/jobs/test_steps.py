"""Work in steps: its result, and its shares as those of a part."""

from collections.abc import Generator

import pytest

from footfall.core.jobs.steps import Stepwise, part_of


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


def test_stepwise_work_is_done_at_once_or_in_steps() -> None:
    done = []

    @Stepwise
    def doubled(*numbers: int) -> Generator[None, None, list[int]]:
        for number in numbers:
            done.append(2 * number)
            yield
        return done

    assert doubled(1, 2) == [2, 4]
    steps = doubled.steps(3, 4)
    next(steps)
    assert done == [2, 4, 6]

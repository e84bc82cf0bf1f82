"""Rounds of the refinement of a dance: bodies apart, hands joined, elbows steadied before the last of them."""

from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from footfall.core.control.refine import dance_refinement
from footfall.core.control.walk.partner_dance import Dance


@dataclass(frozen=True)
class Dancer:
    """A dancer whose motion is what was done to it."""

    clip: str
    contacts: str = "feet"


@dataclass(frozen=True)
class Pair:
    """A dance of two."""

    leader: Dancer
    follower: Dancer
    holds: str = "holds"


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Dance:
    """A dance, each step of whose refinement adds a letter to both motions."""

    def adds(letter: str) -> Any:
        return lambda first, second, *_: (first + letter, second + letter)

    for name, letter in (("keep_apart", "a"), ("join_hands", "j"), ("lead_around", "d")):
        monkeypatch.setattr(dance_refinement, name, adds(letter))
    monkeypatch.setattr(dance_refinement, "steady_elbows", lambda clip: clip + "e")
    return cast("Dance", Pair(Dancer("L:"), Dancer("F:")))


def test_hands_come_last_in_every_round_and_elbows_are_steadied_before_the_last_six(told: Dance) -> None:
    made: Any = dance_refinement.refine_dance(told)
    rounds = "aj" * 22 + "e" + "aj" * 6 + "d"
    assert (made.leader.clip, made.follower.clip) == ("L:" + rounds, "F:" + rounds)
    assert replace(made.leader, clip="L:") == cast("Any", told).leader


def test_the_share_that_is_done_grows_by_rounds(told: Dance) -> None:
    shares = list(dance_refinement.refine_in_steps(told))
    assert shares == [done / 28 for done in range(28)]

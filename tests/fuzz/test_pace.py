"""The pace of readers: inputs that are enough, and the time that a reader needs to get there."""

import pytest

from footfall.tests.fuzz.campaign import MAX_CRASHES, Summary, missed_aims
from footfall.tests.fuzz.pace import AIM, QUICK_AIM, QUICK_SECONDS, Pace
from footfall.tests.fuzz.worker import Result


def summary(quick: int, slow: int, seconds: float, name: str = "made") -> Summary:
    """Return the summary of a reader that has read so many inputs in a time."""
    made = Summary(name, seconds=seconds)
    for number in range(quick + slow):
        made.add(Result(number, "read", 0.0 if number < quick else QUICK_SECONDS, 0.0, "mutated", ""))
    return made


@pytest.mark.parametrize("quick, slow, aim", [(0, 0, QUICK_AIM), (3, 3, QUICK_AIM), (3, 4, AIM), (0, 1, AIM)])
def test_a_reader_is_quick_that_is_so_with_half_of_its_inputs(quick: int, slow: int, aim: int) -> None:
    assert Pace(quick + slow, quick).aim == aim


def test_a_reader_needs_the_time_of_its_missing_inputs() -> None:
    assert summary(quick=100, slow=0, seconds=2.0).need == pytest.approx(2.0 * (QUICK_AIM - 100) / 100)
    assert summary(quick=0, slow=50, seconds=5.0).need == pytest.approx(5.0 * (AIM - 50) / 50)
    assert Summary("untried").need == 1.0


def test_a_reader_is_through_with_its_aim_or_its_count_or_where_it_keeps_ending() -> None:
    tried = summary(quick=0, slow=10, seconds=1.0)
    assert tried.is_through(10) and not tried.is_through(11)
    tried.pace.tried = AIM
    tried.counts["read"] = AIM
    assert tried.is_through(10 * AIM) and tried.need == 0.0
    ended = Summary("ended")
    ended.counts["crashed"] = MAX_CRASHES
    assert not ended.is_through(10 * AIM)
    ended.counts["crashed"] += 1
    assert ended.is_through(10 * AIM) and Summary("lacking", why_not="it is not set up").is_through(1)


def test_missed_aims_are_told_of_readers_that_were_tried() -> None:
    few, lacking = summary(quick=2, slow=0, seconds=1.0, name="few"), Summary("lacking", why_not="it is not set up")
    assert missed_aims([few, lacking]) == [f"few: 2 of {QUICK_AIM} inputs"]

"""Errors of strikes: frames are counted in words, and a sentence is told again in other units."""

import pytest

from footfall.core.control.combat.strike_error import StrikeError, by_frames


@pytest.mark.parametrize(("count", "words"), [(1, "1 frame"), (0, "0 frames"), (2, "2 frames"), (10, "10 frames")])
def test_frames_are_counted_in_words(count: int, words: str) -> None:
    fields = by_frames(count)
    assert fields["count"] == count and str(fields["frames"]) == words


def test_the_same_sentence_is_told_with_other_fields() -> None:
    error = StrikeError("{effector} at {frame}: {frames} off", effector="hand.L", frame=96, **by_frames(5))
    told = error.retold(frame=40, **by_frames(1))
    assert isinstance(told, StrikeError)
    assert str(told) == "hand.L at 40: 1 frame off"
    assert str(error) == "hand.L at 96: 5 frames off", "the first one stays as it was"

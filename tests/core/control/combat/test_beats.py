"""Beats: what cannot be is refused with one sentence, before anything is staged."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.combat.beats import MIN_APART_FRAMES, Beat, Duelist, require_beats
from footfall.core.errors import FootfallError

PAIR = [Duelist("A", np.array([0.0, -2.0])), Duelist("B", np.zeros(2))]
BEAT = Beat(96, "A", "B")


def test_beats_of_known_characters_are_accepted_in_any_order() -> None:
    require_beats(PAIR, [replace(BEAT, frame=200), BEAT])


@pytest.mark.parametrize(
    ("beats", "sentence"),
    [
        ([], "There is no beat"),
        ([replace(BEAT, receiver="A")], "at frame 96 is between A and itself: let it strike another"),
        ([replace(BEAT, receiver="C")], "has a character 'C' that is not there: choose one of A, B"),
        ([replace(BEAT, frame=-3)], "is 3 frames before the first: move it"),
        ([replace(BEAT, frame=-1)], "is 1 frame before the first: move it"),
        ([replace(BEAT, part="tail")], "has no part 'tail': choose one of head"),
        ([replace(BEAT, effector="head")], "has no end effector 'head': choose one of hand.L"),
        ([replace(BEAT, side="behind")], "has no side 'behind': choose one of straight"),
        ([replace(BEAT, answer="faint")], "has no answer 'faint': choose one of hit, parry, dodge"),
        ([replace(BEAT, point=np.array([0.0, np.nan, 0.0]))], "at frame 96 is not at a finite position: move it"),
        ([BEAT, BEAT], "A has two beats at frames 96 and 96, 20 frames too close"),
        ([BEAT, Beat(115, "B", "A")], "at frames 96 and 115, 1 frame too close to each other: move"),
        ([BEAT, Beat(101, "B", "A")], "has two beats at frames 96 and 101, 15 frames too close to each other: move"),
    ],
)
def test_beats_that_cannot_be_are_refused(beats: list[Beat], sentence: str) -> None:
    with pytest.raises(FootfallError, match=sentence):
        require_beats(PAIR, beats)


def test_beats_of_others_may_be_at_one_frame() -> None:
    four = [*PAIR, Duelist("C", np.ones(2)), Duelist("D", 2 * np.ones(2))]
    require_beats(four, [BEAT, Beat(96, "C", "D"), replace(BEAT, frame=96 + MIN_APART_FRAMES)])


def test_characters_need_names_and_places() -> None:
    with pytest.raises(FootfallError, match="Two characters are named 'A'"):
        require_beats([PAIR[0], PAIR[0]], [BEAT])
    with pytest.raises(FootfallError, match="The place of B is not at a finite position"):
        require_beats([PAIR[0], Duelist("B", np.array([np.inf, 0.0]))], [BEAT])

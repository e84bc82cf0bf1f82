"""Beats: what cannot be is refused with one sentence, before anything is staged."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.duel.beats import Beat, Duelist, require_beats
from footfall.core.control.duel.weapon import Weapon
from footfall.core.errors import FootfallError

PAIR = [Duelist("A", np.array([0.0, -2.0])), Duelist("B", np.zeros(2))]
BEAT = Beat(96, "A", "B")


@pytest.mark.parametrize(
    ("beats", "sentence"),
    [
        ([], "The duel has no beats"),
        ([replace(BEAT, receiver="A")], "In the beat at frame 96, A strikes itself: let it strike another character"),
        ([replace(BEAT, receiver="C")], "character 'C' of the beat at frame 96 does not exist: choose one of A, B"),
        ([replace(BEAT, frame=-3)], "is 3 frames before the first frame of the duel: move it to a later frame"),
        ([replace(BEAT, frame=-1)], "is 1 frame before the first frame of the duel: move it to a later frame"),
        ([replace(BEAT, part="tail")], "has an unknown value for part, 'tail': choose one of head"),
        ([replace(BEAT, effector="head")], "has an unknown value for end effector, 'head': choose one of hand.L"),
        ([replace(BEAT, side="behind")], "has an unknown value for side, 'behind': choose one of straight"),
        ([replace(BEAT, answer="faint")], "has an unknown value for answer, 'faint': choose one of hit, parry, dodge"),
        ([replace(BEAT, point=np.array([0.0, np.nan, 0.0]))], "at frame 96 has no valid position: move it"),
        ([BEAT, BEAT], "The beats of A at frames 96 and 96 are 20 frames too close to each other"),
        ([BEAT, Beat(115, "B", "A")], "at frames 96 and 115 are 1 frame too close to each other: move one of them"),
        ([BEAT, Beat(101, "B", "A")], "at frames 96 and 101 are 15 frames too close to each other: move one of them"),
    ],
)
def test_beats_that_cannot_be_are_refused(beats: list[Beat], sentence: str) -> None:
    with pytest.raises(FootfallError, match=sentence):
        require_beats(PAIR, beats)


@pytest.mark.parametrize(
    ("weapon", "sentence"),
    [
        (Weapon(length=0.29), "The weapon of A is 0.29 m long: choose one that is 0.3 to 1.4 m"),
        (Weapon(length=1.41), "The weapon of A is 1.41 m long"),
        (Weapon(length=np.nan), "The weapon of A is nan m long"),
        (Weapon("foot.L"), "The weapon of A is in 'foot.L', which is not a hand: choose one of hand.L, hand.R"),
    ],
)
def test_other_weapons_are_refused(weapon: Weapon, sentence: str) -> None:
    with pytest.raises(FootfallError, match=sentence):
        require_beats([replace(PAIR[0], weapon=weapon), PAIR[1]], [Beat(96, "B", "A")])


HELD = Weapon("hand.L")


@pytest.mark.parametrize(
    ("beat", "own", "other", "sentence"),
    [
        (BEAT, HELD, None, "A holds the weapon with both hands at frame 96: strike with hand.L, or with a foot"),
        (replace(BEAT, effector="hand.L"), HELD, None, ""),
        (replace(BEAT, effector="foot.R"), HELD, HELD, ""),
        (replace(BEAT, effector="hand.L", answer="parry"), HELD, None, "B cannot parry the strike of A at frame 96"),
        (replace(BEAT, effector="hand.L", answer="parry"), HELD, HELD, ""),
        (replace(BEAT, effector="foot.R", answer="parry"), HELD, None, ""),
        (
            replace(BEAT, effector="foot.R", answer="parry"),
            HELD,
            HELD,
            "since only weapons can parry weapons, and only hands can parry hands and feet",
        ),
        (replace(BEAT, answer="parry"), None, HELD, "B cannot parry the strike of A at frame 96"),
        (replace(BEAT, answer="parry"), None, None, ""),
        (replace(BEAT, answer="dodge"), None, HELD, ""),
    ],
)
def test_weapons_parry_weapons_and_hands_the_rest(
    beat: Beat, own: Weapon | None, other: Weapon | None, sentence: str
) -> None:
    pair = [replace(PAIR[0], weapon=own), replace(PAIR[1], weapon=other)]
    if not sentence:
        require_beats(pair, [beat])
        return
    with pytest.raises(FootfallError, match=sentence):
        require_beats(pair, [beat])

"""Scores of found blows, and files of blows put down by hand."""

import json
from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.attacks import compare
from footfall.benchmarks.hand_blows import HandBlows, read_blow_file, read_hand_blows
from footfall.core.errors import FootfallError
from footfall.core.labelling.semantics.blows import Blow

HAND = HandBlows("somewhere/fight.bvh", "punch", 0, 99, (Blow("hand.R", 10, 20, 30), Blow("hand.L", 40, 50, 60)))


def test_a_blow_is_found_once_with_the_right_hand_and_between_beginning_and_end() -> None:
    found = [Blow("hand.R", 12, 21, 28), Blow("hand.R", 25, 29, 35), Blow("hand.R", 45, 50, 60)]
    score = compare(HAND, found, 60.0)
    assert (score.expected, score.found) == (2, 3)
    np.testing.assert_allclose(score.offsets * 60.0, [[1, 2, -2]])


def test_blows_outside_the_range_do_not_count() -> None:
    assert compare(HAND, [Blow("hand.R", 120, 130, 140)], 60.0).found == 0


def test_forty_seven_blows_are_put_down() -> None:
    hands = read_hand_blows()
    assert sum(len(hand.blows) for hand in hands) == 47
    assert {hand.kind for hand in hands} == {"punch", "kick", "cut"}


ENTRY = {
    "clip": "somewhere/fight.bvh",
    "kind": "kick",
    "first": 0,
    "last": 99,
    "blows": [{"effector": "foot.L", "start": 10, "apex": 20, "stop": 30}],
}


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"kind": "bite"}, "there is no kind 'bite': write punch, kick, cut"),
        ({"last": 15}, "the blow of foot.L at frame 20 is none"),
        ({"blows": [ENTRY["blows"][0], ENTRY["blows"][0]]}, "not in the order of their apexes"),  # type: ignore[index]
        ({"first": "early"}, "is not a file of blows"),
    ],
)
def test_files_that_are_wrong_get_a_sentence(tmp_path: Path, change: dict[str, object], sentence: str) -> None:
    file = tmp_path / "blows.json"
    file.write_text(json.dumps(ENTRY | change))
    with pytest.raises(FootfallError, match=sentence):
        read_blow_file(file)

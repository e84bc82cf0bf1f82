"""Duels of the shipped controllers: beats are met on their frames, and bodies stay out of each other."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.duel.beats import Beat, Duelist
from footfall.core.control.duel.body_contact import effector_gap
from footfall.core.control.duel.duel import Duel, Meeting, stage_duel
from footfall.core.control.strike.fight import Fighter
from footfall.core.control.strike.strike_takes import captured_takes
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import load_model
from footfall.core.scene.body_overlap import deepest_overlap

PRESETS = Path(__file__).parents[4] / "presets"
FAR = [Duelist("A", np.array([0.0, -3.0]), np.array([2.0, -4.0])), Duelist("B", np.zeros(2))]
FIGHTER = Fighter(
    load_model(PRESETS / "strikes" / "strikes.safetensors"),
    load_model(PRESETS / "controllers" / "locomotion.safetensors"),
)
NEAR = [Duelist("A", np.array([0.0, -1.1])), Duelist("B", np.zeros(2))]
BEATS = [
    Beat(300, "A", "B"),
    Beat(400, "B", "A", effector="hand.L", answer="parry"),
    Beat(500, "A", "B", answer="dodge"),
    Beat(600, "B", "A", "chest", "foot.R"),
    Beat(700, "A", "B", "chest", "hand.L", side="left"),
]


@pytest.fixture(scope="module")
def duel() -> Duel:
    return stage_duel(FIGHTER, FAR, BEATS[::-1])


def test_every_beat_is_met_on_its_frame(duel: Duel) -> None:
    assert [meeting.beat.frame for meeting in duel.meetings] == [300, 400, 500, 600, 700]
    first, second = duel.clips["A"], duel.clips["B"]
    assert len(first) == len(second)
    for beat in (BEATS[0], BEATS[3], BEATS[4]):
        striker, receiver = duel.clips[beat.striker], duel.clips[beat.receiver]
        assert abs(effector_gap(striker, beat.frame, beat.effector, receiver, beat.part)) < 0.02
        assert effector_gap(striker, beat.frame - 8, beat.effector, receiver, beat.part) > 0.1
    parried = [effector_gap(second, 400, "hand.L", first, f"hand.{side}") for side in "LR"]
    assert min(map(abs, parried)) < 0.03
    assert duel.meetings[2].distance >= 0.0


def test_bodies_stay_out_of_each_other(duel: Duel) -> None:
    assert deepest_overlap(duel.clips["A"], duel.clips["B"]).max() <= 0.02


def test_the_one_that_is_hit_is_pushed_and_comes_back(duel: Duel) -> None:
    head = duel.clips["B"].positions[:, duel.clips["B"].skeleton.joint("head")]
    away = head[:, 1] - head[300, 1]
    assert away[300:325].max() > 0.08
    assert abs(away[350]) < 0.05, "before its own strike takes it elsewhere"


@pytest.mark.parametrize(
    ("part", "effector", "point"),
    [
        ("head", "hand.R", (0.06, 0.06, 0.08)),
        ("head", "hand.R", (0.0, 0.05, 0.17)),
        ("head", "hand.L", (0.07, 0.03, 0.06)),
        ("chest", "hand.R", (0.12, 0.06, 0.1)),
        ("hips", "foot.R", (0.1, 0.06, 0.05)),
    ],
)
def test_a_point_of_the_body_is_struck_and_nothing_beside_it(part: str, effector: str, point: tuple[float]) -> None:
    duel = stage_duel(FIGHTER, NEAR, [Beat(100, "A", "B", part, effector, point=np.array(point))])
    assert duel.meetings[0].distance < 0.005
    assert deepest_overlap(duel.clips["A"], duel.clips["B"]).max() <= 0.02


@pytest.mark.parametrize("answer", ["hit", "parry", "dodge"])
def test_both_fists_come_down_from_above(answer: str) -> None:
    duel = stage_duel(FIGHTER, NEAR, [Beat(110, "A", "B", side="above", answer=answer)])
    assert duel.meetings[0].problem() is None
    striker = duel.clips["A"]
    hands = striker.positions[:, [striker.skeleton.joint(f"hand.{side}") for side in "LR"]]
    assert hands[104, :, 2].min() > hands[110, :, 2].max(), "downward"
    assert hands[80:105, :, 2].max() > striker.positions[110, striker.skeleton.joint("head"), 2] + 0.1, "overhead"
    assert np.linalg.norm(hands[95:110, 0] - hands[95:110, 1], axis=-1).max() < 0.3
    assert deepest_overlap(duel.clips["A"], duel.clips["B"]).max() <= 0.02


def test_a_third_character_walks_up_and_strikes() -> None:
    three = [*NEAR, Duelist("C", np.array([2.5, 0.5]))]
    duel = stage_duel(FIGHTER, three, [Beat(90, "A", "B"), Beat(300, "C", "B", answer="parry")])
    assert len({len(clip) for clip in duel.clips.values()}) == 1
    assert deepest_overlap(duel.clips["B"], duel.clips["C"]).max() <= 0.02


@pytest.mark.parametrize(
    ("beat", "sentence"),
    [
        (
            Beat(20, "A", "B"),
            r"strike of A at frame 20 comes \d+ frames too early after its previous action: move",
        ),
        (
            Beat(90, "A", "B", effector="foot.R", side="above"),
            "The controller has no strike with foot.R from the side 'above' for the beat at frame",
        ),
        (Beat(90, "A", "B", point=np.array([0.0, 0.0, 0.08])), r"is 8\.\d cm inside the body of B: move the target"),
        (
            Beat(90, "A", "B", point=np.array([0.0, 0.5, 0.08])),
            r"is \d+\.\d cm away from the body of B: move the target",
        ),
        (
            Beat(90, "A", "B", point=np.array([0.0, -0.09, 0.08])),
            r"is 1\d\d degrees around the body of B, hidden from",
        ),
    ],
)
def test_beats_that_cannot_be_met_are_refused_with_the_amount(beat: Beat, sentence: str) -> None:
    with pytest.raises(FootfallError, match=sentence):
        stage_duel(FIGHTER, NEAR, [beat])


def test_a_walk_that_takes_too_long_is_refused() -> None:
    far = [Duelist("A", np.array([0.0, -9.0])), NEAR[1]]
    with pytest.raises(FootfallError, match=r"strike of A at frame 200 comes \d+ frames too early"):
        stage_duel(FIGHTER, far, [Beat(200, "A", "B")])


def test_a_controller_without_captured_attacks_is_refused() -> None:
    with pytest.raises(FootfallError, match="A duel needs captured attacks, but this controller contains none"):
        captured_takes(FIGHTER.walks)


@pytest.mark.parametrize(
    ("answer", "distance", "sentence"),
    [
        ("hit", 0.02, None),
        ("hit", -0.02, None),
        ("hit", 0.021, "The strike of A at frame 90 ends 2.1 cm from the surface of B: strike another body part"),
        ("hit", -0.123, "The strike of A at frame 90 ends 12.3 cm from the surface of B"),
        ("parry", 0.03, None),
        ("parry", -0.03, None),
        (
            "parry",
            0.031,
            "The parry of B at frame 90 misses the strike by 3.1 cm: strike another body part",
        ),
        ("parry", -0.05, "The parry of B at frame 90 misses the strike by 5.0 cm"),
        ("dodge", 0.0, None),
        ("dodge", 2.0, None),
        (
            "dodge",
            -0.004,
            "B dodges the strike at frame 90 too little, and is hit 0.4 cm deep: allow",
        ),
    ],
)
def test_a_missed_beat_is_reported_with_the_amount(answer: str, distance: float, sentence: str | None) -> None:
    problem = Meeting(Beat(90, "A", "B", answer=answer), distance).problem()
    assert (problem is None) == (sentence is None)
    assert problem is None or str(problem).startswith(sentence or "")

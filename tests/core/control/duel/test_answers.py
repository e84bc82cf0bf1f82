"""Answers of a struck body: a push that decays over feet that stay, and a dodge that is out of the way."""

import numpy as np
import pytest

from footfall.core.control.duel import answers, hand_answers
from footfall.core.control.duel.answers import dodge, limb_distance, push
from footfall.core.control.duel.beats import Beat
from footfall.core.control.duel.body_contact import effector_gap, way_to_contact
from footfall.core.control.duel.hand_answers import choose_parry, open_guard, parried
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.motion import Clip
from footfall.core.motion.rotations import rotation_about_up
from footfall.tests.support.poses import UPRIGHT, hips_at, posed, puncher

STRIKER = puncher(0.18)
(BLOW,) = LimbMotion.of(STRIKER, 0.0).blows
FRAME = BLOW.apex
BEHIND = np.array([0.0, -1.0, 0.0])
"""Direction of the punch: the puncher faces -Y."""


def struck(gap: float, part: str) -> Clip:
    """A body that stands before the puncher and faces it, its part a distance from the fist at the apex."""
    guard = np.tile([0.6, 0.6], (len(STRIKER), 1))
    body = posed(hips_at(np.full(len(STRIKER), UPRIGHT)), guard, np.tile([2.3, 2.3], (len(STRIKER), 1)))
    body = body.transformed(rotation_about_up(np.pi), np.zeros(3))
    hand = STRIKER.positions[FRAME, STRIKER.skeleton.joint(BLOW.effector)]
    body = body.transformed(np.array([1.0, 0.0, 0.0, 0.0]), np.array([hand[0], hand[1] - 0.6, 0.0]))
    way = way_to_contact(STRIKER, FRAME, BLOW.effector, body, part, BEHIND)
    return body.transformed(np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.0, -way[1], 0.0]) + gap * BEHIND)


@pytest.mark.parametrize("part", ["head", "chest"])
def test_a_push_begins_with_the_hit_and_decays_over_feet_that_stay(part: str) -> None:
    body = struck(0.0, part)
    pushed = push(body, Beat(FRAME, "A", "B", part, BLOW.effector), BEHIND)
    moved = np.linalg.norm(pushed.positions - body.positions, axis=-1)
    assert moved[: FRAME + 1].max() == pytest.approx(0.0, abs=1e-9)
    assert moved[FRAME + 1].max() < 0.02, "no velocity at the hit itself"
    trunk = body.skeleton.joint("chest")
    assert 0.03 < moved[FRAME : FRAME + 30, trunk].max() < 0.3
    assert moved[FRAME + 90 :].max() < 1e-6
    feet = [body.skeleton.joint(f"foot.{side}") for side in "LR"]
    assert moved[:, feet].max() < 3e-3


def test_a_dodge_is_out_of_the_way_and_comes_back() -> None:
    body, beat = struck(0.0, "chest"), Beat(FRAME, "A", "B", "chest", BLOW.effector, answer="dodge")
    assert limb_distance(body, beat, STRIKER) < 0.01
    away = dodge(body, beat, STRIKER, BEHIND)
    assert limb_distance(away, beat, STRIKER) >= answers.TUNING.dodge_clearance
    np.testing.assert_allclose(away.positions[0], body.positions[0], atol=1e-9)
    np.testing.assert_allclose(away.positions[-1], body.positions[-1], atol=1e-9)


def test_a_parrying_hand_meets_the_strike_on_its_frame() -> None:
    body, beat = struck(0.12, "chest"), Beat(FRAME, "A", "B", "chest", BLOW.effector, answer="parry")
    hand = choose_parry(body, beat, STRIKER, BEHIND)
    made = parried(body, beat, STRIKER, hand, hand_answers.TUNING.parry_rounds)
    gaps = [effector_gap(STRIKER, FRAME, BLOW.effector, made, f"hand.{side}") for side in "LR"]
    assert min(map(abs, gaps)) < 0.005
    np.testing.assert_allclose(made.positions[-1], body.positions[-1], atol=1e-9)


def test_hands_give_way_to_a_strike_that_hits() -> None:
    body, beat = struck(0.0, "chest"), Beat(FRAME, "A", "B", "chest", BLOW.effector)
    opened = open_guard(body, beat, STRIKER, BEHIND)
    for side in "LR":
        assert effector_gap(STRIKER, FRAME, BLOW.effector, opened, f"hand.{side}") > -0.005
    chest = body.skeleton.joint("hips")
    np.testing.assert_allclose(opened.positions[-1, chest], body.positions[-1, chest], atol=1e-9)

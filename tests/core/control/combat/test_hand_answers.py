"""Answers of hands: a hand sweeps into the strike and is thrown back, or both are brought aside, on known paths."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from footfall.core.control.combat import hand_answers
from footfall.core.control.combat.beats import Beat
from footfall.core.control.combat.hand_answers import Parry, choose_parry, open_guard, parried
from footfall.core.motion import Clip
from footfall.core.motion.blending import smooth_step
from footfall.core.motion.rotations import Array
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.core.scene.full_body_ik import EffectorGoal
from footfall.tests.support.poses import hips_at, posed

FRAMES, FRAME = 160, 70
BODY = posed(hips_at(np.full(FRAMES, 0.95)), np.full((FRAMES, 2), 0.6), np.full((FRAMES, 2), 2.3))
SECONDS = (np.arange(FRAMES) - FRAME) / 60.0
WAY = np.array([0.0, 1.0, 0.0])
"""Direction of a strike at the body, which faces -Y."""
HANDS = {side: BODY.positions[0, BODY.skeleton.joint(f"hand.{side}")] for side in "LR"}
BEAT = Beat(FRAME, "A", "B", "chest", "hand.R")


def striker(place: Array, frames: Sequence[int] | None = None) -> Clip:
    """A body whose right hand is at a place, at some frames or all; it is five meters away else."""
    still = posed(hips_at(np.full(FRAMES, 0.95)), np.full((FRAMES, 2), 1.57))
    way = np.tile(place - still.positions[0, still.skeleton.joint("hand.R")], (FRAMES, 1))
    if frames is not None:
        away = np.setdiff1d(np.arange(FRAMES), frames)
        way[away] += [5.0, 0.0, 0.0]
    return replace(still, root_positions=still.root_positions + way)


@pytest.fixture
def goals(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, EffectorGoal]]:
    """Goals that hands are told, with the number of frames; nothing moves."""
    told = []

    def solved(clip: Clip, wanted: Sequence[EffectorGoal]) -> Clip:
        told.extend((len(clip), goal) for goal in wanted)
        return clip

    monkeypatch.setattr(hand_answers, "solve_full_body_ik", solved)
    return told


def weights(rise: float, stay: float, fall: float) -> Array:
    return smooth_step((SECONDS + rise) / rise) * (1.0 - smooth_step((SECONDS - stay) / fall))


def test_a_parrying_hand_sweeps_in_and_is_thrown_back(goals: list[tuple[int, EffectorGoal]]) -> None:
    place, outward = np.array([0.1, -0.7, 1.3]), np.array([0.6, 0.0, 0.8])
    parried(BODY, BEAT, striker(place), Parry("L", outward), 1)
    ((count, goal),) = goals
    expected = weights(0.25, 0.06, 0.4)
    rows = np.flatnonzero(expected > 0.0)
    assert goal.role == "hand.L" and count == len(goal.weights) == rows[-1] - rows[0] + 1
    np.testing.assert_allclose(goal.weights, expected[rows], atol=1e-12)
    sweep = 0.12 * (smooth_step(-SECONDS / 0.15) + np.clip(SECONDS / 0.1, 0.0, 1.0))
    np.testing.assert_allclose(goal.positions, place + np.outer(0.07 + sweep, outward)[rows], atol=1e-12)


def test_it_is_corrected_by_what_is_left(goals: list[tuple[int, EffectorGoal]]) -> None:
    place, outward = np.array([0.1, -0.7, 1.3]), np.array([0.6, 0.0, 0.8])
    parried(BODY, BEAT, striker(place), Parry("L", outward), 3)
    assert len(goals) == 3
    away = place - HANDS["L"]
    gap = np.linalg.norm(away) - 0.05  # of two hands of 2.5 cm
    step = gap * away / np.linalg.norm(away)
    np.testing.assert_allclose(
        goals[1][1].positions - goals[0][1].positions, np.tile(step, (goals[0][0], 1)), atol=1e-9
    )
    np.testing.assert_allclose(
        goals[2][1].positions - goals[1][1].positions, np.tile(step, (goals[0][0], 1)), atol=1e-9
    )


@pytest.mark.parametrize(("gap", "rounds"), [(0.0009, 1), (-0.0009, 1), (0.0011, 3), (-0.0011, 3)])
def test_a_hand_that_touches_within_a_millimeter_is_there(
    goals: list[tuple[int, EffectorGoal]], gap: float, rounds: int
) -> None:
    place = HANDS["L"] + np.array([0.0, -0.05 - gap, 0.0])
    parried(BODY, BEAT, striker(place), Parry("L", np.array([1.0, 0.0, 0.0])), 3)
    assert len(goals) == rounds


@pytest.mark.parametrize("side", ["L", "R"])
def test_the_nearer_hand_parries_from_one_of_eight_sides(monkeypatch: pytest.MonkeyPatch, side: str) -> None:
    tried: list[tuple[Parry, int]] = []

    def made(clip: Clip, beat: Beat, other: Clip, hand: Parry, rounds: int) -> Clip:
        tried.append((hand, rounds))
        return clip

    depths = {number: np.zeros((31, 2)) for number in range(8)}
    for number in range(8):
        depths[number][3] = 0.5, 0.6
    depths[2][3], depths[2][15] = (0.0, 0.0), (0.1, 0.1)  # 2 on the beat, which counts more
    depths[5][3], depths[5][15] = (0.2, 0.3), (0.01, 0.02)
    monkeypatch.setattr(hand_answers, "parried", made)
    monkeypatch.setattr(hand_answers, "_arm_depths", lambda *told: depths[len(tried) - 1])
    chosen = choose_parry(BODY, BEAT, striker(HANDS[side] + np.array([0.0, -0.3, 0.0])), np.array([0.0, 0.6, -0.8]))
    angles = np.arange(8) * np.pi / 4
    for (hand, rounds), angle in zip(tried, angles, strict=True):
        assert hand.side == side and rounds == 2
        np.testing.assert_allclose(hand.outward, [np.cos(angle), 0.0, np.sin(angle)], atol=1e-12)
    assert chosen is tried[5][0]


def test_arms_on_an_early_beat_are_compared_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    number = iter(range(8))
    monkeypatch.setattr(hand_answers, "parried", lambda clip, *told: clip)
    rows = np.zeros((8, 20, 2))
    rows[:, 6] = 1.0  # on it
    rows[:, 15] = 0.1
    rows[4, 6], rows[4, 15] = 0.5, 4.0
    monkeypatch.setattr(hand_answers, "_arm_depths", lambda *told: rows[next(number)])
    chosen = choose_parry(BODY, replace(BEAT, frame=6), striker(HANDS["L"]), WAY)
    np.testing.assert_allclose(chosen.outward, [-1.0, 0.0, 0.0], atol=1e-12)


def test_a_hand_in_the_way_is_put_aside_by_its_depth_and_a_centimeter(goals: list[tuple[int, EffectorGoal]]) -> None:
    place = HANDS["L"] + np.array([0.02, -0.01, 0.0])
    open_guard(BODY, BEAT, striker(place), WAY)
    assert len(goals) >= 4 and {goal.role for _, goal in goals[:4]} >= {"hand.L"}
    count, goal = next((count, goal) for count, goal in goals if goal.role == "hand.L")
    expected = weights(0.3, 0.12, 0.45)
    rows = np.flatnonzero(expected > 0.0)
    assert count == len(rows)
    np.testing.assert_allclose(goal.weights, expected[rows], atol=1e-12)
    aside = goal.positions - HANDS["L"]
    assert np.ptp(aside, axis=0).max() < 1e-12
    np.testing.assert_allclose(aside[0] / np.linalg.norm(aside[0]), [-1.0, 0.0, 0.0], atol=1e-9)


def test_a_hand_put_aside_moves_by_its_depth_exactly(
    goals: list[tuple[int, EffectorGoal]], monkeypatch: pytest.MonkeyPatch
) -> None:
    depths = np.array([[0.0, 0.0], [0.02, 0.0], [0.03, 0.0]])
    monkeypatch.setattr(hand_answers, "_arm_depths", lambda *told: depths)
    open_guard(BODY, BEAT, striker(HANDS["L"] + np.array([0.0, -0.2, -0.1])), WAY)
    assert [goal.role for _, goal in goals] == 4 * ["hand.L"], "the other one is free"
    np.testing.assert_allclose(
        goals[0][1].positions - HANDS["L"], np.tile([0.0, 0.0, 0.04], (goals[0][0], 1)), atol=1e-9
    )


@pytest.mark.parametrize("part", ["upper_arm.L", "forearm.L"])
def test_an_arm_that_is_struck_stays(
    goals: list[tuple[int, EffectorGoal]], monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    monkeypatch.setattr(hand_answers, "_arm_depths", lambda *told: np.full((3, 2), 0.02))
    open_guard(BODY, replace(BEAT, part=part), striker(np.array([0.0, -0.7, 1.2])), WAY)
    assert [goal.role for _, goal in goals] == 4 * ["hand.R"]


@pytest.mark.parametrize(
    ("frame", "opens"),
    [(FRAME - 16, False), (FRAME - 15, True), (FRAME, True), (FRAME + 15, True), (FRAME + 16, False)],
)
def test_arms_are_compared_a_quarter_of_a_second_around_the_beat(
    goals: list[tuple[int, EffectorGoal]], frame: int, opens: bool
) -> None:
    open_guard(BODY, BEAT, striker(HANDS["R"], [frame]), WAY)
    assert bool(goals) == opens


@pytest.mark.parametrize("beat", [0, FRAMES - 1])
def test_a_beat_at_an_end_compares_what_there_is(goals: list[tuple[int, EffectorGoal]], beat: int) -> None:
    inside = abs(beat - 10)
    open_guard(BODY, replace(BEAT, frame=beat), striker(HANDS["R"], [inside]), WAY)
    assert goals


@pytest.mark.parametrize(("gap", "opens"), [(0.002, False), (-0.002, True)])
def test_only_an_arm_in_the_striking_limb_is_in_the_way(
    goals: list[tuple[int, EffectorGoal]], gap: float, opens: bool
) -> None:
    bodies = BodyCapsules.from_skeleton(BODY.skeleton)
    arm = bodies.sphere_indices(["forearm.R"])
    own, radii = bodies.sphere_centres(BODY.cut(0, 1))[0, arm], bodies.radii[arm]

    def arm_gap(aside: float) -> float:
        """Distance between the right forearms, whose ends are wider than hands, where the striker's hand is aside."""
        made = striker(HANDS["R"] + aside * np.array([-1.0, 0.0, 0.0])).cut(0, 1)
        theirs = bodies.sphere_centres(made)[0, arm]
        return float((np.linalg.norm(own[:, None] - theirs, axis=-1) - radii[:, None] - radii).min())

    aside = brentq(lambda one: arm_gap(one) - gap, 0.0, 1.0, xtol=1e-9)
    other = striker(HANDS["R"] + float(aside) * np.array([-1.0, 0.0, 0.0]))
    open_guard(BODY, replace(BEAT, effector="hand.R"), other, WAY)
    assert bool(goals) == opens

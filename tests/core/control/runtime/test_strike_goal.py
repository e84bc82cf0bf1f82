"""Goal trajectory of attacks: straight to the target, up to the reach, and blended as in the thesis."""

import numpy as np
import pytest

from footfall.core.control.runtime.strike_goal import (
    SPEED_M_S,
    WEAPON_SHARE,
    blend_trajectories,
    goal_trajectory,
    reaches,
)
from footfall.core.features.strikes import EFFECTORS
from footfall.tests.support.swordsman import BLADE_M, swordsman
from footfall.tests.support.walker import person

SECONDS = np.arange(1, 6) / 6
HERE, AHEAD = np.zeros((1, 2)), np.zeros(1)


def test_it_goes_straight_to_the_target_and_stops_at_its_distance() -> None:
    target = np.array([[-1.0, 0.0, 1.4]])
    positions, yaws = goal_trajectory(HERE, AHEAD, target, np.array([0.6]), SECONDS)
    np.testing.assert_allclose(positions[0, 0], [-SPEED_M_S / 6, 0.0], atol=1e-12)
    np.testing.assert_allclose(positions[0, -1], [-0.4, 0.0], atol=1e-12)
    np.testing.assert_allclose(yaws, np.pi / 2)


def test_too_near_a_target_it_steps_back() -> None:
    positions, yaws = goal_trajectory(HERE, AHEAD, np.array([[0.0, 0.5, 1.4]]), np.array([0.6]), SECONDS)
    np.testing.assert_allclose(positions[0, -1], [0.0, -0.1], atol=1e-12)
    np.testing.assert_allclose(yaws, 0.0)


def test_on_its_target_it_faces_as_the_character_does() -> None:
    _, yaws = goal_trajectory(HERE, np.array([0.7]), np.zeros((1, 3)), np.array([0.6]), SECONDS)
    np.testing.assert_allclose(yaws, 0.7)


def test_velocities_are_blended_by_the_root_of_the_time_and_directions_by_its_square() -> None:
    still = np.zeros((1, 5, 2)), np.zeros((1, 5))
    goal = np.cumsum(np.full((1, 5, 2), 0.1), axis=1), np.full((1, 5), np.pi / 2)
    positions, directions = blend_trajectories(HERE, still, goal)
    share = np.arange(1, 6) / 5
    np.testing.assert_allclose(positions[0, :, 0], np.cumsum(0.1 * share**0.5))
    turned = np.arctan2(-directions[0, :, 0], directions[0, :, 1])
    np.testing.assert_allclose(turned, np.arctan2(share**2, 1 - share**2))


def test_feet_reach_farther_than_hands_and_adults_farther_than_children() -> None:
    hand, foot = reaches(np.array([EFFECTORS.index("hand.R"), EFFECTORS.index("foot.R")]), person())
    assert (hand, foot) == pytest.approx((0.65, 0.85)), "of an adult"
    assert reaches(np.array([0]), person(0.5))[0] == pytest.approx(reaches(np.array([0]), person())[0] / 2)


def test_a_blade_reaches_farther_than_the_hand_that_holds_it() -> None:
    bare, armed = (
        reaches(np.array([EFFECTORS.index(hand) for hand in ("hand.L", "hand.R")]), one)
        for one in (person(), swordsman().skeleton)
    )
    assert armed[0] == bare[0]
    assert armed[1] == pytest.approx(bare[1] + WEAPON_SHARE * BLADE_M, abs=0.01)

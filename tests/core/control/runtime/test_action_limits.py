"""Limits of predicted actions."""

import numpy as np

from footfall.core.control.runtime.action_limits import clamp_actions
from footfall.core.features.interaction import ACTIONS, FIRST_ACTION_COUNT, GOAL_ACTIONS

IDLE, WALK, RUN, SIT, _, CARRY, CLIMB, LIE, PUSH, _ = range(len(ACTIONS))
COUNT, GOALS = len(ACTIONS), len(GOAL_ACTIONS)


def test_actions_fade_in_only_where_they_are_commanded_and_out_anywhere() -> None:
    predicted, last = np.full((1, 7, COUNT), 0.5), np.zeros((1, COUNT))
    last[0, SIT] = 0.2
    wanted = np.zeros((1, len(GOAL_ACTIONS)))
    wanted[0, CARRY] = 1.0
    clamped = clamp_actions(predicted, last, wanted, np.array([[0.0, 1.0]]))[0]
    np.testing.assert_allclose(clamped[:, SIT], 0.2)
    np.testing.assert_allclose(clamped[:, CARRY], 0.5)
    np.testing.assert_allclose(clamped[:, IDLE], 0.5)


def test_running_that_was_not_commanded_becomes_walking() -> None:
    predicted = np.zeros((1, 7, COUNT))
    predicted[..., WALK], predicted[..., RUN] = 0.3, 0.4
    clamped = clamp_actions(predicted, np.zeros((1, COUNT)), np.zeros((1, GOALS)), np.array([[0.0, 1.0]]))[0]
    np.testing.assert_allclose(clamped[:, RUN], 0.0)
    np.testing.assert_allclose(clamped[:, WALK], 0.7)


def test_carrying_is_bounded_now_and_not_ahead() -> None:
    clamped = clamp_actions(
        np.full((1, 7, COUNT), 0.5), np.ones((1, COUNT)), np.zeros((1, GOALS)), np.array([[0.8, 0.9]])
    )[0]
    np.testing.assert_allclose(clamped[:, CARRY], [0.8, *[0.5] * 6])


def test_a_goal_after_climbing_starts_its_own_action_and_not_the_one_before_it() -> None:
    wanted = np.eye(GOALS)[GOAL_ACTIONS.index("push")][None]
    clamped = clamp_actions(np.full((1, 7, COUNT), 0.5), np.zeros((1, COUNT)), wanted, np.array([[0.0, 1.0]]))[0]
    np.testing.assert_allclose(clamped[:, PUSH], 0.5)
    np.testing.assert_allclose(clamped[:, [CLIMB, LIE]], 0.0)


def test_a_controller_that_knows_fewer_actions_is_bounded_like_one_that_knows_all() -> None:
    generator = np.random.default_rng(3)
    predicted, last = generator.random((1, 7, COUNT)), generator.random((1, COUNT))
    wanted, limits = generator.random((1, GOALS)), np.array([[0.2, 0.6]])
    few = slice(FIRST_ACTION_COUNT)
    known = clamp_actions(predicted[..., few], last[:, few], wanted[:, : FIRST_ACTION_COUNT - 1], limits)
    np.testing.assert_array_equal(known, clamp_actions(predicted, last, wanted, limits)[..., few])

"""Limits of predicted actions."""

import numpy as np

from footfall.core.control.runtime.action_limits import clamp_actions
from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS

IDLE, WALK, RUN, SIT, _, CARRY, _ = range(len(ACTIONS))


def test_actions_fade_in_only_where_they_are_commanded_and_out_anywhere() -> None:
    predicted, last = np.full((1, 7, 7), 0.5), np.zeros((1, 7))
    last[0, SIT] = 0.2
    wanted = np.zeros((1, len(GOAL_ACTIONS)))
    wanted[0, CARRY] = 1.0
    clamped = clamp_actions(predicted, last, wanted, np.array([[0.0, 1.0]]))[0]
    np.testing.assert_allclose(clamped[:, SIT], 0.2)
    np.testing.assert_allclose(clamped[:, CARRY], 0.5)
    np.testing.assert_allclose(clamped[:, IDLE], 0.5)


def test_running_that_was_not_commanded_becomes_walking() -> None:
    predicted = np.zeros((1, 7, 7))
    predicted[..., WALK], predicted[..., RUN] = 0.3, 0.4
    clamped = clamp_actions(predicted, np.zeros((1, 7)), np.zeros((1, 6)), np.array([[0.0, 1.0]]))[0]
    np.testing.assert_allclose(clamped[:, RUN], 0.0)
    np.testing.assert_allclose(clamped[:, WALK], 0.7)


def test_carrying_is_bounded_now_and_not_ahead() -> None:
    clamped = clamp_actions(np.full((1, 7, 7), 0.5), np.ones((1, 7)), np.zeros((1, 6)), np.array([[0.8, 0.9]]))[0]
    np.testing.assert_allclose(clamped[:, CARRY], [0.8, *[0.5] * 6])

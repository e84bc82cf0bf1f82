"""The limit of steering: from an object it rises slowly, in a walk it stays."""

from dataclasses import replace

import numpy as np

from footfall.core.control.runtime.goal_command import GoalCommand
from footfall.core.control.runtime.steering_limit import TUNING as STEERING_LIMIT_TUNING
from footfall.core.control.runtime.steering_limit import limit_steering
from footfall.core.control.runtime.time_series import one_hot_action

RATE = 60.0
SEAT = GoalCommand("sit", np.zeros(3), np.array([0.0, 1.0]))
AWAY = GoalCommand("walk", np.array([0.0, 4.0, 0.0]), np.array([0.0, 1.0]))


def test_a_seated_character_that_is_to_walk_is_steered_little_by_little() -> None:
    steering = limit_steering(np.ones(1), one_hot_action("sit")[None], [AWAY], [SEAT], RATE)
    assert steering[0] == 0.0
    for _ in range(round(STEERING_LIMIT_TUNING.rise * RATE)):
        assert steering[0] < 1.0
        steering = limit_steering(steering, one_hot_action("walk")[None], [AWAY], [AWAY], RATE)
    np.testing.assert_allclose(steering, 1.0)


def test_a_character_that_walks_or_idles_is_steered_at_once() -> None:
    idle = replace(AWAY, action="idle")
    for action, last in (("walk", SEAT), ("idle", idle), ("sit", AWAY)):
        assert limit_steering(np.ones(1), one_hot_action(action)[None], [AWAY], [last], RATE)[0] == 1.0


def test_steering_starts_with_the_weight_of_walking_and_running_and_rises_in_its_time() -> None:
    actions = 0.1 * one_hot_action("walk") + 0.2 * one_hot_action("run") + 0.7 * one_hot_action("sit")
    assert np.isclose(limit_steering(np.ones(1), actions[None], [AWAY], [SEAT], RATE)[0], 0.3)
    assert limit_steering(np.full(1, 0.05), actions[None], [AWAY], [SEAT], RATE)[0] < 0.3
    risen = limit_steering(np.full(1, 0.4), actions[None], [AWAY], [AWAY], RATE)[0]
    assert np.isclose(risen, 0.4 + 1 / 54)

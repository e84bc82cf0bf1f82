"""Commands of gaits change smoothly, also where a path turns back within a hand's breadth."""

from collections.abc import Callable

import numpy as np

from footfall.core.control.walk.gait_commands import TURN_CHANGE_S, GaitCommands
from footfall.core.control.walk.path_tables import PlanSamples
from footfall.core.models.model_file import ControllerModel

Controller = Callable[..., ControllerModel]


def test_a_turn_on_the_spot_begins_and_ends_smoothly(controller: Controller) -> None:
    model = controller()
    commands, turning = GaitCommands(model), np.zeros(1)
    still, sharp = np.zeros((1, 6)), np.array([[0.0, 0.0, 0.0, 0.0, 0.0, 3.0]])
    values = []
    for frame in range(90):
        turning = commands.turning(turning, sharp if 20 <= frame < 60 else still)
        values.append(float(turning[0]))
    assert values[19] == 0.0
    assert values[50] == 1.0
    assert values[-1] == 0.0
    assert np.abs(np.diff(values)).max() <= 1 / (TURN_CHANGE_S * model.rate) + 1e-9


def test_a_turn_that_grows_slowly_is_followed_at_once(controller: Controller) -> None:
    commands, turning = GaitCommands(controller()), np.zeros(1)
    for yaw in np.linspace(0.0, 0.4, 60):
        turning = commands.turning(turning, np.array([[0.0, yaw]]))
    np.testing.assert_allclose(turning, [0.8], atol=1e-6)


def test_a_character_sits_only_while_it_stands(controller: Controller) -> None:
    model = controller(gaits=("stand", "walk", "run", "sit"))
    commands = GaitCommands(model)
    styles = np.tile([0.0, 0.0, 0.0, 1.0], (1, 2, 1))
    zeros = np.zeros((1, 2))
    plans = PlanSamples(zeros, np.array([[0.0, 1.0]]), zeros, zeros, zeros, styles)
    gaits, moving = commands.weights(plans, np.zeros(1), zeros, np.array([0.4]), np.zeros((1, len(model.joints), 3)))
    np.testing.assert_allclose(moving, [[0.0, 1.0]])
    np.testing.assert_allclose(gaits, [[[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]]])

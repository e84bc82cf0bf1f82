"""Commands of gaits change smoothly, also where a path turns back within a hand's breadth."""

from collections.abc import Callable

import numpy as np

from footfall.core.control.walk.gait_commands import GaitCommands
from footfall.core.control.walk.path_tables import PlanSamples
from footfall.core.models.model_file import ControllerModel

TURN_CHANGE_S = 0.2
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


def test_a_character_sits_only_while_it_stands(controller: Controller) -> None:
    model = controller(gaits=("stand", "walk", "run", "sit"))
    commands = GaitCommands(model)
    styles = np.tile([0.0, 0.0, 0.0, 1.0], (1, 2, 1))
    zeros = np.zeros((1, 2))
    plans = PlanSamples(zeros, np.array([[0.0, 1.0]]), zeros, zeros, zeros, styles)
    gaits, moving = commands.weights(plans, np.zeros(1), zeros, np.array([0.4]), np.zeros((1, len(model.joints), 3)))
    np.testing.assert_allclose(moving, [[0.0, 1.0]])
    np.testing.assert_allclose(gaits, [[[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]]])


def planned(speeds: list[float], running: float = 0.0, style: int | None = None, gaits: int = 5) -> PlanSamples:
    """A plan (1, S) of speeds, with a share of running and a style with full weight."""
    zeros, styles = np.zeros((1, len(speeds))), np.zeros((1, len(speeds), gaits))
    if style is not None:
        styles[..., style] = 1.0
    return PlanSamples(zeros, np.array([speeds]), zeros, zeros, zeros + running, styles)


GAITS = ("stand", "walk", "run", "jump", "crouch")


def weights(model: ControllerModel, plans: PlanSamples, turning: float = 0.0, jump: float = 0.0) -> np.ndarray:
    """Weights (S, G) of a body whose slow speed is 0.4 m/s."""
    pose, jumps = np.zeros((1, len(model.joints), 3)), np.full(plans.speeds.shape, jump)
    return GaitCommands(model).weights(plans, np.array([turning]), jumps, np.array([0.4]), pose)[0][0]


def test_a_style_takes_the_place_of_walking_and_running_and_not_of_standing(controller: Controller) -> None:
    made = weights(controller(gaits=GAITS), planned([2.0, 0.2], running=0.5, style=4))
    np.testing.assert_allclose(made, [[0.0, 0.0, 0.0, 0.0, 1.0], [0.5, 0.0, 0.0, 0.0, 0.5]], atol=1e-12)

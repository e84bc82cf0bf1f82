"""What a controller tells of a ball, from outputs that are written down."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.ball.dribbled_ball import ToldBall
from footfall.core.control.ball.ball_channels import BallRules
from footfall.core.control.ball.dribble import DribblePlan
from footfall.core.control.ball.told_ball import told_ball
from footfall.core.control.runtime.locomotion_runtime import RuntimeFrames
from footfall.core.control.walk.rollout_trace import RolloutTrace
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.tests.support.timings import plain_timing

CONTROLLERS = Path(__file__).parents[4] / "presets" / "controllers"
METERS_A_FRAME = plain_timing(np.arange(4.0), np.ones(4))
YAWS = np.array([0.0, np.pi / 2, np.pi, 0.0, 0.0])
"""North, west, south and north twice."""


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    return load_model(CONTROLLERS / "dribble.safetensors")


def told(model: ControllerModel, scale: float = 1.0, weight: float = 1.0) -> ToldBall:
    """The answers over five frames: a ball 10 cm to the right of its place in the right hand, which touches it.

    The character is 0, 0.5, 1, 3 and 9 m along; its hands change from left to right in the third frame of the plan.
    """
    layout = model.output_layout
    outputs = np.tile(model.y_mean.astype(float), (5, 1))
    rules = BallRules.of(model)
    sensors = np.zeros((5, len(model.sensors)))
    sensors[:, rules.sensors[1]] = 0.75
    own = layout.view(outputs, "contact").shape[-1]
    layout.view(outputs, "contact")[:] = sensors[:, :own]
    layout.view(outputs, "contact.other")[:] = sensors[:, own:]
    layout.view(outputs, "ball.weight")[:] = weight
    right = rules.places(model, outputs)[:, 1]
    layout.view(outputs, "ball.position")[:] = weight * (right + np.array([0.1, 0.0, 0.0]))
    none = np.zeros(5)
    frames = RuntimeFrames(np.zeros((5, 2)), none, YAWS, none, np.zeros((5, 4)), outputs)
    trace = RolloutTrace(frames, np.zeros((5, len(model.gaits))), np.array([0.0, 0.5, 1.0, 3.0, 9.0]))
    dribble = DribblePlan(np.array([-1.0, -0.5, 0.5, 1.0]), 0.12, np.ones(4))
    return told_ball(model, dribble, METERS_A_FRAME, trace, scale)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_ball_to_the_right_of_its_place_is_told_in_the_world(model: ControllerModel, scale: float) -> None:
    """To the right is east for a character that looks north, north for one that looks west."""
    right = scale * 0.1 * np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0, 0]])
    np.testing.assert_allclose(told(model, scale).offsets[:, 1], right, atol=1e-6)


def test_the_same_ball_is_far_from_the_left_hand(model: ControllerModel) -> None:
    apart = np.linalg.norm(told(model).offsets, axis=-1)
    assert (apart[:, 0] > 0.2).all() and apart[:, 1] == pytest.approx(0.1, abs=1e-6)


def test_the_commanded_hand_is_that_of_the_planned_place(model: ControllerModel) -> None:
    """Between two frames of the plan the later one counts, and behind its end the last one."""
    np.testing.assert_array_equal(told(model).sides, [-1.0, -0.5, -0.5, 1.0, 1.0])

"""Balls in a roll-out: free flight, hands that lead them, and what the network sees."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.ball.free_motion import RESTITUTION
from footfall.core.control.ball.ball_channels import TUNING as BALL_CHANNELS_TUNING
from footfall.core.control.ball.ball_channels import BallChannels, BallRules
from footfall.core.models.model_file import ControllerModel, load_model

FILE = Path(__file__).parents[4] / "presets" / "controllers" / "dribble.safetensors"
RATE = 60.0


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    return load_model(FILE)


def answer(model: ControllerModel, touching: bool, ball: np.ndarray) -> np.ndarray:
    """Outputs (1, m) of the standing pose, with a ball at a place in the root's frame that does not move."""
    layout = model.output_layout
    y = np.zeros((1, layout.size), dtype=np.float32)
    layout.view(y, "pose.position")[:] = model.start["position"]
    layout.view(y, "pose.rotation")[:] = [0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    layout.view(y, "ball.position")[:], layout.view(y, "ball.weight")[:] = ball, 1.0
    layout.view(y, "contact.other")[:, 1] = touching
    return y


def given(model: ControllerModel, place: np.ndarray) -> BallChannels:
    channels = BallChannels.begin(model, 1)
    channels.give(0, np.array([2.0, 1.0]), np.pi / 2, place, 0.12)
    return channels


def advance(channels: BallChannels, y: np.ndarray) -> None:
    channels.advance(y, np.array([[2.0, 1.0]]), np.array([np.pi / 2]))


def test_a_ball_is_given_beside_its_character(model: ControllerModel) -> None:
    channels = given(model, np.array([0.4, 0.3, 1.0]))
    np.testing.assert_allclose(channels.position[0], [1.7, 1.4, 1.0])
    x = np.zeros((1, model.input_layout.size), dtype=np.float32)
    channels.fill_inputs(x, np.array([[2.0, 1.0]]), np.array([np.pi / 2]))
    seen = model.input_layout.view(x, "ball.position")
    np.testing.assert_allclose(seen[0], np.tile([0.4, 0.3, 1.0], (7, 1)), atol=1e-6)
    assert (model.input_layout.view(x, "ball.weight") == 1.0).all()


def test_a_touched_ball_is_led_to_the_hand(model: ControllerModel) -> None:
    channels = given(model, np.array([0.4, 0.3, 1.0]))
    y = answer(model, True, np.array([3.0, 0.0, 1.0]))
    advance(channels, y)
    place = BallRules.of(model).places(model, y.astype(float))[0, 1]
    world = np.array([2.0 - place[1], 1.0 + place[0], place[2]])
    assert np.linalg.norm(channels.position[0] - world) == pytest.approx(
        BALL_CHANNELS_TUNING.answer_tolerance, abs=1e-4
    )


def test_a_free_ball_bounces_and_loses_height(model: ControllerModel) -> None:
    channels, heights = given(model, np.array([0.4, 0.3, 1.0])), []
    for _ in range(60):
        place = channels.position[0] - [2.0, 1.0, 0.0]
        here = np.array([place[1], -place[0], place[2]])  # the network answers what is
        y = answer(model, False, here)
        moving = channels.velocity[0]
        model.output_layout.view(y, "ball.velocity")[:] = [moving[1], -moving[0], moving[2]]
        advance(channels, y)
        heights.append(channels.position[0, 2])
    fall = 0.88 * RESTITUTION**2
    bounce = int(np.argmin(heights))
    assert bounce / RATE == pytest.approx(np.sqrt(2 * 0.88 / 9.81), abs=0.1)
    assert 0.12 + 0.5 * fall < max(heights[bounce:]) < 0.12 + 1.1 * fall

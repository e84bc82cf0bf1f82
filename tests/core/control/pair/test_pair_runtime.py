"""Two characters stepped together: each sees where the other is, goes and has its hands."""

from collections.abc import Callable

import numpy as np
import pytest

from footfall.core.control.pair.pair_runtime import PairRuntime
from footfall.core.control.runtime.locomotion_runtime import LocomotionCommand
from footfall.core.models.model_file import ControllerModel
from footfall.tests.core.control.runtime.test_system_channels import NOW, SPEED, Recording, system

PLACES = np.array([[0.0, 0.0], [0.0, 1.0]])
FACING = np.array([0.0, np.pi])
"""The first faces +Y, where the second is, which faces back."""


@pytest.fixture
def model(controller: Callable[..., ControllerModel]) -> ControllerModel:
    return system(controller(), frozenset({"opponent"}))


def stepped(model: ControllerModel, frames: int, places: np.ndarray = PLACES) -> tuple[PairRuntime, Recording]:
    """Both are told to stand where they are; the network makes them walk on."""
    pair = PairRuntime(model, places, FACING)
    network = pair.network = Recording(model)
    gaits = np.repeat(np.eye(len(model.gaits))[[1, 1]][:, None], 6, axis=1)
    for _ in range(frames):
        ahead = np.repeat(pair.position[:, None], 6, axis=1)
        command = LocomotionCommand(ahead, np.repeat(FACING[:, None], 6, axis=1), gaits, np.zeros((2, 7)))
        pair.step(command, gaits[:, 0])
    return pair, network


def test_each_sees_the_other_a_meter_ahead_facing_back(model: ControllerModel) -> None:
    _, network = stepped(model, 1)
    view, x = model.input_layout.view, network.seen[0]
    np.testing.assert_array_equal(view(x, "opponent.weight"), 1.0)
    np.testing.assert_allclose(view(x, "opponent.position"), np.tile([0.0, 1.0], (2, 13, 1)), atol=1e-6)
    np.testing.assert_allclose(view(x, "opponent.direction"), np.tile([0.0, -1.0], (2, 13, 1)), atol=1e-6)
    np.testing.assert_allclose(view(x, "opponent.velocity"), 0.0, atol=1e-6)


def test_an_approaching_partner_is_seen(model: ControllerModel) -> None:
    frames = 6
    pair, network = stepped(model, frames)
    view, x = model.input_layout.view, network.seen[-1]
    apart = 1.0 - 2 * SPEED * (frames - 1) / 60
    np.testing.assert_allclose(view(x, "opponent.position")[:, NOW], [[0.0, apart]] * 2, atol=1e-5)
    np.testing.assert_allclose(view(x, "opponent.velocity")[:, NOW], [[0.0, -SPEED]] * 2, atol=1e-5)
    assert np.linalg.norm(pair.position[1] - pair.position[0]) < apart


def test_hands_and_joints_are_those_of_the_frame_before(model: ControllerModel) -> None:
    _, network = stepped(model, 1)
    view, x = model.input_layout.view, network.seen[0]
    start = np.asarray(model.start["position"], dtype=float)
    names = model.skeleton.names
    left = start[model.joints.index(names[model.skeleton.joint("hand.L")])]
    # What is at (x, y) of a character that faces this one from a meter away is at (-x, 1 - y).
    np.testing.assert_allclose(view(x, "opponent.hands")[:, 0], [[-left[0], 1 - left[1], left[2]]] * 2, atol=1e-6)
    mirrored = start * [-1.0, -1.0, 1.0] + [0.0, 1.0, 0.0]
    np.testing.assert_allclose(view(x, "opponent.distance")[0], np.linalg.norm(mirrored - start, axis=-1), atol=1e-5)

"""The trial of a controller's crouching: what counts as a crouch, from heights that are written down."""

from collections.abc import Callable

import numpy as np
import pytest

from footfall.core.control.path.crouch_response import CrouchResponse
from footfall.core.control.runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime
from footfall.core.control.walk import crouch_trial
from footfall.core.models.model_file import ControllerModel
from footfall.core.motion.rotations import Array


@pytest.fixture(scope="module")
def stiff(controller: Callable[..., ControllerModel]) -> ControllerModel:
    """A controller that stands stiffly at any weight of crouching, and goes straight on."""
    return controller((0.0, 1.2))


def tried(controller: ControllerModel, monkeypatch: pytest.MonkeyPatch, drops: Array, lifts: Array) -> CrouchResponse:
    """The response of a controller whose head is at 1.6 m, and lower by `drops` (13), and whose feet lift by `lifts`.

    The weights that are tried are 0, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7 and 1.
    """
    heights = np.zeros((4, 13, 3))
    heights[..., 0] = 1.6 - drops
    heights[::2, :, 1] = lifts
    heights[1::2, :, 2] = lifts
    monkeypatch.setattr(crouch_trial, "_trial_heights", lambda model, joints: heights)
    return crouch_trial._try_crouching(controller)


def test_a_crouch_is_deeper_than_a_twentieth_of_the_head_s_height_and_than_the_one_before(
    stiff: ControllerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight centimeters of 1.6 m."""
    drops = np.array([0.0, 0.05, 0.079, 0.081, 0.08, 0.081, 0.1, 0.3, 0.2, 0.29, 0.31, 0.31, 0.1])
    found = tried(stiff, monkeypatch, drops, np.ones(13))
    np.testing.assert_allclose(found.weights, [0.07, 0.2, 0.25, 0.5])
    np.testing.assert_allclose(found.head_drops, [0.081, 0.1, 0.3, 0.31])


@pytest.mark.parametrize(("lift", "deepest"), [(0.0751, 0.7), (0.0749, 0.2)])
def test_weights_from_the_first_on_at_which_feet_slide_are_not_walked_with(
    stiff: ControllerModel, monkeypatch: pytest.MonkeyPatch, lift: float, deepest: float
) -> None:
    """Feet lift by ten centimeters upright, and by three quarters of it at least."""
    lifts = np.full(13, 0.1)
    lifts[7], lifts[12] = lift, 0.02
    found = tried(stiff, monkeypatch, 0.05 * np.arange(13.0), lifts)
    assert found.weights[0] == 0.04 and found.weights[-1] == deepest


def test_one_that_only_sinks_by_less_never_learned_it(stiff: ControllerModel, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not tried(stiff, monkeypatch, np.linspace(0.0, 0.079, 13), np.ones(13)).is_learned


def test_a_trial_is_measured_over_its_second_half(stiff: ControllerModel) -> None:
    """Two and a half of five seconds, at each of the weights; this one stands as high at all of them."""
    model = stiff
    head = model.joints.index(model.skeleton.names[model.skeleton.joint("head")])
    found = crouch_trial._trial_heights(model, [head])
    assert found is not None and found.shape == (150, 13, 1)
    np.testing.assert_allclose(found, model.start["position"][head, 2], atol=1e-6)


@pytest.mark.parametrize("gaits", [("stand", "walk", "run"), ("crouch", "walk", "stand")])
def test_a_controller_without_the_gait_is_not_tried(
    controller: Callable[..., ControllerModel], monkeypatch: pytest.MonkeyPatch, gaits: tuple[str, ...]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(crouch_trial, "_trial_heights", lambda model, joints: asked.append("tried"))
    knows = "crouch" in gaits
    gaits = gaits if not knows else (*gaits, "run")
    assert not crouch_trial._try_crouching(controller(gaits=gaits)).is_learned
    assert bool(asked) == knows


def test_thirteen_characters_walk_at_eighty_centimeters_a_second_at_as_many_weights(
    stiff: ControllerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each at its own weight of crouching; it walks upright with the rest, from the origin to the north, for 5 s."""
    told: list[LocomotionCommand] = []
    step = LocomotionRuntime.step

    def listen(runtime: LocomotionRuntime, command: LocomotionCommand, gaits: Array) -> object:
        told.append(command)
        np.testing.assert_array_equal(gaits, command.gaits[:, 0])
        return step(runtime, command, gaits)

    monkeypatch.setattr(LocomotionRuntime, "step", listen)
    crouch_trial._trial_heights(stiff, [0])
    weights = np.array([0.0, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0])
    gaits = np.stack([0 * weights, 1 - weights, 0 * weights, weights], axis=-1)
    assert len(told) == 300
    for command in (told[0], told[-1]):
        np.testing.assert_allclose(command.gaits, np.repeat(gaits[:, None], 5, axis=1))
        np.testing.assert_array_equal(command.yaws, 0.0)
        np.testing.assert_array_equal(command.levels, 0.0)
    ahead = 0.8 * np.arange(1, 6) / 6
    np.testing.assert_allclose(told[0].positions, np.tile(np.stack([0 * ahead, ahead], axis=-1), (13, 1, 1)))

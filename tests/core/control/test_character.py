"""PFNN frame by frame, under networks whose answer is known."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

from footfall.core.control.character import Character, Command
from footfall.core.features.locomotion import FUTURE, OFFSETS
from footfall.core.features.root import facing
from footfall.core.models.model_file import ControllerModel
from footfall.core.models.network import Memory, Network

Controller = Callable[..., ControllerModel]

STAND, WALK = np.eye(4)[:2]


def walking(position: tuple[float, float] = (0.0, 0.0), yaw: float = 0.0, gait: np.ndarray = WALK) -> Command:
    """The same place and yaw for the whole next second."""
    count = len(FUTURE)
    return Command(np.tile(position, (count, 1)), np.full(count, yaw), np.tile(gait, (count, 1)), np.zeros(count + 1))


@dataclass
class Recorder:
    """A network that keeps the normalised inputs (n) that it gets, and answers as another one does."""

    network: Network
    inputs: list[np.ndarray] = field(default_factory=list)

    def begin(self, count: int) -> Memory:
        return self.network.begin(count)

    def step(self, x: np.ndarray, phase: ArrayLike, memory: Memory) -> tuple[np.ndarray, Memory]:
        self.inputs.append(x[0].copy())
        return self.network.step(x, phase, memory)


def recorded(character: Character) -> list[np.ndarray]:
    """The normalised inputs that the network gets from now on."""
    character.network = Recorder(character.network)
    return character.network.inputs


def test_constant_speed_and_turn_are_a_circle(controller: Controller) -> None:
    runtime = Character(controller((0.0, 1.2), turn=0.6), np.array([3.0, -1.0]), 0.5)
    steps = [runtime.step(walking(), WALK) for _ in range(700)]
    positions, yaws = np.array([s.position for s in steps]), np.array([s.yaw for s in steps])
    np.testing.assert_allclose(yaws, 0.5 + 0.6 * np.arange(700) / 60, atol=1e-4)
    # A polygon of steps of 2 cm: its circle's centre lies to the left.
    radius = 1.2 / 60 / (2 * np.sin(0.6 / 60 / 2))
    centre = positions[0] + radius * facing(np.asarray(0.5 - 0.6 / 120 + np.pi / 2))
    np.testing.assert_allclose(np.linalg.norm(positions - centre, axis=-1), radius, atol=1e-3)


def test_the_first_frame_is_where_the_character_was_put(controller: Controller) -> None:
    step = Character(controller((0.0, 1.0)), np.array([3.0, -1.0]), 0.5).step(walking(), WALK)
    np.testing.assert_array_equal(step.position, [3.0, -1.0])
    assert (step.yaw, step.phase) == (0.5, 0.25)


def test_steps_to_the_side_go_to_the_right(controller: Controller) -> None:
    runtime = Character(controller((1.0, 0.0)), np.zeros(2), np.pi / 2)
    for _ in range(60):
        runtime.step(walking(), WALK)
    # Facing -X, the right hand is at +Y.
    np.testing.assert_allclose(runtime.position, [0.0, 1.0], atol=1e-5)


def test_the_phase_goes_round_and_never_back(controller: Controller) -> None:
    runtime = Character(controller(phase_rate=1.5), np.zeros(2), 0.0)
    phases = [runtime.step(walking(), WALK).phase for _ in range(200)]
    np.testing.assert_allclose(phases, (0.25 + 1.5 * np.arange(200) / 60) % 1.0, atol=1e-5)
    backwards = Character(controller(phase_rate=-1.0), np.zeros(2), 0.0)
    assert {backwards.step(walking(), WALK).phase for _ in range(10)} == {0.25}


def test_who_stands_does_not_creep(controller: Controller) -> None:
    runtime = Character(controller((0.0, 1.0), turn=1.0), np.zeros(2), 0.0)
    for _ in range(60):
        runtime.step(walking(gait=STAND), STAND)
    np.testing.assert_array_equal(runtime.position, [0.0, 0.0])
    assert runtime.yaw == 0.0


def test_contacts_are_handed_on(controller: Controller) -> None:
    step = Character(controller(contacts=(1.0, 0.25, 0.0, 0.75)), np.zeros(2), 0.0).step(walking(), WALK)
    np.testing.assert_allclose(step.contacts, [1.0, 0.25, 0.0, 0.75], atol=1e-6)


def test_a_nudge_moves_the_root_and_what_is_expected_of_it(controller: Controller) -> None:
    runtime = Character(controller(), np.zeros(2), 0.0)
    runtime.step(walking(), WALK)
    expected = runtime.expected_positions.copy()
    runtime.nudge(np.array([0.1, 0.2]))
    np.testing.assert_allclose(runtime.position, [0.1, 0.2], atol=1e-9)
    np.testing.assert_allclose(runtime.expected_positions - expected, np.tile([0.1, 0.2], (5, 1)), atol=1e-9)


def test_the_input_shows_the_past_that_was(controller: Controller) -> None:
    model = controller((0.0, 1.2))
    runtime = Character(model, np.array([5.0, 5.0]), 1.0)
    inputs = recorded(runtime)
    for _ in range(100):
        runtime.step(walking(), WALK)
    past = sum(offset <= 0 for offset in OFFSETS)
    position = model.input_layout.view(inputs[-1], "trajectory.position")[:past]
    # Straight on at 1.2 m/s: behind oneself by as much.
    np.testing.assert_allclose(position, np.outer(np.array(OFFSETS[:past]) / 60, [0.0, 1.2]), atol=1e-4)
    np.testing.assert_allclose(
        model.input_layout.view(inputs[-1], "trajectory.direction")[:past], np.tile([0.0, 1.0], (past, 1)), atol=1e-6
    )
    gaits = model.input_layout.view(inputs[-1], "trajectory.gait")
    np.testing.assert_array_equal(gaits, np.tile(WALK, (12, 1)))


def test_before_its_first_step_a_character_has_stood(controller: Controller) -> None:
    model = controller()
    runtime = Character(model, np.array([5.0, 5.0]), 1.0)
    inputs = recorded(runtime)
    runtime.step(walking((5.0, 5.0), 1.0), WALK)
    gaits = model.input_layout.view(inputs[0], "trajectory.gait")
    np.testing.assert_array_equal(gaits[:6], np.tile(STAND, (6, 1)))
    np.testing.assert_array_equal(gaits[6:], np.tile(WALK, (6, 1)))
    np.testing.assert_allclose(model.input_layout.view(inputs[0], "trajectory.position"), 0.0, atol=1e-6)
    np.testing.assert_array_equal(model.input_layout.view(inputs[0], "pose.position"), model.start["position"])


def test_the_farther_ahead_the_more_the_command_counts(controller: Controller) -> None:
    model = controller()
    runtime = Character(model, np.zeros(2), 0.0)
    inputs = recorded(runtime)
    runtime.step(walking((0.0, 1.0), yaw=np.pi / 2), WALK)
    future = model.input_layout.view(inputs[0], "trajectory.position")[-len(FUTURE) :, 1]
    direction = model.input_layout.view(inputs[0], "trajectory.direction")[-len(FUTURE) :]
    assert (np.diff(future) > 0).all()
    assert future[-1] == pytest.approx(1.0)  # the command alone
    assert 0 < future[0] < 1
    np.testing.assert_allclose(direction[-1], [-1.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(direction, axis=-1), 1.0, atol=1e-6)


def test_opposite_directions_do_not_divide_by_zero(controller: Controller) -> None:
    model = controller()
    runtime = Character(model, np.zeros(2), 0.0)
    inputs = recorded(runtime)
    runtime.step(walking(yaw=np.pi), WALK)
    assert np.isfinite(inputs[0]).all()


def test_the_input_is_normalised(controller: Controller) -> None:
    plain = controller()
    model = replace(plain, x_mean=plain.x_mean + 2.0, x_std=plain.x_std * 4.0)
    runtimes = [Character(m, np.zeros(2), 0.0) for m in (plain, model)]
    (raw, *_), (normalised, *_) = ([recorded(r), r.step(walking(), WALK)][0] for r in runtimes)
    np.testing.assert_allclose(normalised, (raw - 2.0) / 4.0, atol=1e-6)


def test_two_runs_are_the_same_to_the_bit(controller: Controller) -> None:
    model = controller((0.0, 1.0), noise=0.3)
    runs = []
    for _ in range(2):
        runtime = Character(model, np.zeros(2), 0.0)
        runs.append(np.array([runtime.step(walking((0.0, 1.0)), WALK).output for _ in range(50)]))
    np.testing.assert_array_equal(runs[0], runs[1])
    assert np.ptp(runs[0], axis=0).max() > 0

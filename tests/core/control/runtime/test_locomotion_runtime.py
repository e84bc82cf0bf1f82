"""The locomotion runtime under networks with known outputs."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

from footfall.core.control.runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime
from footfall.core.control.runtime.resting import phase_at_rest
from footfall.core.features.locomotion import (
    FUTURE_OFFSETS_FRAMES,
    PERFORMER_GROUP,
    SAMPLE_OFFSETS_FRAMES,
    input_layout,
)
from footfall.core.models.model_file import ControllerModel
from footfall.core.models.network import Memory, Network
from footfall.core.motion.root_frame import facing_direction
from footfall.core.terrain.ground import Plane

Controller = Callable[..., ControllerModel]

STAND, WALK = np.eye(4)[:2]


def walking(position: tuple[float, float] = (0.0, 0.0), yaw: float = 0.0, gait: np.ndarray = WALK) -> LocomotionCommand:
    """Return a command of one position and yaw for the whole next second of one character."""
    count = len(FUTURE_OFFSETS_FRAMES)
    ahead = np.tile(position, (1, count, 1)), np.full((1, count), yaw), np.tile(gait, (1, count, 1))
    return LocomotionCommand(*ahead, np.zeros((1, count + 1)))


def alone(model: ControllerModel, position: tuple[float, float] = (0.0, 0.0), yaw: float = 0.0) -> LocomotionRuntime:
    """Return a batch of one character on level ground."""
    return LocomotionRuntime(model, np.array([position]), [yaw], [0.0], [Plane()])


@dataclass
class Recorder:
    """A network that keeps its normalized inputs (n) and answers as another one does."""

    network: Network
    inputs: list[np.ndarray] = field(default_factory=list)

    def begin(self, count: int) -> Memory:
        return self.network.begin(count)

    def step(self, x: np.ndarray, phase: ArrayLike, memory: Memory) -> tuple[np.ndarray, Memory]:
        self.inputs.append(x[0].copy())
        return self.network.step(x, phase, memory)


def recorded(crowd: LocomotionRuntime) -> list[np.ndarray]:
    """Return a list that the network's normalized inputs are appended to."""
    recorder = Recorder(crowd.network)
    crowd.network = recorder
    return recorder.inputs


def test_constant_speed_and_turn_are_a_circle(controller: Controller) -> None:
    crowd = alone(controller((0.0, 1.2), turn=0.6), (3.0, -1.0), 0.5)
    steps = [crowd.step(walking(), WALK[None]) for _ in range(700)]
    positions, yaws = np.array([s.position[0] for s in steps]), np.array([s.yaw[0] for s in steps])
    np.testing.assert_allclose(yaws, 0.5 + 0.6 * np.arange(700) / 60, atol=1e-4)
    # A polygon of steps of 2 cm: its circle's centre lies to the left.
    radius = 1.2 / 60 / (2 * np.sin(0.6 / 60 / 2))
    centre = positions[0] + radius * facing_direction(np.asarray(0.5 - 0.6 / 120 + np.pi / 2))
    np.testing.assert_allclose(np.linalg.norm(positions - centre, axis=-1), radius, atol=1e-3)


def test_steps_to_the_side_go_to_the_right(controller: Controller) -> None:
    crowd = alone(controller((1.0, 0.0)), yaw=np.pi / 2)
    for _ in range(60):
        crowd.step(walking(), WALK[None])
    # Facing -X, the right hand is at +Y.
    np.testing.assert_allclose(crowd.position, [[0.0, 1.0]], atol=1e-5)


def test_the_phase_wraps_and_never_runs_back(controller: Controller) -> None:
    crowd = alone(controller(phase_rate=1.5))
    phases = [crowd.step(walking(), WALK[None]).phase[0] for _ in range(200)]
    np.testing.assert_allclose(phases, (0.25 + 1.5 * np.arange(200) / 60) % 1.0, atol=1e-5)
    backwards = alone(controller(phase_rate=-1.0))
    assert {float(backwards.step(walking(), WALK[None]).phase[0]) for _ in range(10)} == {0.25}


def test_a_standing_root_does_not_creep(controller: Controller) -> None:
    crowd = alone(controller((0.0, 1.0), turn=1.0))
    for _ in range(60):
        crowd.step(walking(gait=STAND), STAND[None])
    np.testing.assert_array_equal(crowd.position, [[0.0, 0.0]])
    assert crowd.yaw == 0.0


def test_contacts_are_those_of_the_output(controller: Controller) -> None:
    step = alone(controller(contacts=(1.0, 0.25, 0.0, 0.75))).step(walking(), WALK[None])
    np.testing.assert_allclose(step.contacts, [[1.0, 0.25, 0.0, 0.75]], atol=1e-6)


def test_a_shift_moves_the_root_and_its_expected_trajectory(controller: Controller) -> None:
    crowd = alone(controller())
    crowd.step(walking(), WALK[None])
    expected = crowd.state.expected_positions.copy()
    crowd.shift_roots(np.array([[0.1, 0.2]]))
    np.testing.assert_allclose(crowd.position, [[0.1, 0.2]], atol=1e-9)
    np.testing.assert_allclose(crowd.state.expected_positions - expected, np.tile([0.1, 0.2], (1, 5, 1)), atol=1e-9)


def test_the_input_holds_the_past_trajectory(controller: Controller) -> None:
    model = controller((0.0, 1.2))
    crowd = alone(model, (5.0, 5.0), 1.0)
    inputs = recorded(crowd)
    for _ in range(100):
        crowd.step(walking(), WALK[None])
    past = sum(offset <= 0 for offset in SAMPLE_OFFSETS_FRAMES)
    position = model.input_layout.view(inputs[-1], "trajectory.position")[:past]
    # Straight on at 1.2 m/s: behind oneself by as much.
    np.testing.assert_allclose(position, np.outer(np.array(SAMPLE_OFFSETS_FRAMES[:past]) / 60, [0.0, 1.2]), atol=1e-4)
    np.testing.assert_allclose(
        model.input_layout.view(inputs[-1], "trajectory.direction")[:past], np.tile([0.0, 1.0], (past, 1)), atol=1e-6
    )
    gaits = model.input_layout.view(inputs[-1], "trajectory.gait")
    np.testing.assert_array_equal(gaits, np.tile(WALK, (12, 1)))


def test_the_input_is_normalised(controller: Controller) -> None:
    plain = controller()
    model = replace(plain, x_mean=plain.x_mean + 2.0, x_std=plain.x_std * 4.0)
    crowds = [alone(m) for m in (plain, model)]
    (raw, *_), (normalised, *_) = ([recorded(r), r.step(walking(), WALK[None])][0] for r in crowds)
    np.testing.assert_allclose(normalised, (raw - 2.0) / 4.0, atol=1e-6)


def test_two_runs_are_the_same_to_the_bit(controller: Controller) -> None:
    model = controller((0.0, 1.0), noise=0.3)
    runs = []
    for _ in range(2):
        crowd = alone(model)
        runs.append(np.array([crowd.step(walking((0.0, 1.0)), WALK[None]).output for _ in range(50)]))
    np.testing.assert_array_equal(runs[0], runs[1])
    assert np.ptp(runs[0], axis=0).max() > 0


@pytest.mark.parametrize("kept", [[0, 1, 2], [0, 2], [1]])
def test_each_character_of_a_batch_moves_as_it_would_alone(controller: Controller, kept: list[int]) -> None:
    """Characters that leave the batch do not change the others."""
    model = controller((0.0, 1.0), noise=0.3)
    places, yaws = np.array([[0.0, 0.0], [3.0, 1.0], [-2.0, 5.0]]), np.array([0.0, 1.0, -2.0])

    def command(rows: list[int]) -> LocomotionCommand:
        each = [walking((float(row), 2.0), yaw=0.3 * row) for row in rows]
        names = ("positions", "yaws", "gaits", "levels")
        return LocomotionCommand(*(np.concatenate([getattr(one, name) for one in each]) for name in names))

    crowd = LocomotionRuntime(model, places, yaws, np.zeros(3), [Plane()] * 3)
    for _ in range(20):
        crowd.step(command([0, 1, 2]), np.repeat(WALK[None], 3, axis=0))
    crowd.select(np.array(kept))
    for _ in range(20):
        steps = crowd.step(command(kept), np.repeat(WALK[None], len(kept), axis=0))
    for row, number in enumerate(kept):
        one = LocomotionRuntime(model, places[[number]], yaws[[number]], [0.0], [Plane()])
        for _ in range(40):
            expected = one.step(command([number]), WALK[None])
        np.testing.assert_allclose(steps.output[row], expected.output[0], atol=1e-4)
        np.testing.assert_allclose(steps.position[row], expected.position[0], atol=1e-4)


def test_each_character_walks_on_its_own_ground(controller: Controller) -> None:
    crowd = LocomotionRuntime(
        controller(), np.zeros((3, 2)), np.zeros(3), [0.0, 1.0, 0.0], [Plane(), Plane(1.0), Plane()]
    )
    command = walking()
    levels = np.array([[0.0], [1.0], [0.0]]) + np.zeros(6)
    many = LocomotionCommand(
        *(np.repeat(getattr(command, name), 3, axis=0) for name in ("positions", "yaws", "gaits")), levels
    )
    steps = crowd.step(many, np.repeat(WALK[None], 3, axis=0))
    np.testing.assert_allclose(steps.height, [0.0, 1.0, 0.0])


def test_each_ground_is_queried_once_for_all_characters_on_it(controller: Controller) -> None:
    asked: list[tuple[float, int]] = []

    class AskedPlane(Plane):
        def heights(self, points: np.ndarray, frame: float = 0.0) -> np.ndarray:
            asked.append((self.height, len(points)))
            return super().heights(points, frame)

    levels = [0.0, 0.5, 0.0, 0.0]
    grounds = [AskedPlane(level) for level in levels]
    crowd = LocomotionRuntime(controller(), np.zeros((4, 2)), np.zeros(4), levels, grounds)
    one = walking()
    command = LocomotionCommand(
        *(np.repeat(part, 4, axis=0) for part in (one.positions, one.yaws, one.gaits)),
        np.array(levels)[:, None] + np.zeros((4, len(FUTURE_OFFSETS_FRAMES) + 1)),
    )
    heights_of = crowd.step(command, np.tile(WALK, (4, 1))).height
    assert sorted(asked) == [(0.0, 3), (0.5, 1)]
    np.testing.assert_allclose(heights_of, levels)
    crowd.select(np.array([1, 3]))
    asked.clear()
    two = LocomotionCommand(command.positions[:2], command.yaws[:2], command.gaits[:2], command.levels[[1, 3]])
    crowd.step(two, np.tile(WALK, (2, 1)))
    assert sorted(asked) == [(0.0, 1), (0.5, 1)]


class TestRest:
    """A character that comes to rest puts down the foot that is in the air, and its phase stops."""

    @pytest.mark.parametrize(("phase", "rest"), [(0.0, 0.15), (0.1, 0.15), (0.15, 0.15), (0.4, 0.65), (0.9, 0.15)])
    def test_the_phase_goes_on_to_the_next_rest_and_stays(self, phase: float, rest: float) -> None:
        now = np.array([phase])
        for _ in range(120):
            now = phase_at_rest(now, (now + 1 / 60) % 1.0)
        assert now[0] == pytest.approx(rest, abs=1e-9)

    def test_it_never_goes_faster_than_the_network_says(self) -> None:
        np.testing.assert_allclose(phase_at_rest(np.array([0.3]), np.array([0.31])), 0.31)


def people(model: ControllerModel) -> ControllerModel:
    """Return a controller that tells three performers apart."""
    inputs = input_layout(model.joints, model.gaits, performers=3)
    count, hidden, _ = model.tensors["W0"].shape
    tensors = {**model.tensors, "W0": np.zeros((count, hidden, inputs.size), np.float32)}
    return replace(
        model,
        input_layout=inputs,
        tensors=tensors,
        x_mean=np.zeros(inputs.size, np.float32),
        x_std=np.ones(inputs.size, np.float32),
        performers=("rin", "anna", "ben"),
    )


def test_a_walker_moves_as_the_performer_that_it_is_told(controller: Controller) -> None:
    crowd = alone(people(controller((0.0, 1.2))))
    inputs, layout = recorded(crowd), crowd.model.input_layout
    crowd.perform_as(0, (0.0, 0.25, 0.75))
    crowd.step(walking(gait=STAND), STAND[None])
    for _ in range(120):
        crowd.step(walking(), WALK[None])
    seen = np.array([layout.view(x, PERFORMER_GROUP) for x in inputs])
    np.testing.assert_allclose(seen[0], [1.0, 0.0, 0.0], atol=1e-6, err_msg="it begins at rest, as the first")
    np.testing.assert_allclose(seen[-1], [0.0, 0.25, 0.75], atol=1e-6)
    np.testing.assert_allclose(seen.sum(axis=1), 1.0, atol=1e-6)

"""The system of local motion phases in the roll-out: its answers are the next frame's inputs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

from footfall.core.control.path.path import Path
from footfall.core.control.runtime.control_variation import BatchVariation, ControlVariation
from footfall.core.control.runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime
from footfall.core.control.runtime.response_bias import ResponseBias, command_weights
from footfall.core.control.walk.plan import WalkRequest, plan_walk
from footfall.core.errors import FootfallError
from footfall.core.features.phase_system import DELTA_GROUP, SAMPLE_STEP_S, PhaseSystem
from footfall.core.models.generator_kinds import VARIATIONAL
from footfall.core.models.model_file import ControllerModel
from footfall.core.models.network import Float32, Memory
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.core.terrain.ground import Plane
from footfall.tests.support.generators import random_generator

SENSORS = (*FOOT_CONTACTS, "hand.R")
NOW = 6
SPEED = 1.5


def system(model: ControllerModel, parts: frozenset[str] = frozenset()) -> ControllerModel:
    """The controller with the layouts of a system; nothing is normalized."""
    known = PhaseSystem(model.joints, model.gaits, SENSORS, parts=parts)
    inputs, outputs = known.input_layout(), known.output_layout()
    channels = len(SENSORS)
    return replace(
        model,
        input_layout=inputs,
        output_layout=outputs,
        x_mean=np.zeros(inputs.size, np.float32),
        x_std=np.ones(inputs.size, np.float32),
        y_mean=np.zeros(outputs.size, np.float32),
        y_std=np.ones(outputs.size, np.float32),
        start={
            **model.start,
            "vector": np.zeros((channels, 2), np.float32),
            "frequency": np.zeros(channels, np.float32),
        },
        sensors=SENSORS,
    )


@dataclass
class Recording:
    """A network that walks straight on, touches with its hand, and keeps what it saw."""

    model: ControllerModel
    seen: list[Float32] = field(default_factory=list)

    def begin(self, count: int) -> Memory:
        return ()

    def step(self, x: Float32, phase: ArrayLike, memory: Memory) -> tuple[Float32, Memory]:
        self.seen.append(x)
        layout = self.model.output_layout
        y = np.zeros((len(x), layout.size), dtype=np.float32)
        layout.view(y, "root.velocity")[:] = 0.0, SPEED
        layout.view(y, "pose.rotation")[:] = 0.25
        layout.view(y, "contact.other")[:] = 0.75
        layout.view(y, "trajectory.direction")[:] = 0.0, 1.0
        layout.view(y, "trajectory.velocity")[:] = 0.0, 0.4
        layout.view(y, "trajectory.gait")[:] = np.eye(len(self.model.gaits))[2]
        layout.view(y, "phase.vector")[:] = 2.0
        layout.view(y, DELTA_GROUP)[:] = 1.0
        return y, memory


def rolled(
    model: ControllerModel,
    frames: int,
    conditions: dict[str, np.ndarray] | None = None,
    variations: Sequence[ControlVariation | None] = (),
) -> tuple[LocomotionRuntime, Recording]:
    """Two characters, the second more responsive, commanded to walk on at SPEED."""
    crowd = LocomotionRuntime(model, np.zeros((2, 2)), np.zeros(2), np.zeros(2), [Plane()] * 2)
    crowd.respond_with(1, ResponseBias.of_responsiveness(1.0))
    crowd.variation = BatchVariation(model, variations) if variations else None
    network = crowd.network = Recording(model)
    gait = np.eye(len(model.gaits))[[1, 1]]
    for _ in range(frames):
        ahead = SPEED * np.arange(1, 7) / 6
        positions = np.stack([np.zeros((2, 6)), crowd.position[:, 1:] + ahead], axis=-1)
        gaits = np.repeat(gait[:, None], 6, axis=1)
        crowd.step(LocomotionCommand(positions, np.zeros((2, 6)), gaits, np.zeros((2, 7)), conditions or {}), gait)
    return crowd, network


@pytest.fixture
def model(controller: Callable[..., ControllerModel]) -> ControllerModel:
    return system(controller())


def test_it_begins_at_rest_with_both_feet_down(model: ControllerModel) -> None:
    _, network = rolled(model, 1)
    view, first = model.input_layout.view, network.seen[0]
    np.testing.assert_array_equal(view(first, "contact.past"), np.tile([1, 1, 1, 1, 0], (2, 7, 1)))
    np.testing.assert_array_equal(view(first, "trajectory.velocity")[:, : NOW + 1], 0.0)
    np.testing.assert_array_equal(view(first, "phase.vector"), 0.0)


def test_answers_are_seen_in_the_next_frame(model: ControllerModel) -> None:
    _, network = rolled(model, 2)
    view, second = model.input_layout.view, network.seen[1]
    np.testing.assert_array_equal(view(second, "pose.rotation"), np.float32(0.25))
    np.testing.assert_allclose(view(second, "contact.past")[:, -1], [[0, 0, 0, 0, 0.75]] * 2)
    np.testing.assert_allclose(view(second, "trajectory.velocity")[:, NOW], [[0.0, SPEED]] * 2, atol=1e-5)


def test_phases_are_updated_by_equation_2(model: ControllerModel) -> None:
    _, network = rolled(model, 3)
    first = 0.5 * 2.0 + 0.5 * (0.0 + 1.0)
    second = 0.5 * 2.0 + 0.5 * (first + 1.0)
    phases = model.input_layout.view(network.seen[2], "phase.vector")
    np.testing.assert_allclose(phases[:, NOW:], second, atol=1e-6)


def test_the_future_is_blended_by_equation_1_as_far_as_a_character_is_responsive(model: ControllerModel) -> None:
    _, network = rolled(model, 2)
    weight = command_weights(np.array([2.0, 8.0]), 6)
    layout = model.input_layout
    velocity = layout.view(network.seen[1], "trajectory.velocity")[:, NOW + 1 :, 1]
    np.testing.assert_allclose(velocity, weight * SPEED + (1 - weight) * 0.4, atol=1e-4)
    gaits = layout.view(network.seen[1], "trajectory.gait")[:, NOW + 1 :]
    np.testing.assert_allclose(gaits[..., 1], weight, atol=1e-6)
    np.testing.assert_allclose(gaits[..., 2], 1 - weight, atol=1e-6)


def test_a_player_does_not_walk_along_a_path_alone(controller: Callable[..., ControllerModel]) -> None:
    player = system(controller(), frozenset({"opponent"}))
    with pytest.raises(FootfallError, match=r"needs other input than a path \(opponent\)"):
        plan_walk(WalkRequest(Path(np.array([[0.0, 0.0], [0.0, 3.0]]))), player)


def test_a_generator_varies_the_blended_future_and_its_velocities(model: ControllerModel) -> None:
    varied = ControlVariation(random_generator(VARIATIONAL), 1.0, 1)
    _, plain = rolled(model, 2)
    _, other = rolled(model, 2, variations=[None, varied])
    view, before, after = model.input_layout.view, plain.seen[1], other.seen[1]
    np.testing.assert_array_equal(after[0], before[0], "a character without a variation")
    for name in ("trajectory.position", "trajectory.velocity"):
        np.testing.assert_array_equal(view(after, name)[1, : NOW + 1], view(before, name)[1, : NOW + 1])
        assert (view(after, name)[1, NOW + 1 :] != view(before, name)[1, NOW + 1 :]).any(axis=-1).all()
    # Velocities are those of the positions: their differences have the same steps.
    shifts = np.diff((view(after, "trajectory.position") - view(before, "trajectory.position"))[1, NOW:], axis=0)
    velocities = (view(after, "trajectory.velocity") - view(before, "trajectory.velocity"))[1]
    np.testing.assert_allclose(velocities[-1], shifts[-1] / SAMPLE_STEP_S, atol=1e-4)

"""Controllers with phase vectors: their outputs are the inputs of the next frame."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

from footfall.core.control.runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime
from footfall.core.features.layout import Layout
from footfall.core.features.locomotion import FUTURE_OFFSETS_FRAMES, SAMPLE_OFFSETS_FRAMES, input_layout, output_layout
from footfall.core.features.phase_vectors import advance_phase_vectors, phase_vector
from footfall.core.models.model_file import ControllerModel
from footfall.core.models.network import Float32, Memory
from footfall.core.terrain.ground import Plane

RATE = 60.0
NOW = SAMPLE_OFFSETS_FRAMES.index(0)
START = phase_vector(np.array([0.25, 0.5, 0.0]), [1.0, 2.0, 0.0]).astype(np.float32)
SPEEDS = np.array([1.0, -2.0, 0.5], dtype=np.float32)


@pytest.fixture
def phased(controller: Callable[..., ControllerModel]) -> ControllerModel:
    """A controller with three channels, of which the last is silent at first."""
    model = controller((0.0, 1.0))
    inputs = input_layout(model.joints, model.gaits, 3)
    outputs = output_layout(model.joints, 3)
    more = outputs.size - len(model.y_mean)
    return replace(
        model,
        input_layout=inputs,
        output_layout=outputs,
        x_mean=np.zeros(inputs.size, np.float32),
        x_std=np.full(inputs.size, 2.0, np.float32),
        y_mean=np.concatenate([model.y_mean, np.zeros(more, np.float32)]),
        y_std=np.full(outputs.size, 0.5, np.float32),
        start={**model.start, "vector": START, "frequency": SPEEDS},
    )


@dataclass
class Turning:
    """A network that lets vectors turn on at the speeds they have, and grow by a factor each frame."""

    inputs: Layout
    outputs: Layout
    growth: float = 1.0

    def begin(self, count: int) -> Memory:
        return ()

    def step(self, x: Float32, phase: ArrayLike, memory: Memory) -> tuple[Float32, Memory]:
        now = self.inputs.view(2.0 * x, "phase.vector")[:, NOW]
        y = np.zeros((len(x), self.outputs.size), dtype=np.float32)
        ahead = np.array([1, *(1 + offset for offset in FUTURE_OFFSETS_FRAMES)])[:, None] / RATE
        self.outputs.view(y, "phase.frequency")[:] = SPEEDS / 0.5
        self.outputs.view(y, "phase.vector")[:] = (
            self.growth * advance_phase_vectors(now[:, None], ahead * SPEEDS) / 0.5
        )
        return y, memory


def walked(model: ControllerModel, frames: int, growth: float = 1.0, count: int = 1) -> LocomotionRuntime:
    crowd = LocomotionRuntime(model, np.zeros((count, 2)), np.zeros(count), np.zeros(count), [Plane()] * count)
    crowd.network = Turning(model.input_layout, model.output_layout, growth)
    gait = np.eye(len(model.gaits))[[1] * count]
    samples = len(FUTURE_OFFSETS_FRAMES)
    command = LocomotionCommand(
        np.zeros((count, samples, 2)),
        np.zeros((count, samples)),
        np.repeat(gait[:, None], samples, axis=1),
        np.zeros((count, samples + 1)),
    )
    for _ in range(frames):
        crowd.step(command, gait)
    return crowd


def samples_of(crowd: LocomotionRuntime) -> np.ndarray:
    assert crowd.state.phase_vectors is not None
    return crowd.state.phase_vectors.trajectory_samples()


def test_turning_vectors_go_on_turning(phased: ControllerModel):
    for frames in (0, 1, 5, 300):
        seconds = (frames + np.array(SAMPLE_OFFSETS_FRAMES))[:, None] / RATE
        np.testing.assert_allclose(
            samples_of(walked(phased, frames))[0], advance_phase_vectors(START, seconds * SPEEDS), atol=1e-3
        )


def test_the_network_decides_how_long_vectors_are(phased: ControllerModel):
    found = samples_of(walked(phased, 100, growth=0.98))[0]
    np.testing.assert_allclose(np.linalg.norm(found[NOW], axis=-1), [0.98**100, 2 * 0.98**100, 0.0], rtol=1e-3)
    # Those before are as they were.
    np.testing.assert_allclose(np.linalg.norm(found[0], axis=-1), [0.98**40, 2 * 0.98**40, 0.0], rtol=1e-3)

"""Variation in front of every family of walking controllers: it shapes the control series only."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

from footfall.core.control.runtime.control_variation import BatchVariation, ControlVariation
from footfall.core.control.runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime
from footfall.core.features.locomotion import future_offsets
from footfall.core.models.erd import ErdArchitecture
from footfall.core.models.experts import ExpertsArchitecture
from footfall.core.models.gaussian_process import GaussianProcessArchitecture
from footfall.core.models.generator_kinds import KINDS, VARIATIONAL
from footfall.core.models.lstm import LstmArchitecture
from footfall.core.models.matching import MatchingArchitecture
from footfall.core.models.model_file import ControllerModel
from footfall.core.models.network import Architecture, Float32, Memory
from footfall.core.models.pfnn import PfnnArchitecture
from footfall.core.models.plain import PlainArchitecture
from footfall.core.terrain.ground import Plane
from footfall.tests.support.generators import random_generator

Controller = Callable[..., ControllerModel]
ARCHITECTURES = [
    PfnnArchitecture(hidden=16),
    PlainArchitecture(hidden=16),
    PlainArchitecture(hidden=16, phase_input=True),
    ErdArchitecture(hidden=16, recurrent=8),
    LstmArchitecture(hidden=16, recurrent=8),
    ExpertsArchitecture(4, 16, "velocity", 8, 0),
    GaussianProcessArchitecture(points=20),
    MatchingArchitecture(points=40),
]
FRAMES = 20


@dataclass
class Recording:
    """A controller's network, and the inputs that it saw."""

    network: object
    seen: list[Float32] = field(default_factory=list)

    def step(self, x: Float32, phase: ArrayLike, memory: Memory) -> tuple[Float32, Memory]:
        self.seen.append(np.array(x))
        return self.network.step(x, phase, memory)  # type: ignore[attr-defined]


def of_family(controller: Controller, architecture: Architecture) -> ControllerModel:
    """A controller of a family that walks straight on, disturbed a little by made-up weights."""
    model, rng = controller((0.0, 1.2), noise=0.02), np.random.default_rng(2)
    shapes = architecture.shapes(model.task).items()
    tensors = {name: rng.normal(0, 0.2, shape).astype(np.float32) for name, shape in shapes}
    if isinstance(architecture, MatchingArchitecture):  # one sequence, played at its own rate
        tensors["left"] = np.arange(architecture.points, dtype=np.float32)[::-1].copy()
        tensors["phase"], tensors["phase_unit"] = np.zeros(architecture.points, np.float32), np.ones((), np.float32)
    return replace(model, architecture=architecture, tensors=tensors)


def inputs_seen(model: ControllerModel, variation: ControlVariation | None) -> tuple[Float32, Float32]:
    """Inputs (F, n) and answers of the network while it is told to walk to the north."""
    runtime = LocomotionRuntime(model, np.zeros((1, 2)), [0.0], [0.0], [Plane(0.0)])
    recording = Recording(runtime.network)
    runtime.network, runtime.variation = recording, BatchVariation(model, [variation])  # type: ignore[assignment]
    walking = np.eye(len(model.gaits))[[model.gaits.index("walk")]]
    offsets, answers = np.array(future_offsets(model.input_layout)), []
    for _ in range(FRAMES):
        ahead = runtime.position[:, None] + np.outer(offsets, [0.0, 1.2 / model.rate])
        gaits = np.repeat(walking[:, None], len(offsets), axis=1)
        levels = np.zeros((1, len(offsets) + 1))
        command = LocomotionCommand(ahead, np.zeros((1, len(offsets))), gaits, levels)
        answers.append(runtime.step(command, walking).output[0])
    return np.concatenate(recording.seen), np.array(answers)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=str)
def test_every_family_is_told_a_varied_trajectory(
    controller: Controller, architecture: Architecture, kind: str
) -> None:
    model, variation = of_family(controller, architecture), ControlVariation(random_generator(kind), 0.8, 3)
    plain, _ = inputs_seen(model, None)
    varied, answers = inputs_seen(model, variation)
    assert np.isfinite(answers).all()
    layout = model.input_layout
    for name in ("trajectory.position", "trajectory.direction"):
        assert np.abs(layout.view(varied[1:], name) - layout.view(plain[1:], name)).max() > 1e-3
    # On the first frame the body is the same still, and nothing beside the trajectory is touched.
    assert not layout.view(varied[0] - plain[0], "pose.position").any()
    np.testing.assert_array_equal(inputs_seen(model, variation)[0], varied)


def test_a_crowd_of_one_family_has_a_walk_for_each_seed(controller: Controller) -> None:
    model, generator = of_family(controller, PlainArchitecture(hidden=16)), random_generator(VARIATIONAL)
    walks = [inputs_seen(model, ControlVariation(generator, 0.8, seed))[0] for seed in (1, 2, 3)]
    assert min(np.abs(walks[0] - walks[1]).max(), np.abs(walks[1] - walks[2]).max()) > 1e-3

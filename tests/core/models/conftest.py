"""A small controller with made-up weights."""

from dataclasses import asdict

import numpy as np
import pytest

from footfall.core.features import locomotion
from footfall.core.models.model_file import ControllerModel
from footfall.core.models.pfnn import PfnnArchitecture, PfnnWeights
from footfall.core.motion.skeleton import Skeleton


def random_weights(rng: np.random.Generator, inputs: int = 30, hidden: int = 24, outputs: int = 20) -> PfnnWeights:
    """Weights of the size that training gives, so that nothing saturates."""
    shapes = PfnnWeights.shapes(inputs, hidden, outputs).values()
    return PfnnWeights(*(rng.normal(0, 1 / np.sqrt(shape[-1]), shape).astype(np.float32) for shape in shapes))


@pytest.fixture
def model() -> ControllerModel:
    """Three joints, two gaits, eight hidden units."""
    rng = np.random.default_rng(1)
    joints, gaits = ("hips", "lfemur", "head"), ("stand", "walk")
    inputs, outputs = locomotion.input_layout(joints, gaits), locomotion.output_layout(joints)

    def values(*shape: int) -> np.ndarray:
        return rng.uniform(0.5, 1.5, shape).astype(np.float32)

    rotations = np.tile(np.array([1, 0, 0, 0], np.float32), (3, 1))
    return ControllerModel(
        architecture=PfnnArchitecture(hidden=8),
        tensors=asdict(random_weights(rng, inputs.size, 8, outputs.size)),
        input_layout=inputs,
        output_layout=outputs,
        x_mean=values(inputs.size),
        x_std=values(inputs.size),
        y_mean=values(outputs.size),
        y_std=values(outputs.size),
        skeleton=Skeleton((*joints, "lhand"), (-1, 0, 0, 0), values(4, 3).astype(float), values(4, 3).astype(float)),
        joints=joints,
        reference_rotations=rotations,
        gaits=gaits,
        rate=60.0,
        start={
            "position": values(3, 3),
            "velocity": values(3, 3),
            "rotation": rotations,
            "phase": np.float32(0.25),
        },
        provenance={"clips": ["a.bvh"], "epochs": 3},
    )

"""Small tasks and made-up weights for mixtures of experts."""

import numpy as np

from footfall.core.features import interaction
from footfall.core.features.layout import Group, Layout
from footfall.core.features.locomotion import input_layout, output_layout
from footfall.core.models.experts import ExpertsArchitecture
from footfall.core.models.network import Float32, Task

JOINTS = ("hips", "lfemur", "lfoot", "ltoes", "rfemur", "rfoot", "rtoes", "head")
FEET = (2, 3, 5, 6)
GAITS = ("stand", "walk", "run")

ARCHITECTURES = [
    ExpertsArchitecture(4, 24, gating, 16, encoder)
    for gating in ("velocity", "phase", "phase_vectors")
    for encoder in (0, 12)
]


def task(channels: int = 0, feet: tuple[int, ...] = FEET, more: tuple[Group, ...] = ()) -> Task:
    """A body of eight joints, with as many channels of phase vectors."""
    inputs = Layout((*input_layout(JOINTS, GAITS, channels), *more))
    return Task(inputs, output_layout(JOINTS, channels), feet, 60.0)


def among_things() -> Task:
    """The same body, going for goals."""
    return Task(interaction.input_layout(JOINTS), interaction.output_layout(JOINTS), FEET, 60.0)


def random_tensors(architecture: ExpertsArchitecture, wanted: Task, seed: int = 0) -> dict[str, Float32]:
    """Weights of the size that training gives, so that nothing saturates, and a gate that is quite sure of itself."""
    rng = np.random.default_rng(seed)
    shapes = architecture.shapes(wanted).items()
    result = {name: rng.normal(0, 1 / np.sqrt(shape[-1]), shape).astype(np.float32) for name, shape in shapes}
    result["gate.2.weight"] *= 4
    return result


def random_inputs(wanted: Task, count: int, seed: int = 1) -> Float32:
    """Normalised inputs (B, n)."""
    return np.random.default_rng(seed).normal(size=(count, wanted.inputs.size)).astype(np.float32)

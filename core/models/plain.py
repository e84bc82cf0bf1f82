"""The plain network: dense layers, with or without the phase among their inputs.

The baseline of the phase-functioned network (Holden, Komura and Saito 2017, section 8, Fig. 10 a and b).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .dense import PHASE_INPUT_COUNT, Dense, append_phase, dense_shapes
from .network import MAX_UNITS, Architecture, Float32, Shapes, StatelessNetwork, Task, Tensors, architecture_setting


@dataclass(frozen=True, slots=True)
class PlainArchitecture(Architecture):
    """Architecture of a plain network.

    Attributes:
        hidden: units of a hidden layer.
        layers: number of hidden layers; two in the paper.
        phase_input: whether sine and cosine of the phase are additional inputs (Fig. 10 b).
    """

    family: ClassVar[str] = "plain"

    hidden: int = architecture_setting(1024, 1, MAX_UNITS)
    layers: int = architecture_setting(2, 1, 16)
    phase_input: bool = architecture_setting(False)

    def shapes(self, task: Task) -> Shapes:
        """Return the shapes of the weights and biases of all layers, by name."""
        inputs = task.inputs.size + PHASE_INPUT_COUNT * self.phase_input
        return dense_shapes("layers", (inputs, *[self.hidden] * self.layers, task.outputs.size))

    def network(self, tensors: Tensors, task: Task) -> "Mlp":
        """Return the runnable network with the given weights."""
        return Mlp(Dense(tensors, "layers", linear_output=True), self.phase_input)


class Mlp(StatelessNetwork):
    """A trained plain network, ready to be called with normalized inputs."""

    def __init__(self, layers: Dense, phase_input: bool) -> None:
        self._layers, self._phase_input = layers, phase_input

    def __call__(self, x: NDArray[np.floating], phase: ArrayLike) -> Float32:
        """Return normalized outputs (m) or (B, m) for normalized inputs (n) or (B, n) and phases () or (B), cycles."""
        rows = np.asarray(x, dtype=np.float32)
        rows = rows[None] if x.ndim == 1 else rows
        y = self._layers(append_phase(rows, phase) if self._phase_input else rows)
        return y[0] if x.ndim == 1 else y

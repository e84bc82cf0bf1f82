"""Dense layers, forward pass only: the plain network, and the encoders and decoders of others."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from .network import Float32, Shapes, Tensors, elu

PHASE_INPUT_COUNT = 2
"""Number of inputs that encode the phase: its sine and cosine."""


def append_phase(x: Float32, phase: ArrayLike) -> Float32:
    """Append sine and cosine of phases (B), cycles, to x (B, n), and return the inputs (B, n + 2).

    See PFNN section 8, Fig. 10 b and d.
    """
    angle = 2.0 * np.pi * np.asarray(phase, dtype=float)
    inputs = x.shape[1]
    result = np.empty((len(x), inputs + PHASE_INPUT_COUNT), dtype=np.float32)
    result[:, :inputs], result[:, inputs], result[:, inputs + 1] = x, np.sin(angle), np.cos(angle)
    return result


def dense_shapes(name: str, widths: Sequence[int]) -> Shapes:
    """Return the names and shapes of the tensors of dense layers with the given widths, input first."""
    result: Shapes = {}
    for layer, (before, after) in enumerate(pairwise(widths)):
        result[f"{name}.{layer}.weight"] = (after, before)
        result[f"{name}.{layer}.bias"] = (after,)
    return result


class Dense:
    """Dense layers, each followed by ELU; the last one is linear if it gives the network's output.

    Args:
        tensors: tensors that include those of :func:`dense_shapes`.
        name: prefix of the layers' tensors.
        linear_output: whether the last layer is linear.
    """

    def __init__(self, tensors: Tensors, name: str, linear_output: bool) -> None:
        count = sum(one.startswith(f"{name}.") for one in tensors) // 2
        weights, biases = ([tensors[f"{name}.{n}.{part}"] for n in range(count)] for part in ("weight", "bias"))
        self._layers = [(np.ascontiguousarray(w.T), b) for w, b in zip(weights, biases, strict=True)]
        self._linear_layer = count - 1 if linear_output else count

    def __call__(self, x: Float32) -> Float32:
        """Return the last layer's outputs (B, m) for inputs x (B, n)."""
        for layer, (weight, bias) in enumerate(self._layers):
            x = x @ weight
            x += bias
            if layer < self._linear_layer:
                elu(x)
        return x

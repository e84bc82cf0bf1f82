"""LSTM layers, forward pass only, and the network with such layers between an encoder and a decoder.

Hochreiter and Schmidhuber 1997; the cells of Graves et al. 2013, without peepholes. A cell's four gates are affine in
its input and its previous output, so that the weights of a layer form one matrix, which is read once per frame.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from .dense import Dense, append_phase, dense_shapes
from .network import CACHE_LIMIT_BYTES, Float32, Memory, Shapes, Tensors, multiply_row_by_row

GATES_PER_CELL: Final = 4
"""Number of gates of a cell: input, forget, new value and output, in this order among a layer's rows."""


def recurrent_shapes(encoder: Sequence[int], recurrent: int, layers: int, decoder: Sequence[int]) -> Shapes:
    """Return the shapes of the tensors of an :class:`EncoderRecurrentDecoder`, by name.

    Args:
        encoder: layer widths from x, with the phase, to the input of the first recurrent layer.
        recurrent: units of each recurrent layer.
        layers: number of recurrent layers.
        decoder: layer widths after the last recurrent layer, to y.
    """
    result = dense_shapes("encoder", encoder)
    for layer in range(layers):
        width = recurrent if layer else encoder[-1]
        result[f"lstm.weight_ih_l{layer}"] = (GATES_PER_CELL * recurrent, width)
        result[f"lstm.weight_hh_l{layer}"] = (GATES_PER_CELL * recurrent, recurrent)
        result[f"lstm.bias_ih_l{layer}"] = result[f"lstm.bias_hh_l{layer}"] = (GATES_PER_CELL * recurrent,)
    result["initial.hidden"] = result["initial.cell"] = (layers, recurrent)
    return result | dense_shapes("decoder", (recurrent, *decoder))


class LstmLayers:
    """Stacked recurrent layers of R units each; the first takes x, each other one the previous layer's output.

    The memory is the output and the cell state of every layer, (B, R) each.

    Args:
        tensors: tensors of :func:`recurrent_shapes`.
    """

    def __init__(self, tensors: Tensors) -> None:
        layers, self._units = tensors["initial.cell"].shape
        self._initial = [tensors[f"initial.{part}"][layer] for layer in range(layers) for part in ("hidden", "cell")]
        self._layers = [self._fuse_gates(tensors, layer) for layer in range(layers)]
        self._exceeds_cache = sum(weight.nbytes for weight, _ in self._layers) > CACHE_LIMIT_BYTES
        if not self._exceeds_cache:
            self._layers = [(np.ascontiguousarray(weight.T), bias) for weight, bias in self._layers]

    def _fuse_gates(self, tensors: Tensors, layer: int) -> tuple[Float32, Float32]:
        """Return the weights (4 R, input + R) and biases (4 R) of a layer's gates, with the new value's gate last."""
        weight = np.hstack([tensors[f"lstm.weight_ih_l{layer}"], tensors[f"lstm.weight_hh_l{layer}"]])
        bias = tensors[f"lstm.bias_ih_l{layer}"] + tensors[f"lstm.bias_hh_l{layer}"]
        rows = np.arange(GATES_PER_CELL * self._units).reshape(GATES_PER_CELL, -1)[[0, 1, 3, 2]].ravel()
        # The logistic function of z is (1 + tanh(z / 2)) / 2: with halved inputs, one tanh serves all four gates.
        halves = np.repeat(np.array([0.5, 0.5, 0.5, 1.0], dtype=np.float32), self._units)
        return weight[rows] * halves[:, None], bias[rows] * halves

    def _product(self, x: Float32, weight: Float32) -> Float32:
        """Return the products (B, 4 R) of inputs (B, n) with a layer's weights."""
        if not self._exceeds_cache:
            return x @ weight
        return multiply_row_by_row(weight, x[0])[None] if len(x) == 1 else x @ weight.T

    def begin(self, count: int) -> Memory:
        """Return the learned initial memory, repeated for ``count`` characters (B)."""
        return tuple(np.repeat(one[None], count, axis=0) for one in self._initial)

    def step(self, x: Float32, memory: Memory) -> tuple[Float32, Memory]:
        """Return the outputs (B, R) of the last layer for x (B, n), and the memory for the next frame."""
        units, after = self._units, []
        for (weight, bias), last_output, held in zip(self._layers, memory[::2], memory[1::2], strict=True):
            gates = self._product(np.concatenate([x, last_output], axis=1), weight)
            gates += bias
            np.tanh(gates, out=gates)
            opened, new = gates[:, : 3 * units], gates[:, 3 * units :]
            opened += 1
            held = held * opened[:, units : 2 * units]
            held += new * opened[:, :units]
            held *= 0.5
            x = np.tanh(held)
            x *= opened[:, 2 * units :]
            x *= 0.5
            after += [x, held]
        return x, tuple(after)


class EncoderRecurrentDecoder:
    """A trained network of an encoder, recurrent layers and a decoder, ready to be called with normalized inputs.

    Args:
        tensors: tensors of :func:`recurrent_shapes`.
        phase_input: whether sine and cosine of the phase are additional inputs.
    """

    def __init__(self, tensors: Tensors, phase_input: bool = False) -> None:
        self._encoder, self._decoder = (
            Dense(tensors, "encoder", linear_output=False),
            Dense(tensors, "decoder", linear_output=True),
        )
        self._lstm, self._phase_input = LstmLayers(tensors), phase_input

    def begin(self, count: int) -> Memory:
        """Return the learned initial memory of the recurrent layers, repeated for ``count`` characters."""
        return self._lstm.begin(count)

    def step(self, x: Float32, phase: ArrayLike, memory: Memory) -> tuple[Float32, Memory]:
        """Return normalized outputs (B, m) for inputs x (B, n) and phases (B), cycles, and the next frame's memory."""
        x = np.asarray(x, dtype=np.float32)
        encoded = self._encoder(append_phase(x, phase) if self._phase_input else x)
        outputs, memory = self._lstm.step(encoded, memory)
        return self._decoder(outputs), memory

"""The phase-functioned neural network, forward pass only (Holden, Komura and Saito 2017, sections 5 and 6).

The paper blends the weights of the control points, then multiplies. As the product is linear in the weights, all
control points are multiplied here in one pass and the outputs are blended with the same coefficients: the same function
with half the memory traffic, the main cost of a matrix-vector product.
"""

from dataclasses import dataclass, fields
from typing import ClassVar, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .network import (
    MAX_UNITS,
    Architecture,
    Float32,
    Shapes,
    StatelessNetwork,
    Task,
    Tensors,
    architecture_setting,
    elu,
)

Variant = Literal["cubic", "linear", "constant"]

PRECOMPUTED_PHASE_COUNTS: Final = {"constant": 50, "linear": 10}
"""Number of phases at which the weights are precomputed, by variant (section 6, Table 1)."""

# Catmull-Rom spline, eq. 7: coefficients of the control points k0 to k3 (columns) for the powers of w (rows).
_CATMULL_ROM: Final = np.array(
    [[0.0, 1.0, 0.0, 0.0], [-0.5, 0.0, 0.5, 0.0], [1.0, -2.5, 2.0, -0.5], [-0.5, 1.5, -1.5, 0.5]]
)


@dataclass(frozen=True, slots=True, eq=False)
class PfnnWeights:
    """Weights and biases of the three layers at the K control points of the phase function, float32.

    Attributes:
        W0: (K, h, n) weights of the first layer.
        b0: (K, h) biases of the first layer.
        W1: (K, h, h) weights of the second layer.
        b1: (K, h) biases of the second layer.
        W2: (K, m, h) weights of the last layer.
        b2: (K, m) biases of the last layer.
    """

    W0: Float32
    b0: Float32
    W1: Float32
    b1: Float32
    W2: Float32
    b2: Float32

    def __post_init__(self) -> None:
        shapes = self.shapes(self.inputs, self.hidden, self.outputs, self.control_points)
        for name, shape in shapes.items():
            found = getattr(self, name)
            if found.shape != shape or found.dtype != np.float32:
                raise ValueError(f"{name} is {found.dtype} {found.shape} where float32 {shape} is needed")

    @staticmethod
    def shapes(inputs: int, hidden: int, outputs: int, control_points: int = 4) -> dict[str, tuple[int, ...]]:
        """Return the shapes of weights and biases, by the names of the attributes, for given sizes.

        Args:
            inputs: length of x, n.
            hidden: units of both hidden layers, h.
            outputs: length of y, m.
            control_points: number of control points, K.
        """
        widths = (inputs, hidden, hidden, outputs)
        result: dict[str, tuple[int, ...]] = {}
        for layer in range(3):
            result[f"W{layer}"] = (control_points, widths[layer + 1], widths[layer])
            result[f"b{layer}"] = (control_points, widths[layer + 1])
        return result

    @property
    def control_points(self) -> int:
        """Number of control points, K; 4 in the paper."""
        return self.W0.shape[0]

    @property
    def inputs(self) -> int:
        """Length n of the network's input x."""
        return self.W0.shape[-1]

    @property
    def hidden(self) -> int:
        """Width of both hidden layers, h; 512 in the paper."""
        return self.W0.shape[1]

    @property
    def outputs(self) -> int:
        """Length m of the network's output y."""
        return self.W2.shape[1]

    def blend(self, coefficients: Float32) -> "PfnnWeights":
        """Return the weights at S phases: blends of the K control points' weights with coefficients (S, K)."""
        values = (np.tensordot(coefficients, getattr(self, field.name), axes=1) for field in fields(self))
        return PfnnWeights(*(np.ascontiguousarray(value, dtype=np.float32) for value in values))


def catmull_rom_weights(phase: ArrayLike, control_points: int, cyclic: bool = True) -> NDArray[np.float64]:
    """Return the control points' weights (..., K), summing to 1, at phases (...), cycles (eq. 7, for any K from 4 on).

    An acyclic phase function begins at its first control point, at phase 0, and ends at its last, at phase 1.

    Args:
        phase: (...) phase, cycles.
        control_points: number of control points, K.
        cyclic: whether the phase function ends where it begins.
    """
    if cyclic:
        place = np.mod(phase, 1.0) * control_points
        first = np.floor(place)
    else:
        place = np.clip(phase, 0.0, 1.0) * (control_points - 1)
        first = np.minimum(np.floor(place), control_points - 2)
    shares = (place - first)[..., None] ** np.arange(4) @ _CATMULL_ROM
    index = first[..., None].astype(np.intp) + np.arange(-1, 3)
    index = index % control_points if cyclic else np.clip(index, 0, control_points - 1)
    # At the spline's ends, a control point also replaces its missing neighbor.
    return np.sum(shares[..., None] * (index[..., None] == np.arange(control_points)), axis=-2)


@dataclass(frozen=True, slots=True)
class PfnnArchitecture(Architecture):
    """Architecture of a phase-functioned network.

    Attributes:
        hidden: units of both hidden layers; 512 in the paper.
        control_points: number of control points of the phase function; 4 in the paper.
        cyclic: whether the phase function ends where it begins, for repeating motion.
    """

    family: ClassVar[str] = "pfnn"

    hidden: int = architecture_setting(512, 1, MAX_UNITS)
    control_points: int = architecture_setting(4, 4, 64)
    cyclic: bool = architecture_setting(True)

    def shapes(self, task: Task) -> Shapes:
        """Return the shapes of the weights and biases of :class:`PfnnWeights`, by name."""
        return PfnnWeights.shapes(task.inputs.size, self.hidden, task.outputs.size, self.control_points)

    def network(self, tensors: Tensors, task: Task) -> "Pfnn":
        """Return the runnable network with the given weights; it evaluates the spline at every phase."""
        return Pfnn(PfnnWeights(**tensors), cyclic=self.cyclic)


class Pfnn(StatelessNetwork):
    """A trained phase-functioned network, ready to be called with normalized inputs.

    Args:
        weights: weights and biases at the control points of the phase function.
        variant: ``"cubic"`` evaluates the spline; ``"linear"`` interpolates between 10 and ``"constant"`` takes the
            nearest of 50 weights computed beforehand, at 2.5 and 12.5 times the memory (section 6, Table 1).
        cyclic: whether the phase function ends where it begins; otherwise only ``"cubic"`` is possible.
    """

    def __init__(self, weights: PfnnWeights, variant: Variant = "cubic", cyclic: bool = True) -> None:
        self.weights = weights
        self.variant: Final = variant
        self._cyclic = cyclic
        self._control_points = weights.control_points
        if variant != "cubic":
            count = PRECOMPUTED_PHASE_COUNTS[variant]
            # Linear interpolation is cyclic: the first slice is repeated at the end.
            phases = np.arange(count + (variant == "linear")) / count
            weights = weights.blend(catmull_rom_weights(phases, self._control_points).astype(np.float32))
        self._layers = ((weights.W0, weights.b0), (weights.W1, weights.b1), (weights.W2, weights.b2))
        if variant == "cubic":
            # The outputs of all control points side by side: one product of a vector and a matrix, which is fastest in
            # BLAS.
            self._stacked_weights = [
                np.ascontiguousarray(weight.reshape(-1, weight.shape[-1]).T) for weight, _ in self._layers
            ]

    def __call__(self, x: NDArray[np.floating], phase: ArrayLike) -> Float32:
        """Return the normalized outputs, (m) or (B, m), for normalized inputs and phases.

        Args:
            x: normalized inputs (n), or (B, n) for a crowd.
            phase: () or (B), cycles.
        """
        x = np.asarray(x, dtype=np.float32)
        phase = np.asarray(phase, dtype=float)
        if len(x) == 1 and x.ndim == 2:
            return self(x[0], phase.reshape(-1)[0])[None]
        if x.ndim == 1 and self.variant == "cubic":
            share = self._spline_weights(float(phase))
            for layer, (wide, (_, bias)) in enumerate(zip(self._stacked_weights, self._layers, strict=True)):
                x = np.matmul(share, (x @ wide).reshape(bias.shape) + bias)
                if layer < 2:
                    elu(x)
            return x
        if x.ndim == 1:
            start, share = self._blend_weights(phase)
            used = slice(int(start), int(start) + share.shape[-1])
            for layer, (weight, bias) in enumerate(self._layers):
                x = share @ (np.matmul(weight[used], x) + bias[used])
                if layer < 2:
                    elu(x)
            return x
        starts, shares = self._blend_weights(np.broadcast_to(phase, x.shape[:1]))
        result = np.empty((len(x), self.weights.outputs), dtype=np.float32)
        for start in np.unique(starts):
            rows = np.flatnonzero(starts == start)
            result[rows] = self._forward_batch(x[rows], slice(start, start + shares.shape[-1]), shares[rows])
        return result

    def _forward_batch(self, x: Float32, control_points: slice, weights: Float32) -> Float32:
        """Return the outputs (B, m) of characters whose weights blend the same slices."""
        for layer, (weight, bias) in enumerate(self._layers):
            wide = (
                self._stacked_weights[layer]
                if self.variant == "cubic"
                else weight[control_points].reshape(-1, weight.shape[-1]).T
            )
            outputs = (x @ wide).reshape(len(x), *bias[control_points].shape)
            outputs += bias[control_points]
            x = np.einsum("bk,bkh->bh", weights, outputs)
            if layer < 2:
                elu(x)
        return x

    def _spline_weights(self, phase: float) -> Float32:
        """Return the weights (K) of :func:`catmull_rom_weights` at a single phase, computed without numpy."""
        count = self._control_points
        place = phase % 1.0 * count if self._cyclic else min(max(phase, 0.0), 1.0) * (count - 1)
        first = int(place) if self._cyclic else min(int(place), count - 2)
        w = place - first
        shares = np.zeros(count, dtype=np.float32)
        for offset, share in enumerate(
            (
                w * (-0.5 + w * (1.0 - 0.5 * w)),
                1.0 + w * w * (-2.5 + 1.5 * w),
                w * (0.5 + w * (2.0 - 1.5 * w)),
                w * w * (-0.5 + 0.5 * w),
            ),
            start=first - 1,
        ):
            shares[offset % count if self._cyclic else min(max(offset, 0), count - 1)] += share
        return shares

    def _blend_weights(self, phase: NDArray[np.float64]) -> tuple[NDArray[np.intp], Float32]:
        """Return the index (...) of the first of C weight sets to blend at phases (...), and their shares (..., C)."""
        if self.variant == "cubic":
            shares = catmull_rom_weights(phase, self._control_points, self._cyclic)
            return np.zeros(phase.shape, dtype=np.intp), shares.astype(np.float32)
        count = PRECOMPUTED_PHASE_COUNTS[self.variant]
        place = np.mod(phase, 1.0) * count
        if self.variant == "constant":
            return np.rint(place).astype(np.intp) % count, np.ones((*phase.shape, 1), dtype=np.float32)
        start = np.minimum(np.floor(place), count - 1)
        share = (place - start).astype(np.float32)
        return start.astype(np.intp), np.stack([1 - share, share], axis=-1)

"""The phase-functioned neural network, forwards (Holden, Komura, Saito 2017, sections 5 and 6).

The paper blends the weights of the control points, then multiplies. The product is linear in the weights, so here all
control points are multiplied in one pass and the outputs are blended with the same coefficients: the same function at
half the memory traffic, which is what a matrix-vector product costs.
"""

from dataclasses import dataclass, fields
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Float32 = NDArray[np.float32]
Variant = Literal["cubic", "linear", "constant"]

SLICES: Final = {"constant": 50, "linear": 10}
"""How many phases the weights are computed at beforehand (section 6, Table 1)."""

# Eq. 7: coefficients of the control points k0 to k3 (columns) for the powers of w (rows).
_CATMULL_ROM: Final = np.array(
    [[0.0, 1.0, 0.0, 0.0], [-0.5, 0.0, 0.5, 0.0], [1.0, -2.5, 2.0, -0.5], [-0.5, 1.5, -1.5, 0.5]]
)


@dataclass(frozen=True, slots=True, eq=False)
class PfnnWeights:
    """Weights and biases of the three layers at the K control points of the phase function, float32.

    Attributes:
        W0, b0: (K, h, n) and (K, h).
        W1, b1: (K, h, h) and (K, h).
        W2, b2: (K, m, h) and (K, m).
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
        """The arrays' names and shapes for given sizes."""
        widths = (inputs, hidden, hidden, outputs)
        result: dict[str, tuple[int, ...]] = {}
        for layer in range(3):
            result[f"W{layer}"] = (control_points, widths[layer + 1], widths[layer])
            result[f"b{layer}"] = (control_points, widths[layer + 1])
        return result

    @property
    def control_points(self) -> int:
        """K, 4 in the paper."""
        return self.W0.shape[0]

    @property
    def inputs(self) -> int:
        """n, the length of x."""
        return self.W0.shape[-1]

    @property
    def hidden(self) -> int:
        """h, the width of both hidden layers; 512 in the paper."""
        return self.W0.shape[1]

    @property
    def outputs(self) -> int:
        """m, the length of y."""
        return self.W2.shape[1]

    def blended(self, coefficients: Float32) -> "PfnnWeights":
        """The weights at other points of the phase function, given as combinations (S, K) of the control points."""
        values = (np.tensordot(coefficients, getattr(self, field.name), axes=1) for field in fields(self))
        return PfnnWeights(*(np.ascontiguousarray(value, dtype=np.float32) for value in values))


def catmull_rom(phase: ArrayLike, control_points: int) -> NDArray[np.float64]:
    """What each control point counts at a phase (...) in cycles: (..., K), summing to 1 (eq. 7, any K of 4 or more)."""
    place = np.mod(phase, 1.0) * control_points
    first = np.floor(place)
    powers = (place - first)[..., None] ** np.arange(4)
    index = (first[..., None].astype(np.intp) + np.arange(-1, 3)) % control_points
    result = np.zeros((*place.shape, control_points))
    np.put_along_axis(result, index, powers @ _CATMULL_ROM, axis=-1)
    return result


class Pfnn:
    """A trained network, ready to be called with normalised inputs.

    Args:
        weights: the control points.
        variant: ``"cubic"`` evaluates the spline; ``"linear"`` interpolates between 10 and ``"constant"`` takes the
            nearest of 50 weights computed beforehand, at 2.5 and 12.5 times the memory (section 6, Table 1).
    """

    def __init__(self, weights: PfnnWeights, variant: Variant = "cubic") -> None:
        self.weights = weights
        self.variant: Final = variant
        self._control_points = weights.control_points
        if variant != "cubic":
            count = SLICES[variant]
            # Linear interpolation ends where it begins: the first slice stands at the end once more.
            phases = np.arange(count + (variant == "linear")) / count
            weights = weights.blended(catmull_rom(phases, self._control_points).astype(np.float32))
        self._layers = ((weights.W0, weights.b0), (weights.W1, weights.b1), (weights.W2, weights.b2))

    def __call__(self, x: NDArray[np.floating], phase: ArrayLike) -> Float32:
        """Normalised outputs (m) or (B, m).

        Args:
            x: normalised inputs (n), or (B, n) for a crowd.
            phase: cycles, a number or (B).
        """
        x = np.asarray(x, dtype=np.float32)
        phase = np.asarray(phase, dtype=float)
        if x.ndim == 1:
            start, share = self._blend(phase)
            used = slice(int(start), int(start) + share.shape[-1])
            for layer, (weight, bias) in enumerate(self._layers):
                x = share @ (np.matmul(weight[used], x) + bias[used])
                if layer < 2:
                    _elu(x)
            return x
        starts, shares = self._blend(np.broadcast_to(phase, x.shape[:1]))
        result = np.empty((len(x), self.weights.outputs), dtype=np.float32)
        for start in np.unique(starts):
            rows = np.flatnonzero(starts == start)
            result[rows] = self._crowd(x[rows], slice(start, start + shares.shape[-1]), shares[rows])
        return result

    def _crowd(self, x: Float32, used: slice, share: Float32) -> Float32:
        """Outputs (B, m) of characters that all blend the same slices."""
        for layer, (weight, bias) in enumerate(self._layers):
            stacked = weight[used].reshape(-1, weight.shape[-1])
            outputs = (x @ stacked.T).reshape(len(x), *bias[used].shape) + bias[used]
            x = np.einsum("bk,bkh->bh", share, outputs)
            if layer < 2:
                _elu(x)
        return x

    def _blend(self, phase: NDArray[np.float64]) -> tuple[NDArray[np.intp], Float32]:
        """The first slice to use (...) at a phase (...), and what it and its successors count (..., C)."""
        if self.variant == "cubic":
            return np.zeros(phase.shape, dtype=np.intp), catmull_rom(phase, self._control_points).astype(np.float32)
        count = SLICES[self.variant]
        place = np.mod(phase, 1.0) * count
        if self.variant == "constant":
            return np.rint(place).astype(np.intp) % count, np.ones((*phase.shape, 1), dtype=np.float32)
        start = np.minimum(np.floor(place), count - 1)
        share = (place - start).astype(np.float32)
        return start.astype(np.intp), np.stack([1 - share, share], axis=-1)


def _elu(x: Float32) -> None:
    """Eq. 6, in place."""
    negative = np.expm1(np.minimum(x, 0.0))
    np.maximum(x, 0.0, out=x)
    x += negative

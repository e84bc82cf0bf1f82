"""Gaussian process regression from x to y, and the phase-functioned one (PFNN section 8, Fig. 10 e and f).

Rasmussen and Williams 2006, algorithm 2.1. A process stores M samples and outputs a blend of their outputs, weighted by
a Gaussian of the distance between inputs; far from all samples it outputs the mean. The phase-functioned version has a
process at each of K phases around the cycle, and blends the outputs of the two nearest to a phase.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .network import Architecture, Float32, Shapes, StatelessNetwork, Task, Tensors, architecture_setting

MAX_POINTS: Final = 1 << 16
"""Largest number of training samples that a process stores."""


def append_cosine_sine(x: Float32, phase: ArrayLike) -> Float32:
    """Append cosine and sine of phases (...), cycles, to x (..., n), and return the inputs (..., n + 2)."""
    angle = 2 * np.pi * np.asarray(phase, dtype=np.float32)
    result = np.empty((*x.shape[:-1], x.shape[-1] + 2), dtype=np.float32)
    result[..., :-2] = x
    result[..., -2], result[..., -1] = np.cos(angle), np.sin(angle)
    return result


def bin_weights(phase: NDArray[np.floating], bins: int) -> Float32:
    """Return the weights (..., K) at phases (...), cycles, of the K processes around the cycle.

    Each phase is interpolated linearly between the two nearest processes; the others get the weight 0.
    """
    apart = np.mod(phase[..., None] * bins - np.arange(bins) + bins / 2, bins) - bins / 2
    return np.maximum(1 - np.abs(apart), 0).astype(np.float32)


@dataclass(frozen=True, slots=True)
class GaussianProcessArchitecture(Architecture):
    """Architecture of a single Gaussian process, or of processes at several phases around the cycle.

    Attributes:
        points: number of samples of each process, M; 3000 in the paper.
        bins: number of processes, K; 1, or 10 in the paper.
        phase_input: whether cosine and sine of the phase are additional inputs, as in the paper's single process.
    """

    family: ClassVar[str] = "gp"

    points: int = architecture_setting(3000, 1, MAX_POINTS)
    bins: int = architecture_setting(1, 1, 100)
    phase_input: bool = architecture_setting(False)

    def input_width(self, task: Task) -> int:
        """Return the number d of inputs of one process: those of x and, if used, cosine and sine of the phase."""
        return task.inputs.size + 2 * self.phase_input

    def shapes(self, task: Task) -> Shapes:
        """Return the shapes of the tensors that :class:`GaussianProcess` takes, by name."""
        width, outputs = self.input_width(task), task.outputs.size
        return {
            "scales": (width,),
            "inputs": (self.bins, self.points, width),
            "alpha": (self.bins, self.points, outputs),
            "mean": (self.bins, outputs),
        }

    def network(self, tensors: Tensors, task: Task) -> "GaussianProcess":
        """Return the runnable Gaussian processes with the given tensors."""
        return GaussianProcess(**tensors, phase_input=self.phase_input)


class GaussianProcess(StatelessNetwork):
    """K Gaussian processes, ready to be called with normalized inputs.

    Args:
        scales: (d) inverse length scales of the inputs.
        inputs: (K, M, d) scaled inputs of the samples.
        alpha: (K, M, m) (C + noise)^-1 (Y - mean) for the samples' outputs Y (M, m) and their covariances C (M, M).
        mean: (K, m) mean outputs.
        phase_input: whether cosine and sine of the phase are the last two inputs.
    """

    def __init__(
        self, scales: Float32, inputs: Float32, alpha: Float32, mean: Float32, phase_input: bool = False
    ) -> None:
        self._scales, self._inputs, self._alpha, self._mean = scales, inputs, alpha, mean
        self._phase_input = phase_input
        self._half_squared_norms = 0.5 * np.einsum("kmd,kmd->km", inputs, inputs)

    def __call__(self, x: NDArray[np.floating], phase: ArrayLike) -> Float32:
        """Return normalized outputs (m) or (B, m) for normalized inputs (n) or (B, n) and phases () or (B), cycles."""
        x = np.asarray(x, dtype=np.float32)
        if x.ndim == 2 and len(x) == 1:
            return self(x[0], np.reshape(phase, -1)[0])[None]
        queries = (append_cosine_sine(x, phase) if self._phase_input else x) * self._scales
        if len(self._inputs) == 1:
            return self._predict(0, queries)
        shares = bin_weights(np.broadcast_to(np.asarray(phase, dtype=float), x.shape[:-1]), len(self._inputs))
        result = np.zeros((*x.shape[:-1], self._mean.shape[1]), dtype=np.float32)
        if x.ndim == 1:
            for one in map(int, np.flatnonzero(shares)):
                result += shares[one] * self._predict(one, queries)
            return result
        for one in map(int, np.flatnonzero(shares.any(axis=0))):
            rows = np.flatnonzero(shares[:, one])
            result[rows] += shares[rows, one, None] * self._predict(one, queries[rows])
        return result

    def _predict(self, process: int, queries: Float32) -> Float32:
        """Return the outputs (..., m) that one process predicts for scaled inputs (..., d)."""
        # Half the squared distances, expanded to read the samples only once.
        near = queries @ self._inputs[process].T
        near -= self._half_squared_norms[process]
        near -= 0.5 * np.sum(queries * queries, axis=-1, keepdims=True)
        np.minimum(near, 0.0, out=near)
        answer = np.exp(near, out=near) @ self._alpha[process]
        answer += self._mean[process]
        return answer

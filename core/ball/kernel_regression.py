"""Kernel regression on a subset of its samples: small, fitted in one solve, reproducible on every machine.

The subset of regressors of Gaussian processes (Rasmussen and Williams 2006, section 8.3.1).
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from ..motion.rotations import Array

JITTER: Final = 1e-6
"""Share of the trace that keeps the solve stable."""
BLOCK_ROWS: Final = 4096
"""Number of rows predicted together."""


@dataclass(frozen=True, slots=True, eq=False)
class KernelRegression:
    """A fitted regression of D outputs on N inputs with M centers.

    Attributes:
        mean: (N) mean of the inputs.
        deviation: (N) standard deviation of the inputs.
        centers: (M, N) normalized inputs.
        weights: (M, D) weights of the kernels.
        offset: (D) mean of the outputs.
    """

    mean: Array
    deviation: Array
    centers: Array
    weights: Array
    offset: Array

    def predict(self, inputs: Array) -> Array:
        """Predict the outputs (F, D) for inputs (F, N)."""
        result = np.empty((len(inputs), len(self.offset)))
        for start in range(0, len(inputs), BLOCK_ROWS):
            rows = slice(start, start + BLOCK_ROWS)
            normalized = (inputs[rows] - self.mean) / self.deviation
            result[rows] = _kernel(normalized, self.centers) @ self.weights + self.offset
        return result

    def arrays(self, prefix: str) -> dict[str, Array]:
        """Return the arrays to store in a file, in single precision; their names begin with ``prefix``."""
        return {f"{prefix}_{one.name}": getattr(self, one.name).astype(np.float32) for one in fields(self)}

    @staticmethod
    def of_arrays(arrays: Mapping[str, Array], prefix: str) -> "KernelRegression":
        """Return the regression stored as :meth:`arrays` gives it; raise ``KeyError`` if an array is missing."""
        named = {one.name: arrays[f"{prefix}_{one.name}"].astype(float) for one in fields(KernelRegression)}
        return KernelRegression(**named)


def fit_kernel_regression(
    inputs: Array, outputs: Array, center_count: int, width: float, ridge: float, seed: int = 0
) -> KernelRegression:
    """Fit a ridge regression with Gaussian kernels to S samples.

    Args:
        inputs: (S, N) inputs.
        outputs: (S, D) outputs.
        center_count: number of samples drawn as centers, at most S.
        width: standard deviation of a kernel, relative to the standard deviation of distances between inputs.
        ridge: penalty of large weights, per sample.
        seed: seed with which the centers are drawn.
    """
    mean = inputs.mean(axis=0)
    deviation = (inputs.std(axis=0) + 1e-3) * width * np.sqrt(inputs.shape[1])
    normalized = (inputs - mean) / deviation
    chosen = np.random.default_rng(seed).permutation(len(inputs))[:center_count]
    centers = normalized[np.sort(chosen)]
    offset = outputs.mean(axis=0)
    design, prior = _kernel(normalized, centers), _kernel(centers, centers)
    matrix = design.T @ design + ridge * len(inputs) * prior
    matrix[np.diag_indices_from(matrix)] += JITTER * np.trace(matrix) / len(matrix)
    weights = np.linalg.solve(matrix, design.T @ (outputs - offset))
    return KernelRegression(mean, deviation, centers, weights, offset)


def _kernel(a: Array, b: Array) -> Array:
    """Return the Gaussian kernels (A, B) between each row of ``a`` (A, N) and each of ``b`` (B, N)."""
    squares = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2.0 * a @ b.T
    return np.exp(-np.maximum(squares, 0.0))

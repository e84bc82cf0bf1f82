"""Gaussian processes on a subset of the data (PFNN section 8): a single process, or one per phase bin.

Length scales are usually found by maximum likelihood. That fails for a process that runs on its own predictions: the
previous pose nearly determines the next one, so that phase and commands would get no weight, and a roll-out would
drift. Therefore all input groups have equal weight, and only a common length scale and the noise are searched, to
minimize the error unrolled over held-out windows.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize
from torch import Tensor

from ...core.models.gaussian_process import (
    GaussianProcess,
    GaussianProcessArchitecture,
    append_cosine_sine,
    bin_weights,
)
from ...core.models.network import Float32
from ..config.reporting import ProgressCallback
from ..data.manifest import DatasetError
from .material import FittedController, FittingData, require_file_size

CANDIDATE_FRAMES: Final = 1 << 16
"""Number of randomly drawn frames from which the subsets are selected."""
SUBSET_ROUNDS: Final = 60
"""Number of rounds of the selection of a subset."""
MAX_TUNING_TRIALS: Final = 24
"""Largest number of evaluations in the search for length scale and noise."""
TUNING_SAMPLES: Final = 500
"""Number of samples of each process during the search for length scale and noise."""
INITIAL_LOG_PARAMETERS: Final = (-0.7, -2.0)
"""Decimal logarithms of inverse squared length scale and noise, used unchanged without held-out clips.

They were found for 15 minutes of walks and runs.
"""
INITIAL_SIMPLEX_STEPS: Final = ((0.6, 0.0), (0.0, 0.8))
LOG_PARAMETER_BOUNDS: Final = ((-2.0, 1.0), (-3.5, -0.5))


@dataclass(frozen=True, eq=False)
class _Subset:
    """The samples of one process: unscaled inputs (M, d), outputs (M, m), and mean (m) of its bin's outputs."""

    inputs: Float32
    outputs: Float32
    mean: Float32


def fit_gaussian_processes(
    architecture: GaussianProcessArchitecture, data: FittingData, progress: ProgressCallback
) -> FittedController:
    """Fit one process per phase bin to the requested number of samples, or to all available ones.

    Args:
        architecture: requested number of samples and bins.
        data: the samples.
        progress: called with finished parts, total parts and the name of the part.

    Raises:
        DatasetError: the clips have no frame in some bin of the phase.
    """
    parts = architecture.bins
    total, settings = 2 * parts + MAX_TUNING_TRIALS, data.settings
    x, y, phase = _draw_candidates(architecture, data)
    scales = group_scales(architecture, data, x)
    rng = np.random.default_rng(settings.seed)
    near = bin_weights(phase, parts) > 0 if parts > 1 else np.ones((len(x), 1), dtype=bool)
    fewest = int(near.sum(axis=0).min())
    if fewest == 0:
        raise DatasetError(
            "The training clips do not have frames in all {parts} parts of the gait cycle: lower the setting 'bins'",
            parts=parts,
        )
    architecture = replace(architecture, points=min(architecture.points, fewest))
    require_file_size(architecture, data.task)
    subsets: list[_Subset] = []
    for part in range(parts):
        rows = np.flatnonzero(near[:, part])
        chosen = rows[select_spread_samples(x[rows] * scales, architecture.points, rng)]
        subsets.append(_Subset(x[chosen], y[chosen], y[rows].mean(axis=0)))
        progress(part + 1, total, f"{architecture.points} samples chosen")
    del x, y
    length, noise = _tune_hyperparameters(architecture, data, scales, subsets, progress)
    done = parts + MAX_TUNING_TRIALS
    tensors = _build_tensors(
        subsets, scales, length, noise, lambda part: progress(done + part, total, f"process {part} of {parts}")
    )
    note = f"{parts} x {architecture.points} samples, length {10 ** (-length / 2):.3g}, noise {10**noise:.2g}"
    return FittedController(architecture, tensors, note)


def group_scales(architecture: GaussianProcessArchitecture, data: FittingData, x: Float32) -> Float32:
    """Return the inverse length scales (d) of the inputs that give equal weight to every group that varies.

    The expected squared distance of two scaled samples is 2.

    Args:
        architecture: architecture that says if the phase is an input.
        data: data with the layout of x.
        x: (N, d) inputs of the candidate samples.
    """
    groups = list(data.task.inputs.slices.values())
    if architecture.phase_input:
        groups.append(slice(groups[-1].stop, groups[-1].stop + 2))
    spreads = [float(x[:, group].var(axis=0, dtype=np.float64).sum()) for group in groups]
    varied = sum(spread > 1e-9 for spread in spreads)
    scales = np.zeros(x.shape[1], dtype=np.float32)
    for group, own in zip(groups, spreads, strict=True):
        scales[group] = (varied * own) ** -0.5 if own > 1e-9 else 0.0
    return scales


def select_spread_samples(x: Float32, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return the indices (count) of samples spread over the data, more densely where the data is dense.

    k-means||, Bahmani et al. 2012: in each round some samples are drawn with probabilities proportional to their
    squared distances from those drawn before. With 3000 samples selected this way, a process has a lower held-out loss
    than with 3000 drawn evenly or with the farthest ones.

    Args:
        x: (N, d) scaled inputs.
        count: number of samples.
        rng: random generator.
    """
    points = torch.from_numpy(np.ascontiguousarray(x))
    chosen = [int(rng.integers(len(x)))]
    apart = _squared_distances(points, points[chosen])[:, 0]
    while len(chosen) < count:
        apart[chosen] = 0
        chances = apart.double().numpy()
        wanted = min(math.ceil(count / SUBSET_ROUNDS), count - len(chosen), int(np.count_nonzero(chances)))
        if wanted == 0:  # The others are duplicates.
            others = np.setdiff1d(np.arange(len(x)), chosen)
            return np.array([*chosen, *others[: count - len(chosen)]])
        new = rng.choice(len(x), wanted, replace=False, p=chances / chances.sum())
        chosen += new.tolist()
        apart = torch.minimum(apart, _squared_distances(points, points[new]).amin(dim=1))
    return np.array(chosen)


def solve_weights(inputs: Float32, outputs: Float32, noise: float) -> Float32:
    """Return (C + noise)^-1 Y (M, m) by Cholesky factorization (Rasmussen and Williams 2006, algorithm 2.1).

    Args:
        inputs: (M, d) scaled inputs; C are their covariances.
        outputs: (M, m) outputs Y minus their mean.
        noise: noise variance relative to the signal variance.
    """
    points = torch.from_numpy(inputs).double()
    covariance = _squared_distances(points, points).mul_(-0.5).exp_()
    covariance.diagonal().add_(noise)
    factor = torch.linalg.cholesky(covariance, out=covariance)
    return torch.cholesky_solve(torch.from_numpy(outputs).double(), factor).float().numpy()


def _squared_distances(points: Tensor, others: Tensor) -> Tensor:
    """Return squared distances (N, M) between points (N, d) and others (M, d)."""
    products = points @ others.T
    return products.mul_(-2).add_(points.square().sum(1)[:, None]).add_(others.square().sum(1)).clamp_(min=0)


def _draw_candidates(
    architecture: GaussianProcessArchitecture, data: FittingData
) -> tuple[Float32, Float32, NDArray[np.float64]]:
    """Draw random frames; return their inputs (N, d), outputs (N, m) and phases (N)."""
    starts = data.training.window_starts(1).numpy()
    wanted = min(len(starts), max(CANDIDATE_FRAMES, architecture.points))
    drawn = np.sort(np.random.default_rng(data.settings.seed).permutation(starts)[:wanted])
    windows = data.training.windows(torch.from_numpy(drawn), 1)
    x, y, phase = (values[:, 0].numpy() for values in (windows.x, windows.y, windows.phase))
    return (append_cosine_sine(x, phase) if architecture.phase_input else x), y, phase.astype(float)


def _tune_hyperparameters(
    architecture: GaussianProcessArchitecture,
    data: FittingData,
    scales: Float32,
    subsets: Sequence[_Subset],
    progress: ProgressCallback,
) -> tuple[float, float]:
    """Return log10 of the inverse squared length scale and of the noise, tuned for the lowest held-out loss.

    Search by Nelder and Mead 1965.
    """
    settings = data.settings
    steps = max(settings.unroll_steps, 1)
    small = [_Subset(one.inputs[:TUNING_SAMPLES], one.outputs[:TUNING_SAMPLES], one.mean) for one in subsets]
    deadline = time.monotonic() + (60 * settings.time_limit or math.inf)
    losses: list[float] = []

    def loss(values: NDArray[np.float64]) -> float:
        if time.monotonic() > deadline:
            return math.inf
        tensors = _build_tensors(small, scales, float(values[0]), float(values[1]))
        network = GaussianProcess(**tensors, phase_input=architecture.phase_input)
        found = data.validation_loss(network, steps)
        losses.append(found if found is not None and math.isfinite(found) else math.inf)
        done = len(subsets) + min(len(losses), MAX_TUNING_TRIALS)
        progress(done, 2 * len(subsets) + MAX_TUNING_TRIALS, f"length and noise, best loss {min(losses):.4f}")
        return losses[-1]

    if len(data.validation.window_starts(steps)) == 0:
        return INITIAL_LOG_PARAMETERS
    simplex = np.array(
        [INITIAL_LOG_PARAMETERS, *(np.add(INITIAL_LOG_PARAMETERS, step) for step in INITIAL_SIMPLEX_STEPS)]
    )
    result = minimize(
        loss,
        INITIAL_LOG_PARAMETERS,
        method="Nelder-Mead",
        bounds=LOG_PARAMETER_BOUNDS,
        options={"maxfev": MAX_TUNING_TRIALS, "initial_simplex": simplex},
    )
    return float(result.x[0]), float(result.x[1])


def _build_tensors(
    subsets: Sequence[_Subset],
    scales: Float32,
    length: float,
    noise: float,
    part_done: Callable[[int], None] = lambda part: None,
) -> dict[str, Float32]:
    """Return the processes as tensors, see :class:`GaussianProcess`.

    Args:
        subsets: the samples of each process.
        scales: (d) inverse length scales of the inputs.
        length: decimal logarithm of the inverse squared length scale.
        noise: decimal logarithm of the noise.
        part_done: called after each process.
    """
    scales = scales * np.float32(10 ** (0.5 * length))
    inputs, alpha = [subset.inputs * scales for subset in subsets], []
    for part, (own, subset) in enumerate(zip(inputs, subsets, strict=True), start=1):
        alpha.append(solve_weights(own, subset.outputs - subset.mean, 10**noise))
        part_done(part)
    means = np.stack([subset.mean for subset in subsets])
    return {"scales": scales, "inputs": np.stack(inputs), "alpha": np.stack(alpha), "mean": means}

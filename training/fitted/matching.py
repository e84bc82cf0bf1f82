"""The motion matching database: whole sequences of the training split, with a query for each frame."""

from dataclasses import replace
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from ...core.models.matching import QUERY_AXIS_COUNT, MatchingArchitecture, query_columns
from ...core.models.network import Float32
from ..config.reporting import ProgressCallback
from ..data.manifest import DatasetError
from ..data.samples import SplitSamples
from .material import FittedController, FittingData, require_file_size

QUERY_WEIGHTS: Final = {
    "trajectory.position": 2.5,
    "trajectory.direction": 1.0,
    "trajectory.gait": 0.7,
    "terrain.height": 1.0,
    "feet.position": 0.5,
    "feet.velocity": 0.75,
    "hips.velocity": 1.0,
    "target.position": 3.0,
    "strike.effector": 10.0,
    "strike.weapon": 10.0,
    "strike.command": 6.0,
    "pose.position": 2.0,
}
"""Weights of the parts of a query, which are in units of their own deviation.

The trajectory has more weight than the feet, as in Clavet's *responsiveness*: with equal weights, characters kept their
stride and strayed three times as far from the path.
"""

GROUND_SEAM_M: Final = 1e-3
"""Change of the ground's reference height above which one ground patch ends and another begins."""


def fit_matching(architecture: MatchingArchitecture, data: FittingData, progress: ProgressCallback) -> FittedController:
    """Build a matching database with the requested number of frames, or all available ones (Clavet 2016).

    Args:
        architecture: motion matching settings with the requested number of frames.
        data: the samples.
        progress: called with finished sequences, total sequences and a name.

    Raises:
        DatasetError: every sequence of consecutive frames is longer than the request.
    """
    samples, columns = data.training, query_columns(data.task)
    sequences = choose_sequences(samples.sequences.numpy(), architecture.points, data.settings.seed)
    if len(sequences) == 0:
        raise DatasetError(
            "No training clip has between 2 and {points} consecutive frames: raise the setting 'points'",
            points=architecture.points,
        )
    count = int(np.diff(sequences).sum())
    architecture = replace(architecture, points=count)
    require_file_size(architecture, data.task)
    numbers = np.concatenate(list(columns.values()))
    tensors = {name: np.empty(shape, np.float32) for name, shape in architecture.shapes(data.task).items()}
    queries = np.empty((count, len(numbers)), dtype=np.float32)
    at = 0
    for done, (start, stop) in enumerate(sequences, start=1):
        rows = slice(at, at + stop - start)
        queries[rows], tensors["y"][rows], tensors["phase"][rows], tensors["left"][rows] = _sequence_frames(
            samples, int(start), int(stop), numbers
        )
        at = rows.stop
        if done % 64 == 0 or done == len(sequences):
            progress(done, len(sequences), f"{at} frames")
    tensors["axes"] = principal_query_axes(queries, [(QUERY_WEIGHTS[name], len(own)) for name, own in columns.items()])
    np.matmul(queries, tensors["axes"], out=tensors["features"])
    unit = data.dataset.output_layout.view(data.dataset.normalization.y_std, "phase.rate")
    tensors["phase_unit"] = np.asarray(unit[0], dtype=np.float32)
    return FittedController(architecture, tensors, f"{count} frames of {len(sequences)} sequences")


def choose_sequences(sequences: NDArray[np.integer], max_frames: int, seed: int) -> NDArray[np.integer]:
    """Return a random choice (R, 2) of sequences (S, 2) with at most ``max_frames`` frames in total.

    The choice is random, so that no variant of the clips (side, speed) is preferred.

    Args:
        sequences: (S, 2) first frame, and frame after the last, of each sequence.
        max_frames: largest total number of frames.
        seed: seed of the choice.
    """
    lengths = np.diff(sequences)[:, 0]
    chosen = np.zeros(len(sequences), dtype=bool)
    frames_left = max_frames
    for one in np.random.default_rng(seed).permutation(len(sequences)):
        if 2 <= lengths[one] <= frames_left:
            chosen[one] = True
            frames_left -= lengths[one]
    return sequences[chosen]


def _sequence_frames(
    samples: SplitSamples, start: int, stop: int, columns: NDArray[np.intp]
) -> tuple[Float32, Float32, Float32, Float32]:
    """Return a sequence's queries (T, f), outputs (T, m), phases (T), and the frames remaining after each frame (T)."""
    windows = samples.windows(torch.tensor([start]), stop - start)
    # Playback never crosses a seam between ground patches.
    ends = np.append(np.abs(windows.ground_step[0, :-1].numpy()) > GROUND_SEAM_M, True)
    last = np.flatnonzero(ends)
    frames = np.arange(stop - start)
    left = last[np.searchsorted(last, frames)] - frames
    x, y, phase = (values[0].numpy() for values in (windows.x, windows.y, windows.phase))
    return x[:, columns], y, phase, left.astype(np.float32)


def principal_query_axes(queries: Float32, parts: list[tuple[float, int]]) -> Float32:
    """Return the principal axes (f, a) of weighted queries (N, f), by principal component analysis.

    Args:
        queries: (N, f) weighted queries.
        parts: weight and number of columns of each part of a query.
    """
    covariance = np.cov(queries, rowvar=False, dtype=np.float64)
    scales, at = [], 0
    for weight, count in parts:
        deviation = np.trace(covariance[at : at + count, at : at + count]) ** 0.5
        # Constant parts get no weight.
        scales.append(np.full(count, weight / deviation if deviation > 1e-6 else 0.0))
        at += count
    scale = np.concatenate(scales)
    _, axes = np.linalg.eigh(scale[:, None] * covariance * scale)
    return (scale[:, None] * axes[:, ::-1][:, :QUERY_AXIS_COUNT]).astype(np.float32)

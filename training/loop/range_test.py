"""Search for batch size and learning rate: a trial of about a minute on the given data and device.

The batch size is the smallest at which the throughput is nearly the highest: a larger one processes no more samples per
second and takes fewer steps. The learning rate is then found by a range test (Smith 2017, "Cyclical learning rates for
training neural networks"): it is raised from step to step until the loss rises.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any, Final

import torch

from ..config.config import TrainingConfig
from ..config.reporting import ProgressCallback
from ..config.run_config import RunConfig
from ..config.seeds import NOISE_PURPOSE, seed_of
from ..data.dataset import Dataset
from ..data.manifest import DatasetError
from ..data.samples import SplitSamples, load_samples
from ..losses.stages import TrainingStage, stages_of
from .batches import BatchLoader
from .export import build_network
from .learner import Learner

BATCH_CANDIDATES: Final = tuple(2**power for power in range(5, 17))
MIN_STEPS_PER_EPOCH: Final = 16
"""Least number of steps per epoch, which limits the tested batch sizes."""
GOOD_SPEED_RATIO: Final = 0.85
"""Share of the highest throughput that a batch size must reach to be chosen."""
TRIAL_STEPS: Final = 8
"""Largest number of timed steps for a batch size."""
TRIAL_DURATION_S: Final = 3.0
"""Longest trial of a batch size."""
LEARNING_RATE_RANGE: Final = (1e-6, 1.0)
RANGE_TEST_STEPS: Final = 150
"""Number of steps of the learning rate's range test."""
LOSS_SMOOTHING_WEIGHT: Final = 0.9
"""Weight of the previous value in the exponential smoothing of the loss."""
DIVERGED_LOSS_RATIO: Final = 2.0
"""Ratio of the smoothed loss to its minimum at which the test ends."""
LOWEST_TO_SUGGESTED_RATE_RATIO: Final = 10.0
"""Ratio of the learning rate with the lowest loss to the suggested one."""


@dataclass(frozen=True, slots=True)
class BatchTrial:
    """A tested batch size, with its throughput."""

    batch: int
    samples_per_second: float
    milliseconds: float


@dataclass(frozen=True, slots=True)
class RateTrial:
    """A tested learning rate, with its smoothed loss."""

    learning_rate: float
    loss: float


@dataclass(frozen=True, slots=True)
class RangeTestResult:
    """All trials, with the suggested batch size and learning rate."""

    batch: int
    learning_rate: float
    batches: tuple[BatchTrial, ...]
    rates: tuple[RateTrial, ...]

    def to_json(self) -> dict[str, Any]:
        """Return trials and suggestions as plain data for JSON."""
        return asdict(self)


def run_range_test(
    dataset: Dataset, settings: TrainingConfig, device: torch.device, progress: ProgressCallback | None = None
) -> RangeTestResult:
    """Test batch sizes and learning rates for the first stage of a training.

    Args:
        dataset: the data set, with all inputs of the network.
        settings: settings of the training; their batch size and learning rate are ignored.
        device: the training device.
        progress: called with finished steps, total steps and a short text.

    Raises:
        DatasetError: there are no training samples.
    """
    progress = progress or (lambda done, total, text: None)
    stage = stages_of(settings)[0]
    samples = load_samples(dataset, "training", device, settings.memory_limit, longest_window=stage.window_frames)
    if len(stage.window_starts(samples)) == 0:
        raise DatasetError("The data set has no samples for training: add clips")
    batches = [
        size for size in BATCH_CANDIDATES if size * stage.window_frames * MIN_STEPS_PER_EPOCH <= len(samples)
    ] or [BATCH_CANDIDATES[0]]
    trials: list[BatchTrial] = []
    for number, size in enumerate(batches):
        progress(number, len(batches) + RANGE_TEST_STEPS, f"batch {size}")
        trial = _try_batch(dataset, settings, device, samples, replace(stage, batch=size))
        if trial is None:
            break
        trials.append(trial)
    if not trials:
        raise DatasetError(
            "The training device has too little memory for a batch of {size}: choose a smaller network", size=batches[0]
        )
    batch = choose_batch(trials)
    rates: list[RateTrial] = []
    for number, rate in enumerate(_try_rates(dataset, settings, device, samples, replace(stage, batch=batch))):
        progress(len(batches) + number, len(batches) + RANGE_TEST_STEPS, f"learning rate {rate.learning_rate:.1e}")
        rates.append(rate)
    progress(1, 1, "done")
    return RangeTestResult(batch, choose_learning_rate(rates), tuple(trials), tuple(rates))


def choose_batch(trials: Sequence[BatchTrial]) -> int:
    """Return the smallest batch size with at least 85 % of the highest throughput of all trials."""
    quickest = max(trial.samples_per_second for trial in trials)
    return next(trial.batch for trial in trials if trial.samples_per_second >= GOOD_SPEED_RATIO * quickest)


def choose_learning_rate(trials: Sequence[RateTrial]) -> float:
    """Return a tenth of the learning rate with the lowest loss, rounded to two digits."""
    lowest = min(trials, key=lambda trial: trial.loss)
    return float(f"{lowest.learning_rate / LOWEST_TO_SUGGESTED_RATE_RATIO:.1e}")


def _build_learner(dataset: Dataset, settings: TrainingConfig, device: torch.device, stage: TrainingStage) -> Learner:
    """Return a learner with a new network."""
    torch.manual_seed(settings.seed)
    config = RunConfig(replace(settings, compile="off"), dataset=dataset.path)
    network = build_network(dataset, config, stage.dropout)
    return Learner(network, stage, config.training, dataset, device)


def _try_batch(
    dataset: Dataset, settings: TrainingConfig, device: torch.device, samples: SplitSamples, stage: TrainingStage
) -> BatchTrial | None:
    """Measure the throughput of whole training steps; return ``None`` if the device has too little memory."""
    seconds: list[float] = []
    try:
        learner = _build_learner(dataset, settings, device, stage)
        with BatchLoader(samples, stage, 0, settings.seed) as batches:
            begun = time.monotonic()
            while (len(seconds) <= TRIAL_STEPS and time.monotonic() - begun < TRIAL_DURATION_S) or len(seconds) < 2:
                since = time.monotonic()
                learner.step(batches[len(seconds)].windows, stage.learning_rate, 0)
                if device.type == "cuda":
                    torch.cuda.synchronize(device)
                seconds.append(time.monotonic() - since)
    except torch.OutOfMemoryError:
        return None
    step = median(seconds[1:])  # the first one allocates
    return BatchTrial(stage.batch, round(stage.batch * stage.window_frames / step, 1), round(1000 * step, 2))


def _try_rates(
    dataset: Dataset, settings: TrainingConfig, device: torch.device, samples: SplitSamples, stage: TrainingStage
) -> Iterator[RateTrial]:
    """Train while the learning rate grows by a constant factor per step; yield each rate with its smoothed loss."""
    learner = _build_learner(dataset, settings, device, stage)
    smooth, lowest, growth = (
        0.0,
        math.inf,
        (LEARNING_RATE_RANGE[1] / LEARNING_RATE_RANGE[0]) ** (1 / (RANGE_TEST_STEPS - 1)),
    )
    with BatchLoader(samples, stage, 0, settings.seed) as batches:
        for step in range(RANGE_TEST_STEPS):
            rate = LEARNING_RATE_RANGE[0] * growth**step
            loss = learner.step(batches[step].windows, rate, seed_of(NOISE_PURPOSE, settings.seed, 0, step, 0)).item()
            smooth = LOSS_SMOOTHING_WEIGHT * smooth + (1 - LOSS_SMOOTHING_WEIGHT) * loss
            known = smooth / (1 - LOSS_SMOOTHING_WEIGHT ** (step + 1))
            if not math.isfinite(known) or known > DIVERGED_LOSS_RATIO * lowest:
                return
            lowest = min(lowest, known)
            yield RateTrial(rate, known)

"""Which batch and which learning rate to train with: both are tried for a minute, on the data and the device at hand.

The batch is the smallest at which the device is nearly as quick as it ever is: a larger one sees no more samples a
second and takes fewer steps. The learning rate is then found by a range test (Smith 2017, "Cyclical learning rates for
training neural networks"): it is raised from step to step until the loss goes up.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any, Final

import torch

from ..config.config import TrainingConfig
from ..config.run_config import RunConfig
from ..config.seeds import NOISE, seed_of
from ..data.dataset import Dataset, DatasetError
from ..data.samples import Samples, load_samples
from ..losses.stages import Stage, stages_of
from .batches import Batches
from .export import build_network
from .learner import Learner

BATCHES: Final = tuple(2**power for power in range(5, 17))
LEAST_STEPS: Final = 16
"""Steps that an epoch has at the largest batch that is tried."""
NEARLY: Final = 0.85
"""Share of the highest speed that is as good."""
TRIED_STEPS: Final = 8
TRIED_SECONDS: Final = 3.0
"""For how long a batch is tried, whichever is over first."""
RATES: Final = (1e-6, 1.0)
RATE_STEPS: Final = 150
SMOOTHING: Final = 0.9
"""How much of the smoothed loss is that of the step before."""
GONE: Final = 2.0
"""How many times the lowest loss ends the test."""
SAFETY: Final = 10.0
"""How far the suggestion stays under the rate at which the loss was lowest."""

Tell = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class BatchTrial:
    """How quick a batch is."""

    batch: int
    samples_per_second: float
    milliseconds: float


@dataclass(frozen=True, slots=True)
class RateTrial:
    """The smoothed loss at a learning rate."""

    learning_rate: float
    loss: float


@dataclass(frozen=True, slots=True)
class Found:
    """What was tried, and what is suggested."""

    batch: int
    learning_rate: float
    batches: tuple[BatchTrial, ...]
    rates: tuple[RateTrial, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def find(dataset: Dataset, settings: TrainingConfig, device: torch.device, tell: Tell | None = None) -> Found:
    """Tries batches and learning rates for the first stage of a training.

    Args:
        settings: all others; their batch and learning rate do not count.
        tell: called with what is done, what there is to do, and a word about it.

    Raises:
        DatasetError: there is nothing to train on.
    """
    tell = tell or (lambda done, total, text: None)
    stage = stages_of(settings)[0]
    samples = load_samples(dataset, "training", device, settings.memory_limit, longest=stage.length)
    if len(stage.starts(samples)) == 0:
        raise DatasetError("There is nothing to train on in this data set: add clips.")
    batches = [size for size in BATCHES if size * stage.length * LEAST_STEPS <= len(samples)] or [BATCHES[0]]
    trials: list[BatchTrial] = []
    for number, size in enumerate(batches):
        tell(number, len(batches) + RATE_STEPS, f"batch {size}")
        trial = _try_batch(dataset, settings, device, samples, replace(stage, batch=size))
        if trial is None:
            break
        trials.append(trial)
    if not trials:
        raise DatasetError(f"The device has too little memory for a batch of {batches[0]}: choose a smaller network.")
    batch = best_batch(trials)
    rates: list[RateTrial] = []
    for number, rate in enumerate(_try_rates(dataset, settings, device, samples, replace(stage, batch=batch))):
        tell(len(batches) + number, len(batches) + RATE_STEPS, f"learning rate {rate.learning_rate:.1e}")
        rates.append(rate)
    tell(1, 1, "done")
    return Found(batch, best_rate(rates), tuple(trials), tuple(rates))


def best_batch(trials: Sequence[BatchTrial]) -> int:
    """The smallest batch that is nearly as quick as the quickest."""
    quickest = max(trial.samples_per_second for trial in trials)
    return next(trial.batch for trial in trials if trial.samples_per_second >= NEARLY * quickest)


def best_rate(trials: Sequence[RateTrial]) -> float:
    """A tenth of the learning rate at which the loss was lowest, to two digits."""
    lowest = min(trials, key=lambda trial: trial.loss)
    return float(f"{lowest.learning_rate / SAFETY:.1e}")


def _learner(dataset: Dataset, settings: TrainingConfig, device: torch.device, stage: Stage) -> Learner:
    torch.manual_seed(settings.seed)
    config = RunConfig(replace(settings, compile="off"), dataset=dataset.path)
    network = build_network(dataset, config, stage.dropout)
    return Learner(network, stage, config.training, dataset, device)


def _try_batch(
    dataset: Dataset, settings: TrainingConfig, device: torch.device, samples: Samples, stage: Stage
) -> BatchTrial | None:
    """The speed of whole steps; ``None`` where they do not fit into the device's memory."""
    seconds: list[float] = []
    try:
        learner = _learner(dataset, settings, device, stage)
        with Batches(samples, stage, 0, settings.seed) as batches:
            begun = time.monotonic()
            while (len(seconds) <= TRIED_STEPS and time.monotonic() - begun < TRIED_SECONDS) or len(seconds) < 2:
                since = time.monotonic()
                learner.step(batches[len(seconds)].windows, stage.learning_rate, 0)
                if device.type == "cuda":
                    torch.cuda.synchronize(device)
                seconds.append(time.monotonic() - since)
    except torch.OutOfMemoryError:
        return None
    step = median(seconds[1:])  # the first one allocates
    return BatchTrial(stage.batch, round(stage.batch * stage.length / step, 1), round(1000 * step, 2))


def _try_rates(
    dataset: Dataset, settings: TrainingConfig, device: torch.device, samples: Samples, stage: Stage
) -> Iterator[RateTrial]:
    """The smoothed losses of a training whose learning rate grows by the same factor from step to step."""
    learner = _learner(dataset, settings, device, stage)
    smooth, lowest, growth = 0.0, math.inf, (RATES[1] / RATES[0]) ** (1 / (RATE_STEPS - 1))
    with Batches(samples, stage, 0, settings.seed) as batches:
        for step in range(RATE_STEPS):
            rate = RATES[0] * growth**step
            loss = learner.step(batches[step].windows, rate, seed_of(NOISE, settings.seed, 0, step, 0)).item()
            smooth = SMOOTHING * smooth + (1 - SMOOTHING) * loss
            known = smooth / (1 - SMOOTHING ** (step + 1))
            if not math.isfinite(known) or known > GONE * lowest:
                return
            lowest = min(lowest, known)
            yield RateTrial(rate, known)

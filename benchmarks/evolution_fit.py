"""The paper's own fit of sinusoids, an evolutionary strategy (Starke et al. 2020, section 5.2).

A swarm of parameters is drawn within their bounds for every frame. Each generation keeps the best, improves some of
them with BFGS, and replaces the others by recombined, randomly offset ones attracted to the best. The algorithm treats
every frame independently; populations of many frames are computed together.
"""

from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..core.labelling.phase.sinusoid_fit import MAX_FREQUENCY_HZ, MIN_FREQUENCY_HZ, FitWindows, Sinusoids
from ..core.motion.rotations import Array, wrap_angle

FrameIndices = NDArray[np.intp]

POPULATION_SIZE: Final = 50
ELITE_COUNT: Final = 5
GENERATION_COUNT: Final = 10
EXPLORATION_SHARE: Final = 0.2
"""Share of the new parameters that are random instead of recombined."""
EXPLOITATION_SHARE: Final = 0.1
"""Share of elites that descend in a generation."""
DESCENT_STEPS: Final = 10
"""Steps of BFGS in one generation."""
MUTATION_SIGMA_SHARE: Final = 0.1
"""Standard deviation of the random offsets, as a share of the parameters' bounds."""
BLOCK_FRAMES: Final = 64
"""Frames computed at once."""


def evolve_sinusoids(
    windows: FitWindows, generator: np.random.Generator, generations: int = GENERATION_COUNT
) -> Sinusoids:
    """Return the sinusoids of small loss within the bounds, and between 0.25 and 4 Hz.

    Population 50, elites 5, 10 generations, exploration 0.2, exploitation 0.1 with 10 steps of L-BFGS-B. Frames with
    windows of zeros throughout have amplitude 0 and the slowest frequency.
    """
    shape = windows.signal.shape
    best = np.zeros((5, windows.signal.size))
    best[1] = MIN_FREQUENCY_HZ
    some = np.flatnonzero((windows.lowest != 0) | (windows.highest != 0))
    for start in range(0, len(some), BLOCK_FRAMES):
        chosen = some[start : start + BLOCK_FRAMES]
        lines, frames = np.divmod(chosen, shape[1])
        best[:, chosen] = _Swarm(windows, lines, frames, generator).evolve(generations)
    amplitude, frequency, angle, offset, rmse = best.reshape(5, *shape)
    return Sinusoids(amplitude, frequency, np.angle(np.exp(1j * angle)), offset, rmse)


class _Swarm:
    """Populations (B, P, 4) of some frames, each amplitude, frequency, angle and offset, the fittest first."""

    def __init__(
        self, windows: FitWindows, rows: FrameIndices, frames: FrameIndices, generator: np.random.Generator
    ) -> None:
        self.generator = generator
        reach, frame_count = windows.half_width[rows, frames], windows.signal.shape[1]
        widest = int(np.ceil(reach.max() - 0.5))
        away = np.arange(-widest, widest + 1)
        weight = np.clip(reach[:, None] + 0.5 - np.abs(away), 0.0, 1.0)
        at = np.clip(frames[:, None] + away, 0, frame_count - 1)
        self.weights = weight / weight.sum(axis=1, keepdims=True)
        self.samples, self.angular_times = windows.signal[rows[:, None], at], 2 * np.pi * away / windows.rate
        lowest, highest = windows.lowest[rows, frames], windows.highest[rows, frames]
        same = np.ones_like(lowest)
        self.low = np.stack([0 * same, MIN_FREQUENCY_HZ * same, -np.pi * same, lowest], axis=-1)
        self.high = np.stack([highest - lowest, MAX_FREQUENCY_HZ * same, np.pi * same, highest], axis=-1)
        self.range = (self.high - self.low)[:, None]
        self.population = self._sample(POPULATION_SIZE)
        self.losses = self._loss(self.population)
        self._sort()

    def evolve(self, generations: int) -> Array:
        """Return the best parameters and their losses (5, B) after some generations."""
        for _ in range(generations):
            self._exploit()
            new = self._recombine()
            self.population[:, ELITE_COUNT:], self.losses[:, ELITE_COUNT:] = new, self._loss(new)
            self._sort()
        return np.concatenate([self.population[:, 0], self.losses[:, :1]], axis=1).T

    def _sample(self, count: int) -> Array:
        """Return random parameters (B, count, 4) between the bounds."""
        return self.low[:, None] + self.generator.random((len(self.low), count, 4)) * self.range

    def _loss(self, population: Array) -> Array:
        """Return the losses (B, P) of equation 4."""
        amplitude, frequency, angle, offset = (population[..., gene, None] for gene in range(4))
        error = amplitude * np.sin(frequency * self.angular_times + angle) + offset - self.samples[:, None]
        return np.sqrt(np.einsum("bpn,bpn,bn->bp", error, error, self.weights))

    def _sort(self) -> None:
        order = np.argsort(self.losses, axis=1)
        self.losses = np.take_along_axis(self.losses, order, axis=1)
        self.population = np.take_along_axis(self.population, order[..., None], axis=1)

    def _recombine(self) -> Array:
        """Return new parameters (B, P - elites, 4): recombined, mutated, and attracted to the best."""
        count, random = POPULATION_SIZE - ELITE_COUNT, self.generator.random
        frames = np.arange(len(self.population))[:, None]
        rank = np.arange(POPULATION_SIZE, 0, -1)
        chances = np.cumsum(rank) / rank.sum()
        one, other = (self.population[frames, np.searchsorted(chances, random((len(frames), count)))] for _ in range(2))
        child = one + random(one.shape) * (other - one)
        child += (
            MUTATION_SIGMA_SHARE * self.range * self.generator.standard_normal(one.shape) * (random(one.shape) < 0.25)
        )
        child += random(one.shape) * random((*one.shape[:2], 1)) * (self.population[:, :1] - child)
        child = np.where(random((*one.shape[:2], 1)) < EXPLORATION_SHARE, self._sample(count), child)
        child[..., 2] = wrap_angle(child[..., 2])
        return np.clip(child, self.low[:, None], self.high[:, None])

    def _exploit(self) -> None:
        """Improve some of the elites by gradient descent."""
        chosen = self.generator.random((len(self.population), ELITE_COUNT)) < EXPLOITATION_SHARE
        for frame, elite in zip(*np.nonzero(chosen), strict=True):
            bounds = np.stack([self.low[frame], self.high[frame]], axis=1)
            bounds[2] = -np.inf, np.inf
            data = (self.angular_times, self.samples[frame], self.weights[frame])
            start = self.population[frame, elite]
            options = {"maxiter": DESCENT_STEPS}
            end = scipy.optimize.minimize(
                _squared_loss, start, data, "L-BFGS-B", jac=True, bounds=bounds, options=options
            )
            if end.fun < self.losses[frame, elite] ** 2:
                self.population[frame, elite], self.losses[frame, elite] = end.x, np.sqrt(end.fun)


def _squared_loss(parameters: Array, angular_times: Array, samples: Array, weights: Array) -> tuple[float, Array]:
    """Return the squared loss of one sinusoid (4) and its gradient (4)."""
    amplitude, frequency, angle, offset = parameters
    at = frequency * angular_times + angle
    sine, cosine = np.sin(at), np.cos(at)
    error = amplitude * sine + offset - samples
    pull = weights * error
    slope = amplitude * cosine * pull
    return float(pull @ error), 2 * np.array([pull @ sine, slope @ angular_times, slope.sum(), pull.sum()])

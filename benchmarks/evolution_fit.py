"""The paper's own fit of sinusoids, an evolutionary strategy (Starke et al. 2020, section 5.2).

A swarm of parameters is drawn within their bounds for every frame. Each generation keeps the best, lets some of them
descend with BFGS, and replaces the others by recombined, randomly offset ones that are drawn towards the best. The
algorithm is that of every frame on its own; populations of many frames are computed together.
"""

from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..core.labelling.phase.sinusoid_fit import FASTEST, SLOWEST, Sinusoids, Windows
from ..core.motion.rotations import Array

Frames = NDArray[np.intp]

POPULATION: Final = 50
ELITES: Final = 5
GENERATIONS: Final = 10
EXPLORATION: Final = 0.2
"""The share of the new that is drawn anew instead of recombined."""
EXPLOITATION: Final = 0.1
"""The share of elites that descend in a generation."""
DESCENT: Final = 10
"""BFGS's steps in one generation."""
OFFSET: Final = 0.1
"""Standard deviation of the random offsets, as a share of the parameters' bounds."""
BLOCK: Final = 64
"""Frames computed at a time."""


def evolve_sinusoids(windows: Windows, generator: np.random.Generator, generations: int = GENERATIONS) -> Sinusoids:
    """The sinusoids of small loss within the bounds, and between 0.25 and 4 Hz.

    Population 50, elites 5, 10 generations, exploration 0.2, exploitation 0.1 with 10 steps of L-BFGS-B. Frames whose
    windows are zero throughout have amplitude 0 and the slowest frequency.
    """
    shape = windows.signal.shape
    best = np.zeros((5, windows.signal.size))
    best[1] = SLOWEST
    some = np.flatnonzero((windows.lowest != 0) | (windows.highest != 0))
    for start in range(0, len(some), BLOCK):
        chosen = some[start : start + BLOCK]
        lines, frames = np.divmod(chosen, shape[1])
        best[:, chosen] = _Swarm(windows, lines, frames, generator).evolved(generations)
    amplitude, frequency, angle, offset, rmse = best.reshape(5, *shape)
    return Sinusoids(amplitude, frequency, np.angle(np.exp(1j * angle)), offset, rmse)


class _Swarm:
    """Populations (B, P, 4) of some frames, each amplitude, frequency, angle and offset; the fittest come first."""

    def __init__(self, windows: Windows, lines: Frames, frames: Frames, generator: np.random.Generator) -> None:
        self.generator = generator
        reach, frame_count = windows.reach[lines, frames], windows.signal.shape[1]
        widest = int(np.ceil(reach.max() - 0.5))
        away = np.arange(-widest, widest + 1)
        weight = np.clip(reach[:, None] + 0.5 - np.abs(away), 0.0, 1.0)
        at = np.clip(frames[:, None] + away, 0, frame_count - 1)
        self.share = weight / weight.sum(axis=1, keepdims=True)
        self.samples, self.turns = windows.signal[lines[:, None], at], 2 * np.pi * away / windows.rate
        lowest, highest = windows.lowest[lines, frames], windows.highest[lines, frames]
        same = np.ones_like(lowest)
        self.low = np.stack([0 * same, SLOWEST * same, -np.pi * same, lowest], axis=-1)
        self.high = np.stack([highest - lowest, FASTEST * same, np.pi * same, highest], axis=-1)
        self.range = (self.high - self.low)[:, None]
        self.swarm = self._drawn(POPULATION)
        self.losses = self._loss(self.swarm)
        self._sort()

    def evolved(self, generations: int) -> Array:
        """The best parameters and their losses (5, B) after some generations."""
        for _ in range(generations):
            self._exploit()
            new = self._children()
            self.swarm[:, ELITES:], self.losses[:, ELITES:] = new, self._loss(new)
            self._sort()
        return np.concatenate([self.swarm[:, 0], self.losses[:, :1]], axis=1).T

    def _drawn(self, count: int) -> Array:
        """Random parameters (B, count, 4) between the bounds."""
        return self.low[:, None] + self.generator.random((len(self.low), count, 4)) * self.range

    def _loss(self, swarm: Array) -> Array:
        """Losses (B, P) of equation 4."""
        amplitude, frequency, angle, offset = (swarm[..., gene, None] for gene in range(4))
        error = amplitude * np.sin(frequency * self.turns + angle) + offset - self.samples[:, None]
        return np.sqrt(np.einsum("bpn,bpn,bn->bp", error, error, self.share))

    def _sort(self) -> None:
        order = np.argsort(self.losses, axis=1)
        self.losses = np.take_along_axis(self.losses, order, axis=1)
        self.swarm = np.take_along_axis(self.swarm, order[..., None], axis=1)

    def _children(self) -> Array:
        """New parameters (B, P - elites, 4): recombined of the fitter, offset, and drawn towards the best."""
        count, random = POPULATION - ELITES, self.generator.random
        frames = np.arange(len(self.swarm))[:, None]
        rank = np.arange(POPULATION, 0, -1)
        chances = np.cumsum(rank) / rank.sum()
        one, other = (self.swarm[frames, np.searchsorted(chances, random((len(frames), count)))] for _ in range(2))
        child = one + random(one.shape) * (other - one)
        child += OFFSET * self.range * self.generator.standard_normal(one.shape) * (random(one.shape) < 0.25)
        child += random(one.shape) * random((*one.shape[:2], 1)) * (self.swarm[:, :1] - child)
        child = np.where(random((*one.shape[:2], 1)) < EXPLORATION, self._drawn(count), child)
        child[..., 2] = (child[..., 2] + np.pi) % (2 * np.pi) - np.pi
        return np.clip(child, self.low[:, None], self.high[:, None])

    def _exploit(self) -> None:
        """Lets some of the elites descend."""
        chosen = self.generator.random((len(self.swarm), ELITES)) < EXPLOITATION
        for frame, elite in zip(*np.nonzero(chosen), strict=True):
            bounds = np.stack([self.low[frame], self.high[frame]], axis=1)
            bounds[2] = -np.inf, np.inf
            data = (self.turns, self.samples[frame], self.share[frame])
            start = self.swarm[frame, elite]
            options = {"maxiter": DESCENT}
            end = scipy.optimize.minimize(_squares, start, data, "L-BFGS-B", jac=True, bounds=bounds, options=options)
            if end.fun < self.losses[frame, elite] ** 2:
                self.swarm[frame, elite], self.losses[frame, elite] = end.x, np.sqrt(end.fun)


def _squares(parameters: Array, turns: Array, samples: Array, share: Array) -> tuple[float, Array]:
    """The squared loss of one sinusoid (4) and its gradient (4)."""
    amplitude, frequency, angle, offset = parameters
    at = frequency * turns + angle
    sine, cosine = np.sin(at), np.cos(at)
    error = amplitude * sine + offset - samples
    pull = share * error
    slope = amplitude * cosine * pull
    return float(pull @ error), 2 * np.array([pull @ sine, slope @ turns, slope.sum(), pull.sum()])

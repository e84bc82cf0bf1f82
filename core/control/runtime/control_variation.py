"""Variation of control series at run time: noise in a generative control model (Starke et al. 2020, section 6).

The noise changes slowly from one random value to the next, so that a trajectory wanders without jitter. It depends only
on the seed and the frame: a roll-out can continue from any frame, and the order of characters in a crowd does not
matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...features.control_series import SAMPLE_COUNT, ControlSeries, pack_series, unpack_series
from ...features.locomotion import FUTURE_OFFSETS_FRAMES
from ...models.control_generator import ControlGenerator
from ...models.controller_model import ControllerModel
from ...motion.root_frame import out_of_frame
from ...motion.rotations import Array
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class ControlVariationTuning(Tuning):
    noise_interval: float = tuned(0.8, "s", 0.1, 10.0)
    """Time between random values of the noise; shorter than a walking cycle."""
    shift_limit: float = tuned(0.3, "1", 0.0, 2.0)
    """Limit of a future position's deviation, as a share of its distance ahead; beyond it, bodies sink into a crouch.
    """
    direction_limit: float = tuned(0.05, "1", 0.0, 0.5)
    """Limit of the length of a direction vector's deviation, about 3 degrees; beyond it, bodies crouch, too."""


TUNING: Final = ControlVariationTuning()

PAST_COUNT: Final = SAMPLE_COUNT - len(FUTURE_OFFSETS_FRAMES)
"""Number of samples of a control series up to the current frame."""


@dataclass(frozen=True, slots=True)
class ControlVariation:
    """The requested random variation of one character's control series.

    Attributes:
        generator: the generative control model.
        amount: strength of the variation, from 0 for none to 1.
        seed: seed of the noise.
    """

    generator: ControlGenerator
    amount: float
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class ControlDeviation:
    """Deviations to add to the control of B characters at the S future samples.

    Attributes:
        positions: (B, S, 2) deviations of positions, meters, world.
        directions: (B, S, 2) deviations of directions, world; the varied directions need not have unit length.
        gaits: (B, S, G) deviations of the weights of G gaits; each sample's deviations sum to 0.
    """

    positions: Array
    directions: Array
    gaits: Array


class BatchVariation:
    """The variations of a batch of characters of one controller.

    Args:
        model: the controller.
        variations: (B) variation of each character; ``None`` for none.
    """

    def __init__(self, model: ControllerModel, variations: Sequence[ControlVariation | None]) -> None:
        self._model, self._variations = model, list(variations)
        self._groups = self._rows_by_generator()

    def select(self, rows: NDArray[np.intp]) -> "BatchVariation":
        """Return the variations of the characters in the given rows."""
        return BatchVariation(self._model, [self._variations[row] for row in rows])

    def deviation(self, series: ControlSeries, yaws: Array, frame: int) -> ControlDeviation:
        """Return the deviations of the control; they are zero for characters that stand or have no variation.

        Args:
            series: control series of the characters, with the controller's gaits as actions.
            yaws: (B) yaws of the roots, radians.
            frame: frame of the roll-out.
        """
        count, samples, gait_count = series.actions.shape
        ahead = samples - PAST_COUNT
        result = ControlDeviation(
            np.zeros((count, ahead, 2)), np.zeros((count, ahead, 2)), np.zeros((count, ahead, gait_count))
        )
        for generator, rows in self._groups:
            own = ControlSeries(series.positions[rows], series.directions[rows], series.actions[rows])
            changes = self._changes(generator, own, rows, frame)
            moving = self._moving_shares(own)[..., None]
            turned = yaws[rows, None]
            limits = TUNING.shift_limit * _distances_ahead(own.positions[:, PAST_COUNT:])
            result.positions[rows] = out_of_frame(soften(changes.positions * moving, limits), turned)
            result.directions[rows] = out_of_frame(soften(changes.directions * moving, TUNING.direction_limit), turned)
            result.gaits[rows] = self._gait_changes(generator, own.actions[:, PAST_COUNT:], changes.actions * moving)
        return result

    def _changes(
        self, generator: ControlGenerator, series: ControlSeries, rows: NDArray[np.intp], frame: int
    ) -> ControlSeries:
        """Return how a generator changes the control series of the characters at some rows, at the S samples ahead.

        A generator has the samples of PFNN. A controller's additional sample, one second ahead, changes like the one
        before it.
        """
        shared = ControlSeries(
            series.positions[:, :SAMPLE_COUNT],
            series.directions[:, :SAMPLE_COUNT],
            self._known_actions(generator, series.actions[:, :SAMPLE_COUNT]),
        )
        varied = self._vary(generator, shared, rows, frame)
        more = series.positions.shape[1] - SAMPLE_COUNT

        def change(after: Array, before: Array) -> Array:
            return np.pad((after - before)[:, PAST_COUNT:], ((0, 0), (0, more), (0, 0)), mode="edge")

        return ControlSeries(
            change(varied.positions, shared.positions),
            change(varied.directions, shared.directions),
            change(varied.actions, shared.actions),
        )

    def _vary(
        self, generator: ControlGenerator, series: ControlSeries, rows: NDArray[np.intp], frame: int
    ) -> ControlSeries:
        """Return the varied control series of the characters at some rows; both series have the generator's actions."""
        leg_length, chosen = self._model.skeleton.leg_length, [self._variations[row] for row in rows]
        time = frame / self._model.rate
        noise = np.stack([slow_noise(one.seed, time, generator.noise_size) for one in chosen if one is not None])
        amounts = np.array([one.amount for one in chosen if one is not None], dtype=np.float32)
        x = generator.vary(pack_series(series, generator.actions, leg_length), noise.astype(np.float32), amounts)
        return unpack_series(x.astype(float), generator.actions, leg_length)

    def _known_actions(self, generator: ControlGenerator, gaits: Array) -> Array:
        """Return gait weights converted to a generator's actions (B, S, A).

        A style that it does not know counts as walking.
        """
        known = np.zeros((*gaits.shape[:-1], len(generator.actions)))
        for column, name in enumerate(self._model.gaits):
            own = name if name in generator.actions else "walk"
            if own in generator.actions:
                known[..., generator.actions.index(own)] += gaits[..., column]
        return known

    def _gait_changes(self, generator: ControlGenerator, gaits: Array, changes: Array) -> Array:
        """Return the changes (B, S, G) of the gait weights, which sum to 0; only gaits that are commanded change."""
        wanted = np.zeros_like(gaits)
        for column, name in enumerate(self._model.gaits):
            if name in generator.actions:
                wanted[..., column] = changes[..., generator.actions.index(name)]
        varied = np.where(gaits > 0, np.maximum(gaits + wanted, 0.0), 0.0)
        total, before = varied.sum(axis=-1, keepdims=True), gaits.sum(axis=-1, keepdims=True)
        return np.where(total > 0, varied * before / np.where(total > 0, total, 1.0) - gaits, 0.0)

    def _moving_shares(self, series: ControlSeries) -> Array:
        """Return the moving shares (B, S) at the future samples, multiplied by the current share."""
        moving = 1.0 - series.actions[..., self._model.gaits.index("stand")]
        return np.clip(moving[:, PAST_COUNT:] * moving[:, [PAST_COUNT - 1]], 0.0, 1.0)

    def _rows_by_generator(self) -> list[tuple[ControlGenerator, NDArray[np.intp]]]:
        """Return each generator with the rows of the characters that use it."""
        rows: dict[int, list[int]] = {}
        generators: dict[int, ControlGenerator] = {}
        for row, one in enumerate(self._variations):
            if one is not None and one.amount > 0:
                generators[id(one.generator)] = one.generator
                rows.setdefault(id(one.generator), []).append(row)
        return [(generators[key], np.array(found, dtype=np.intp)) for key, found in rows.items()]


def soften(vectors: Array, limits: ArrayLike) -> Array:
    """Return vectors (..., 2) shortened smoothly, so that lengths approach the limits (...) but never reach them."""
    limits = np.asarray(limits, dtype=float)[..., None]
    return vectors * (limits / np.maximum(limits + np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9))


def _distances_ahead(positions: Array) -> Array:
    """Return the distances (B, S), meters, of samples spread evenly up to the farthest of the positions (B, S, 2)."""
    farthest = np.linalg.norm(positions, axis=-1).max(axis=-1, keepdims=True)
    samples = positions.shape[1]
    return farthest * np.arange(1, samples + 1) / samples


def slow_noise(seed: int, time: float, size: int) -> Array:
    """Return random values (size) with a standard normal distribution that change smoothly over time.

    Args:
        seed: seed of the noise.
        time: time, seconds, 0 or more.
        size: number of independent values.
    """
    knot = int(time // TUNING.noise_interval)
    share = time / TUNING.noise_interval - knot
    angle = 0.5 * np.pi * share * share * (3.0 - 2.0 * share)
    return np.cos(angle) * _random_values(seed, knot, size) + np.sin(angle) * _random_values(seed, knot + 1, size)


@lru_cache(maxsize=4096)
def _random_values(seed: int, knot: int, size: int) -> Array:
    """Return the random values (size) of one point in time; they follow from the seed alone, so nothing is stored."""
    return np.random.default_rng([seed, knot]).standard_normal(size)

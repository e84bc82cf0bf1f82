"""Variation of control series at run time: noise in a generative control model (Starke et al. 2020, section 6).

The noise goes slowly from one random value to the next, so that a trajectory wanders and does not jitter. It depends on
the seed and the frame alone: a roll-out can be continued from any frame, and a crowd's order changes nothing.
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
    """Time from one random value of the noise to the next: less than a cycle of walking."""
    shift_limit: float = tuned(0.3, "1", 0.0, 2.0)
    """Limit of a position's deviation, relative to its distance ahead; farther off, a body falls into a crouch for
    good."""
    direction_limit: float = tuned(0.05, "1", 0.0, 0.5)
    """Limit of a direction's deviation, as a share of its unit length: some 3 degrees; more ends in a crouch, too."""


TUNING: Final = ControlVariationTuning()

PAST_COUNT: Final = SAMPLE_COUNT - len(FUTURE_OFFSETS_FRAMES)
"""Samples of a control series up to the current frame."""


@dataclass(frozen=True, slots=True)
class ControlVariation:
    """Variation of the control series of a character.

    Attributes:
        generator: the generative control model.
        amount: above 0, which is the control as it is, to 1.
        seed: of the noise.
    """

    generator: ControlGenerator
    amount: float
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class ControlDeviation:
    """Deviations added to the control of B characters at the S future samples of their controller.

    Attributes:
        positions: (B, S, 2) meters, world.
        directions: (B, S, 2), world; the sums need not be of unit length.
        gaits: (B, S, G) weights; each row sums to 0.
    """

    positions: Array
    directions: Array
    gaits: Array


class BatchVariation:
    """The variations of a batch of characters of one controller.

    Args:
        model: the controller.
        variations: of each character (B); ``None`` leaves its control as it is.
    """

    def __init__(self, model: ControllerModel, variations: Sequence[ControlVariation | None]) -> None:
        self._model, self._variations = model, list(variations)
        self._groups = self._rows_by_generator()

    def select(self, rows: NDArray[np.intp]) -> "BatchVariation":
        """Return the variations of some characters (rows)."""
        return BatchVariation(self._model, [self._variations[row] for row in rows])

    def deviation(self, series: ControlSeries, yaws: Array, frame: int) -> ControlDeviation:
        """Return deviations of the control; zero for characters without a variation, and where they stand.

        Args:
            series: control series of the characters; the actions are the controller's gaits.
            yaws: (B) of the roots, radians.
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
        """Return what a generator changes in the series of some characters, at the S samples ahead.

        A generator knows the samples of PFNN. Where a controller has another sample, a second ahead, it changes as the
        one before it.
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
        """Return the generator's series of some characters, whose actions are the generator's."""
        leg_length, chosen = self._model.skeleton.leg_length, [self._variations[row] for row in rows]
        time = frame / self._model.rate
        noise = np.stack([slow_noise(one.seed, time, generator.noise_size) for one in chosen if one is not None])
        amounts = np.array([one.amount for one in chosen if one is not None], dtype=np.float32)
        x = generator.vary(pack_series(series, generator.actions, leg_length), noise.astype(np.float32), amounts)
        return unpack_series(x.astype(float), generator.actions, leg_length)

    def _known_actions(self, generator: ControlGenerator, gaits: Array) -> Array:
        """Return the weights (B, S, A) of a generator's actions; a style that it does not know counts as walking."""
        known = np.zeros((*gaits.shape[:-1], len(generator.actions)))
        for column, name in enumerate(self._model.gaits):
            own = name if name in generator.actions else "walk"
            if own in generator.actions:
                known[..., generator.actions.index(own)] += gaits[..., column]
        return known

    def _gait_changes(self, generator: ControlGenerator, gaits: Array, changes: Array) -> Array:
        """Return changes (B, S, G) of gaits that are commanded, which sum to 0; none is begun that is not commanded."""
        wanted = np.zeros_like(gaits)
        for column, name in enumerate(self._model.gaits):
            if name in generator.actions:
                wanted[..., column] = changes[..., generator.actions.index(name)]
        varied = np.where(gaits > 0, np.maximum(gaits + wanted, 0.0), 0.0)
        total, before = varied.sum(axis=-1, keepdims=True), gaits.sum(axis=-1, keepdims=True)
        return np.where(total > 0, varied * before / np.where(total > 0, total, 1.0) - gaits, 0.0)

    def _moving_shares(self, series: ControlSeries) -> Array:
        """Return how much (B, S) characters move at the future samples and now; standing is not varied."""
        moving = 1.0 - series.actions[..., self._model.gaits.index("stand")]
        return np.clip(moving[:, PAST_COUNT:] * moving[:, [PAST_COUNT - 1]], 0.0, 1.0)

    def _rows_by_generator(self) -> list[tuple[ControlGenerator, NDArray[np.intp]]]:
        """Return the generators with the rows of their characters."""
        rows: dict[int, list[int]] = {}
        generators: dict[int, ControlGenerator] = {}
        for row, one in enumerate(self._variations):
            if one is not None and one.amount > 0:
                generators[id(one.generator)] = one.generator
                rows.setdefault(id(one.generator), []).append(row)
        return [(generators[key], np.array(found, dtype=np.intp)) for key, found in rows.items()]


def soften(vectors: Array, limits: ArrayLike) -> Array:
    """Return vectors (..., 2) in their directions whose lengths approach limits (...) and never reach them."""
    limits = np.asarray(limits, dtype=float)[..., None]
    return vectors * (limits / np.maximum(limits + np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9))


def _distances_ahead(positions: Array) -> Array:
    """Return how far (B, S) the samples would be at an even pace to the farthest of their positions (B, S, 2)."""
    farthest = np.linalg.norm(positions, axis=-1).max(axis=-1, keepdims=True)
    samples = positions.shape[1]
    return farthest * np.arange(1, samples + 1) / samples


def slow_noise(seed: int, time: float, size: int) -> Array:
    """Return noise (size) of standard normal distribution that changes smoothly with time.

    Args:
        seed: of the noise.
        time: seconds, from 0.
        size: number of independent values.
    """
    knot = int(time // TUNING.noise_interval)
    share = time / TUNING.noise_interval - knot
    angle = 0.5 * np.pi * share * share * (3.0 - 2.0 * share)
    return np.cos(angle) * _random_values(seed, knot, size) + np.sin(angle) * _random_values(seed, knot + 1, size)


@lru_cache(maxsize=4096)
def _random_values(seed: int, knot: int, size: int) -> Array:
    """Return the random values (size) of one time; drawn from seed and time, they need no memory."""
    return np.random.default_rng([seed, knot]).standard_normal(size)

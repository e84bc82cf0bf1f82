"""Variation of control series: slow, repeatable, and nothing where it is not wanted."""

from collections.abc import Callable

import numpy as np
import pytest

from footfall.core.control.path.path import Path
from footfall.core.control.runtime.control_variation import TUNING as CONTROL_VARIATION_TUNING
from footfall.core.control.runtime.control_variation import BatchVariation, ControlVariation, slow_noise
from footfall.core.control.walk.path_walk import WalkRollout, batch_walks, begin_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.features.control_series import SAMPLE_COUNT, ControlSeries
from footfall.core.models.control_generator import ControlGenerator
from footfall.core.models.generator_kinds import KINDS, VARIATIONAL
from footfall.core.models.model_file import ControllerModel
from footfall.tests.support.generators import random_generator

Controller = Callable[..., ControllerModel]
NORTH = Path(np.array([[0.0, 0.0], [0.0, 6.0]]))


@pytest.fixture(scope="module")
def model(controller: Controller) -> ControllerModel:
    """It goes straight on at 1.2 m/s when it does not stand."""
    return controller((0.0, 1.2), contacts=(0.0, 0.0, 0.0, 0.0))


def series(model: ControllerModel, *gaits: str) -> ControlSeries:
    """Characters with a gait each, at drawn places."""
    rng, count = np.random.default_rng(0), len(gaits)
    actions = np.eye(len(model.gaits))[[model.gaits.index(name) for name in gaits]]
    return ControlSeries(
        rng.normal(size=(count, SAMPLE_COUNT, 2)),
        np.tile([0.0, 1.0], (count, SAMPLE_COUNT, 1)),
        np.repeat(actions[:, None], SAMPLE_COUNT, axis=1),
    )


def roll_out(model: ControllerModel, generator: ControlGenerator | None, amount: float, seed: int) -> WalkRollout:
    walk = begin_walk(model, WalkRequest(NORTH, 1.2, seed=seed, variation=amount, generator=generator))
    while walk.advance(100):
        pass
    return walk


def test_the_noise_is_standard_normal_at_every_time() -> None:
    for time in (0.0, 0.3, 0.4, 7.77):
        values = np.concatenate([slow_noise(seed, time, 50) for seed in range(100)])
        assert abs(values.mean()) < 0.06 and abs(values.std() - 1) < 0.04


@pytest.mark.parametrize("kind", KINDS)
def test_a_standing_character_is_left_alone(model: ControllerModel, kind: str) -> None:
    varied = ControlVariation(random_generator(kind), 0.5, 1)
    deviation = BatchVariation(model, [varied, varied]).deviation(series(model, "stand", "walk"), np.zeros(2), 30)
    assert not deviation.positions[0].any() and not deviation.directions[0].any()
    assert deviation.positions[1].any() and deviation.directions[1].any()


@pytest.mark.parametrize("kind", KINDS)
def test_deviations_stay_small_beside_the_way_ahead(model: ControllerModel, kind: str) -> None:
    wild = ControlVariation(random_generator(kind, noise=50.0), 1.0, 1)
    ahead = series(model, "walk")
    deviation = BatchVariation(model, [wild]).deviation(ahead, np.zeros(1), 30)
    shifts = np.linalg.norm(deviation.positions[0], axis=-1)
    farthest = np.linalg.norm(ahead.positions[0, -5:], axis=-1).max()
    assert (shifts <= CONTROL_VARIATION_TUNING.shift_limit * farthest * np.arange(1, 6) / 5).all() and shifts.all()
    assert np.linalg.norm(deviation.directions, axis=-1).max() <= CONTROL_VARIATION_TUNING.direction_limit


def test_a_crowds_order_changes_nothing(model: ControllerModel) -> None:
    generator = random_generator(VARIATIONAL)
    variations = [ControlVariation(generator, 0.5, seed) for seed in (4, 5)]
    both = series(model, "walk", "walk")
    turned = ControlSeries(both.positions[::-1], both.directions[::-1], both.actions[::-1])
    one = BatchVariation(model, variations).deviation(both, np.array([0.1, 0.2]), 7)
    other = BatchVariation(model, variations[::-1]).deviation(turned, np.array([0.2, 0.1]), 7)
    np.testing.assert_allclose(other.positions[::-1], one.positions, atol=1e-6)
    alone = (
        BatchVariation(model, variations)
        .select(np.array([1]))
        .deviation(ControlSeries(both.positions[1:], both.directions[1:], both.actions[1:]), np.array([0.2]), 7)
    )
    np.testing.assert_allclose(alone.positions[0], one.positions[1], atol=1e-6)


def test_a_walk_is_resumed_with_the_same_noise(model: ControllerModel) -> None:
    generator = random_generator(VARIATIONAL)
    first = roll_out(model, generator, 0.5, 3)
    again = begin_walk(model, WalkRequest(NORTH, 1.2, seed=3, variation=0.5, generator=generator))
    assert again.resume_from(first) > 0
    while again.advance(100):
        pass
    np.testing.assert_array_equal(again.trace.frames.output, first.trace.frames.output)
    other = begin_walk(model, WalkRequest(NORTH, 1.2, seed=3, variation=0.4, generator=generator))
    assert other.resume_from(first) == 0, "another amount is another walk"


def test_a_crowd_varies_each_character_by_its_own_seed(model: ControllerModel) -> None:
    generator = random_generator(VARIATIONAL)
    walks = [
        begin_walk(model, WalkRequest(NORTH, 1.2, seed=seed, variation=0.5, generator=generator)) for seed in (3, 0, 4)
    ]
    batch_walks(walks)
    while walks[0].advance(100):
        pass
    for walk, seed in zip(walks, (3, 0, 4), strict=True):
        alone = roll_out(model, generator, 0.5, seed)
        np.testing.assert_allclose(walk.trace.frames.position, alone.trace.frames.position, atol=1e-4)

"""Variation of control series: slow, repeatable, and nothing where it is not wanted."""

from collections.abc import Callable
from pathlib import Path as Folder

import numpy as np
import pytest

from footfall.core.control.path.path import Path
from footfall.core.control.runtime.control_variation import (
    DIRECTION_LIMIT,
    SHIFT_LIMIT_RATIO,
    BatchVariation,
    ControlVariation,
    slow_noise,
    soften,
)
from footfall.core.control.walk.path_walk import PathWalk, batch_walks
from footfall.core.control.walk.plan import WalkRequest, plan_walk
from footfall.core.features.control_series import SAMPLE_COUNT, ControlSeries
from footfall.core.models.control_generator import ControlGenerator
from footfall.core.models.generator_kinds import KINDS, VARIATIONAL
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.tests.support.generators import random_generator

Controller = Callable[..., ControllerModel]
CONTROLLERS = Folder(__file__).parents[4] / "presets" / "controllers"
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


def roll_out(model: ControllerModel, generator: ControlGenerator | None, amount: float, seed: int) -> PathWalk:
    walk = PathWalk(model, NORTH, 1.2, seed=seed, variation=amount, generator=generator)
    while walk.advance(100):
        pass
    return walk


def test_the_noise_is_standard_normal_at_every_time() -> None:
    for time in (0.0, 0.3, 0.4, 7.77):
        values = np.concatenate([slow_noise(seed, time, 50) for seed in range(100)])
        assert abs(values.mean()) < 0.06 and abs(values.std() - 1) < 0.04


def test_the_noise_is_smooth() -> None:
    track = np.array([slow_noise(3, frame / 60, 20) for frame in range(600)])
    # Half a turn in 0.8 s between values of about 1 is at most some 5/s; a jump would be 60.
    assert np.abs(np.diff(track, axis=0)).max() * 60 < 12
    assert np.abs(np.diff(track, n=2, axis=0)).max() * 3600 < 150


def test_without_a_variation_nothing_is_added(model: ControllerModel) -> None:
    batch = BatchVariation(model, [None, ControlVariation(random_generator(VARIATIONAL), 0.0, 1)])
    deviation = batch.deviation(series(model, "walk", "walk"), np.zeros(2), 30)
    assert not deviation.positions.any() and not deviation.directions.any() and not deviation.gaits.any()


@pytest.mark.parametrize("kind", KINDS)
def test_a_standing_character_is_left_alone(model: ControllerModel, kind: str) -> None:
    varied = ControlVariation(random_generator(kind), 0.5, 1)
    deviation = BatchVariation(model, [varied, varied]).deviation(series(model, "stand", "walk"), np.zeros(2), 30)
    assert not deviation.positions[0].any() and not deviation.directions[0].any()
    assert deviation.positions[1].any() and deviation.directions[1].any()


def test_no_gait_begins_that_is_not_commanded(model: ControllerModel) -> None:
    varied = ControlVariation(random_generator(VARIATIONAL), 1.0, 1)
    mixed = series(model, "walk")
    mixed.actions[..., model.gaits.index("walk")] = 0.5
    mixed.actions[..., model.gaits.index("run")] = 0.5
    gaits = mixed.actions[:, -5:] + BatchVariation(model, [varied]).deviation(mixed, np.zeros(1), 30).gaits
    known = [model.gaits.index(name) for name in ("walk", "run")]
    np.testing.assert_allclose(gaits.sum(axis=-1), 1.0)
    assert (gaits >= 0).all() and not np.delete(gaits, known, axis=-1).any()


@pytest.mark.parametrize("kind", KINDS)
def test_deviations_stay_small_beside_the_way_ahead(model: ControllerModel, kind: str) -> None:
    wild = ControlVariation(random_generator(kind, noise=50.0), 1.0, 1)
    ahead = series(model, "walk")
    deviation = BatchVariation(model, [wild]).deviation(ahead, np.zeros(1), 30)
    shifts = np.linalg.norm(deviation.positions[0], axis=-1)
    farthest = np.linalg.norm(ahead.positions[0, -5:], axis=-1).max()
    assert (shifts <= SHIFT_LIMIT_RATIO * farthest * np.arange(1, 6) / 5).all() and shifts.all()
    assert np.linalg.norm(deviation.directions, axis=-1).max() <= DIRECTION_LIMIT


def test_a_limit_keeps_directions_and_small_vectors() -> None:
    vectors = np.array([[3.0, 4.0], [3e-4, 4e-4], [0.0, 0.0]])
    np.testing.assert_allclose(np.linalg.norm(soften(vectors, 1.0), axis=-1), [5 / 6, 5e-4, 0.0], rtol=1e-3)
    np.testing.assert_allclose(soften(vectors, 1.0)[0], vectors[0] / 6)


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


def test_a_seed_of_zero_or_no_amount_is_the_walk_without_a_generator(model: ControllerModel) -> None:
    generator = random_generator(VARIATIONAL)
    for amount, seed in ((0.5, 0), (0.0, 3)):
        plain, varied = roll_out(model, None, 0.0, seed), roll_out(model, generator, amount, seed)
        np.testing.assert_array_equal(varied.trace.frames.output, plain.trace.frames.output)
        np.testing.assert_array_equal(varied.trace.frames.position, plain.trace.frames.position)


def test_a_walk_is_resumed_with_the_same_noise(model: ControllerModel) -> None:
    generator = random_generator(VARIATIONAL)
    first = roll_out(model, generator, 0.5, 3)
    again = PathWalk(model, NORTH, 1.2, seed=3, variation=0.5, generator=generator)
    assert again.resume_from(first) > 0
    while again.advance(100):
        pass
    np.testing.assert_array_equal(again.trace.frames.output, first.trace.frames.output)
    other = PathWalk(model, NORTH, 1.2, seed=3, variation=0.4, generator=generator)
    assert other.resume_from(first) == 0, "another amount is another walk"


def test_a_crowd_varies_each_character_by_its_own_seed(model: ControllerModel) -> None:
    generator = random_generator(VARIATIONAL)
    walks = [PathWalk(model, NORTH, 1.2, seed=seed, variation=0.5, generator=generator) for seed in (3, 0, 4)]
    batch_walks(walks)
    while walks[0].advance(100):
        pass
    for walk, seed in zip(walks, (3, 0, 4), strict=True):
        alone = roll_out(model, generator, 0.5, seed)
        np.testing.assert_allclose(walk.trace.frames.position, alone.trace.frames.position, atol=1e-4)


def test_where_there_is_a_sample_more_it_goes_with_the_one_before(model: ControllerModel) -> None:
    """A system of local motion phases sees thirteen samples, and a generator knows the first twelve of them."""
    batch = BatchVariation(model, [ControlVariation(random_generator(VARIATIONAL), 1.0, 1)])
    twelve = series(model, "walk")
    steps = np.arange(1, SAMPLE_COUNT + 1)[None, :, None] * np.array([0.0, 0.2])
    twelve = ControlSeries(steps, twelve.directions, twelve.actions)
    parts = (twelve.positions, twelve.directions, twelve.actions)
    thirteen = ControlSeries(*(np.concatenate([part, part[:, -1:]], axis=1) for part in parts))
    deviation = batch.deviation(thirteen, np.zeros(1), 30)
    alone = batch.deviation(twelve, np.zeros(1), 30)
    assert deviation.positions.shape == (1, 6, 2) and alone.positions.shape == (1, 5, 2)
    assert deviation.directions[0, 5] == pytest.approx(deviation.directions[0, 4])
    np.testing.assert_allclose(deviation.directions[:, :5], alone.directions)
    np.testing.assert_allclose(deviation.gaits[:, :5], alone.gaits)
    # The limits of positions grow evenly to the farthest sample, so that five of six are closer than five of five.
    assert (np.abs(deviation.positions[:, :5]) <= np.abs(alone.positions) + 1e-12).all()
    assert deviation.positions[:, 5].any()
    np.testing.assert_allclose(deviation.gaits.sum(axis=-1), 0.0, atol=1e-12)


def test_four_legs_are_left_alone() -> None:
    model = load_model(CONTROLLERS / "quadruped.safetensors")
    request = WalkRequest(NORTH, seed=3, variation=1.0, generator=random_generator(VARIATIONAL))
    assert plan_walk(request, model).variation is None

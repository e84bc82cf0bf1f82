"""Every patch's E_fit, against the same equations on each patch alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.terrain.fitting import FitWeights, fit_patches, fit_terms
from footfall.core.terrain.foot_points import FootPoints
from footfall.core.terrain.refinement import FittedGround
from footfall.tests.support.grounds import SomePatches, hills


def some_points(seed: int, jumping: bool = True, beside: int = 5) -> FootPoints:
    """A few places within and beyond a patch of 4.8 m."""
    chance = np.random.default_rng(seed)

    def places(count: int) -> np.ndarray:
        return chance.normal(size=(count, 3)) * [1.5, 1.5, 0.2] + [7.0, -3.0, 1.0]

    return FootPoints(
        places(6),
        chance.uniform(1, 20, 6),
        places(20),
        chance.uniform(0.1, 3, 20),
        chance.uniform(size=20) < 0.4 * jumping,
        places(beside),
    )


def alone(patches: SomePatches, number: int, points: FootPoints, offset: float) -> FittedGround:
    """A patch where it is tried."""
    return FittedGround(patches.patch(number), np.append(points.centre[:2], offset))


@given(seed=st.integers(0, 2**32 - 1), jumping=st.booleans(), beside=st.sampled_from([0, 5]))
def test_each_patch_has_the_error_that_it_has_alone(seed: int, jumping: bool, beside: int):
    patches, points = SomePatches.of(hills(12, seed=seed), 0.16), some_points(seed, jumping, beside)
    weights = FitWeights(down=0.3, up=0.7, over=1.3, jump_clearance=0.1, off_beam=0.4)
    fit = fit_patches(points, patches, weights)
    for number, (error, offset) in enumerate(zip(fit.errors, fit.offsets, strict=True)):
        terms = fit_terms(points, alone(patches, number, points, float(offset)), weights)
        assert error == pytest.approx(terms.error(weights), rel=1e-3, abs=1e-6)


@given(seed=st.integers(0, 2**32 - 1))
def test_the_mean_of_the_contacts_is_right_on_every_patch(seed: int):
    patches, points = SomePatches.of(hills(5, seed=seed), 0.16), some_points(seed)
    fit = fit_patches(points, patches)
    for number, offset in enumerate(fit.offsets):
        ground = alone(patches, number, points, float(offset))
        missing = points.contacts[:, 2] - ground.heights(points.contacts)
        assert np.average(missing, weights=points.contact_weights) == pytest.approx(0.0, abs=1e-5)


def test_the_best_are_in_order_and_the_first_of_equals_comes_first():
    grids = hills(30)
    patches = SomePatches.of(np.concatenate([grids, grids]), 0.16)
    fit = fit_patches(some_points(3), patches)
    best = fit.best(10)
    assert np.all(np.diff(fit.errors[best]) >= 0)
    np.testing.assert_array_equal(np.sort(fit.errors)[:10], fit.errors[best])
    np.testing.assert_array_equal(best[1::2], best[::2] + 30)
    assert len(fit.best(1000)) == 60


def test_the_ground_that_feet_have_gone_over_is_found():
    """Contacts on one of the patches, swings over it."""
    patches = SomePatches.of(hills(500, seed=5), 0.16)
    chance = np.random.default_rng(0)
    xy = chance.uniform(-2, 2, (40, 2))
    xy[:10] -= xy[:10].mean(axis=0)
    heights = patches.patch(321).heights_at(xy)
    over, place = chance.uniform(0, 0.2, 30), np.array([4.0, 2.0, 1.0])
    points = FootPoints(
        np.column_stack([xy[:10], heights[:10]]) + place,
        np.ones(10),
        np.column_stack([xy[10:], heights[10:] + over]) + place,
        np.ones(30),
        np.zeros(30, dtype=bool),
    )
    fit = fit_patches(points, patches)
    assert fit.best(1).tolist() == [321]
    assert fit.errors[321] < 1e-7
    assert fit.offsets[321] == pytest.approx(1.0, abs=1e-3)

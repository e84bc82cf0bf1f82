"""Ground that is bent to feet: they stand on it, swing over it, and far away it is what it was."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.terrain.foot_points import FootPoints
from footfall.core.terrain.heightfield import Heightfield
from footfall.core.terrain.refinement import (
    FittedGround,
    bend_plane,
    refine_ground,
)
from footfall.tests.support.grounds import hills

MIDDLE = np.array([3.0, -2.0, 0.5])


def ground(seed: int = 0) -> FittedGround:
    return FittedGround(Heightfield.centred(hills(1, seed=seed)[0], 0.16), MIDDLE)


def steps(seed: int, contacts: int = 10, swings: int = 0) -> FootPoints:
    """Feet that stand within 20 cm of the ground's height, and swing as far over or under it."""
    chance = np.random.default_rng(seed)
    places = chance.normal(size=(contacts + swings, 3)) * [0.8, 0.8, 0.1] + MIDDLE
    standing, swinging = places[:contacts], places[contacts:]
    none = np.zeros(swings, dtype=bool)
    return FootPoints(standing, np.ones(contacts), swinging, np.ones(swings), none)


@given(seed=st.integers(0, 2**32 - 1), contacts=st.integers(1, 25))
def test_feet_stand_on_it_within_a_millimeter(seed: int, contacts: int):
    points = steps(seed, contacts)
    bent = refine_ground(ground(seed), points)
    assert np.abs(bent.heights(points.contacts) - points.contacts[:, 2]).max() < 1e-3


@given(seed=st.integers(0, 2**32 - 1))
def test_ground_that_is_right_stays_as_it_is(seed: int):
    points = steps(seed)
    standing = points.contacts.copy()
    standing[:, 2] = ground().heights(standing)
    bent = refine_ground(
        ground(), FootPoints(standing, points.contact_weights, points.swings, np.ones(0), points.jumping)
    )
    xy = np.random.default_rng(seed).normal(size=(20, 2)) * 3 + MIDDLE[:2]
    np.testing.assert_allclose(bent.heights_at(xy), ground().heights_at(xy), atol=1e-6)


@given(seed=st.integers(0, 2**32 - 1))
def test_the_bend_comes_to_an_end_far_away(seed: int):
    """The kernel's coefficients sum to zero: it neither rises nor falls for ever."""
    bent, plain = refine_ground(ground(), steps(seed)), ground()
    far = MIDDLE[:2] + np.array([[1e4, 0.0], [2e4, 0.0]])
    near, farther = bent.heights_at(far) - plain.heights_at(far)
    assert abs(near - farther) < 1e-3 and abs(near) < 1.0


@given(seed=st.integers(0, 2**32 - 1))
def test_the_ground_sinks_under_swinging_feet(seed: int):
    points = steps(seed, contacts=8, swings=30)
    nearest = np.linalg.norm(points.swings[:, None, :2] - points.contacts[:, :2], axis=-1).min(axis=1)
    before = refine_ground(
        ground(), FootPoints(points.contacts, points.contact_weights, points.swings[:0], np.ones(0), points.jumping[:0])
    )
    after = refine_ground(ground(), points)
    deep = [np.maximum(one.heights(points.swings) - points.swings[:, 2], 0.0)[nearest > 0.1] for one in (before, after)]
    assert deep[1].sum() <= 0.1 * deep[0].sum() + 1e-3
    assert np.abs(after.heights(points.contacts) - points.contacts[:, 2]).max() < 1e-3


def test_a_plane_bent_to_footsteps_goes_through_them_and_is_smooth():
    points = steps(4)
    bent = bend_plane(points)
    assert np.abs(bent.heights(points.contacts) - points.contacts[:, 2]).max() < 1e-3
    assert np.abs(bent.heights(MIDDLE + np.array([[100.0, 0.0, 0.0]])) - points.centre[2]).max() < 0.3

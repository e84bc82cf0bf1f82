"""Feet over ground that is level, sloped or missing: heights of soles, depth and float, in closed form."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from footfall.core.evaluation.footing import RAY_START_ABOVE_M, measure_footing, sole_heights
from footfall.core.labelling.contacts.sensor_tracks import sensor_tracks
from footfall.core.labelling.presets import BIPED_PRESET
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.heel import BALL_HEIGHT_M
from footfall.core.motion.paws import paw_tracks
from footfall.core.motion.proportions import ADULT_LEG_LENGTH_M, TOE_JOINT_HEIGHT_M
from footfall.core.motion.rotations import Array
from footfall.core.terrain.ground import Plane
from footfall.tests.support.dog import dog, standing, trot
from footfall.tests.support.walker import Walker


@dataclass(frozen=True, slots=True)
class Shelf(Plane):
    """Level ground at a height that only points over it see, and only up to an edge along Y."""

    edge: float = np.inf

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        seen = (points[..., 2] >= self.height) & (points[..., 1] <= self.edge)
        return np.where(seen, self.height, np.nan)


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_soles_of_heels_and_balls_are_below_their_points_by_what_an_adults_are_times_the_size(scale: float) -> None:
    clip = Walker(seconds=1.0, scale=scale).clip()
    size = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    points = sensor_tracks(clip, BIPED_PRESET)[..., 2]
    heights = sole_heights(clip, Plane(0.03))
    heel, ball = size * (TOE_JOINT_HEIGHT_M - BALL_HEIGHT_M), size * TOE_JOINT_HEIGHT_M
    np.testing.assert_allclose(heights, points - np.array([heel, ball, heel, ball]) - 0.03, atol=1e-12)


def test_a_walker_on_its_floor_is_neither_in_it_nor_far_above() -> None:
    clip = Walker(seconds=2.0).clip()
    lowest = sole_heights(clip, Plane()).min(axis=0)
    assert (np.abs(lowest) < 0.03).all()


def test_without_ground_heights_are_infinite() -> None:
    clip = Walker(seconds=2.0).clip()
    points = sensor_tracks(clip, BIPED_PRESET)
    edge = float(np.median(points[..., 1]))
    heights = sole_heights(clip, Shelf(edge=edge))
    np.testing.assert_array_equal(np.isinf(heights), points[..., 1] > edge)
    np.testing.assert_array_equal(heights[np.isfinite(heights)], sole_heights(clip, Plane())[np.isfinite(heights)])


@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_ground_up_to_forty_centimeters_above_a_foot_is_the_one_that_it_is_in(scale: float) -> None:
    """Deep in a shelf a foot is under it; deeper still, it is under a roof."""
    clip = Walker(seconds=0.5, scale=scale).clip()
    size = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    lowest = sensor_tracks(clip, BIPED_PRESET)[..., 2].min()
    assert np.isfinite(sole_heights(clip, Shelf(lowest + 0.99 * RAY_START_ABOVE_M * size))).all()
    assert np.isinf(sole_heights(clip, Shelf(lowest + 1.01 * RAY_START_ABOVE_M * size))).any()


@pytest.mark.parametrize("scale", [0.5, 1.0, 3.0])
def test_paws_are_above_where_they_stand_on_level_ground(scale: float) -> None:
    clip = standing(dog(scale))
    np.testing.assert_allclose(sole_heights(clip, Plane()), 0.0, atol=1e-9)
    np.testing.assert_allclose(sole_heights(clip, Plane(-0.2)), 0.2, atol=1e-9)
    raised = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.0, 0.1]))
    np.testing.assert_allclose(sole_heights(raised, Plane(), clip), 0.1, atol=1e-9)


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_ground_above_paws_is_theirs_up_to_forty_centimeters_of_an_adult(scale: float) -> None:
    clip = standing(dog(scale))
    reach = RAY_START_ABOVE_M * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    lowest = float(paw_tracks(clip)[..., 2].min())
    assert np.isfinite(sole_heights(clip, Shelf(lowest + 0.99 * reach))).all()
    assert np.isinf(sole_heights(clip, Shelf(lowest + 1.01 * reach))).any()


def test_a_trotting_paw_stands_at_the_lowest_quarter_of_its_heights() -> None:
    clip, stands = trot(dog(), 121)
    heights = sole_heights(clip, Plane())
    tracks = paw_tracks(clip)[..., 2]
    np.testing.assert_allclose(heights, tracks - np.percentile(tracks, 25, axis=0), atol=1e-12)
    assert np.abs(heights[stands]).max() < 0.005 and heights[~stands].max() > 0.05


def test_depth_and_float_are_in_millimeters_and_float_only_in_contact(gliding: Callable[..., Clip]) -> None:
    clip = gliding(np.zeros((40, 2)))
    level = sole_heights(clip, Plane())
    down = FootContacts(np.ones((40, 4)))
    lowest = float(level.min())
    found = measure_footing(clip, down, Plane(lowest + 0.01))
    above = level - lowest - 0.01
    assert found["penetration_max_mm"] == pytest.approx(10.0)
    assert found["penetration_mean_mm"] == pytest.approx(1000 * np.maximum(-above, 0.0).mean())
    assert found["float_mean_mm"] == pytest.approx(1000 * np.maximum(above, 0.0).mean())
    up = FootContacts(np.zeros((40, 4)))
    assert measure_footing(clip, up, Plane(lowest - 0.05))["float_mean_mm"] == 0.0
    half = FootContacts(np.tile([1.0, 0.0, 0.0, 0.0], (40, 1)))
    hover = measure_footing(clip, half, Plane(lowest - 0.05))
    assert hover["float_mean_mm"] == pytest.approx(1000 * (level[:, 0] - lowest + 0.05).mean())
    assert hover["penetration_max_mm"] == hover["penetration_mean_mm"] == 0.0


def test_where_there_is_no_ground_there_is_neither_depth_nor_float(gliding: Callable[..., Clip]) -> None:
    found = measure_footing(gliding(np.zeros((10, 2))), FootContacts(np.ones((10, 4))), Shelf(edge=-5.0))
    assert found == {"penetration_mean_mm": 0.0, "penetration_max_mm": 0.0, "float_mean_mm": 0.0}

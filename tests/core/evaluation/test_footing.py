"""Feet over ground that is level, sloped or missing: heights of soles, depth and float, in closed form."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from footfall.core.evaluation.footing import measure_footing, own_and_carried_heights, sole_heights
from footfall.core.labelling.contacts.sensor_tracks import sensor_tracks
from footfall.core.labelling.presets import BIPED_PRESET
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.rotations import Array
from footfall.core.terrain.ground import Plane
from footfall.tests.support.walker import Walker


@dataclass(frozen=True, slots=True)
class Shelf(Plane):
    """Level ground at a height that only points over it see, and only up to an edge along Y."""

    edge: float = np.inf

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        seen = (points[..., 2] >= self.height) & (points[..., 1] <= self.edge)
        return np.where(seen, self.height, np.nan)


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


@dataclass(frozen=True, slots=True)
class Step(Plane):
    """Level ground that drops at an edge along Y."""

    edge: float = 0.0
    drop: float = 0.17

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        return np.where(points[..., 1] <= self.edge, self.height, self.height - self.drop)


@pytest.mark.parametrize("drop", [0.03, 0.17, 2.0])
def test_an_end_of_a_foot_beyond_an_edge_is_carried_by_the_other_end(drop: float, gliding: Callable[..., Clip]) -> None:
    clip = gliding(np.zeros((10, 2)))
    points, level = sensor_tracks(clip, BIPED_PRESET), sole_heights(clip, Plane())
    ends = points[0, :2, 1]  # heel and ball of the left foot
    beyond = int(ends.argmax())
    own, carried = own_and_carried_heights(clip, Step(edge=float(ends.mean()), drop=drop))
    assert own[:, beyond] == pytest.approx(level[:, beyond] + drop)
    expected = level[:, 1 - beyond] if drop > 0.1 else own[:, beyond]
    assert carried[:, beyond] == pytest.approx(expected), "a low drop is a slope"
    assert carried[:, 1 - beyond] == pytest.approx(own[:, 1 - beyond])
    lifted = clip.transformed(np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.1]))
    assert (own_and_carried_heights(lifted, Step(edge=float(ends.mean()), drop=drop))[1] > 0.08).all()


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

"""The ground that a clip was captured on, of motion whose ground is known."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.terrain.foot_points import FootTracks
from footfall.core.terrain.ground_from_contacts import (
    ground_from_contacts,
)
from footfall.tests.support.grounds import STAIRS, procedural


def test_stairs_are_stairs():
    """Under each tread's middle the tread's height, and nearly all of the rise within a few centimeters."""
    feet = FootTracks.of(*procedural("stairs up"))
    ground = ground_from_contacts(feet)
    floor = feet.contact_points[:, 2].min()
    heights = np.unique(np.rint((feet.contact_points[:, 2] - floor) / STAIRS["rise"]))
    for step in heights[1:-1]:
        on = np.abs(feet.contact_points[:, 2] - floor - step * STAIRS["rise"]) < 0.05
        middle = feet.contact_points[on, :2].mean(axis=0)
        for side in (-0.25, 0.0, 0.25):
            at = ground.heights_at(np.array([middle[0] + side, middle[1]]))
            assert at == pytest.approx(floor + step * STAIRS["rise"], abs=0.02)
    y = np.arange(0.0, 4.0, 0.01)
    profile = ground.heights_at(np.column_stack([np.zeros_like(y), y]))
    slopes = np.diff(profile) / 0.01
    assert np.all(slopes > -0.05), "stairs up do not go down"
    level = np.mean(slopes < 0.3)
    assert level > 0.5, "treads are level"
    assert slopes.max() > 2.0, "risers are steep"


def test_a_slope_is_a_slope():
    feet = FootTracks.of(*procedural("slope up"))
    ground = ground_from_contacts(feet)
    y = np.linspace(*np.quantile(feet.contact_points[:, 1], [0.2, 0.8]), 50)
    profile = ground.heights_at(np.column_stack([np.zeros_like(y), y]))
    rise = np.polyfit(y, profile, 1)[0]
    assert rise == pytest.approx(np.tan(0.14), abs=0.02)
    assert np.abs(profile - np.polyval(np.polyfit(y, profile, 1), y)).max() < 0.04


def test_feet_stand_on_it_and_swing_over_it():
    feet = FootTracks.of(*procedural("stairs up"))
    ground = ground_from_contacts(feet)
    on = ground.heights_at(feet.contact_points[:, :2]) - feet.contact_points[:, 2]
    assert np.median(np.abs(on)) < 0.005
    swings = feet.sole_points[~feet.down]
    inside = np.maximum(ground.heights_at(swings[:, :2]) - swings[:, 2], 0.0)
    assert inside.mean() < 0.002 and np.quantile(inside, 0.99) < 0.03


def standing_at(*places: tuple[float, float, float], velocity: tuple[float, float] = (0.0, 0.0)) -> FootTracks:
    """Feet that stand at places one after the other, a frame each, of a body that travels so."""
    points = np.array(places)
    frames = np.arange(len(points))
    return FootTracks(
        60.0,
        np.repeat(points[:, None], 4, axis=1),
        np.ones((len(points), 4), dtype=bool),
        np.zeros(len(points), dtype=bool),
        points[:, :2],
        np.tile(velocity, (len(points), 1)),
        np.column_stack([frames, frames + 1]),
        points,
    )


def test_swinging_feet_lower_the_ground_that_contacts_make() -> None:
    feet = standing_at((0.0, 0.0, 0.5), (0.4, 0.0, 0.5), (0.2, 0.0, 0.45))
    air = replace(
        feet,
        down=np.array([[True] * 4, [True] * 4, [False] * 4]),
        contact_runs=feet.contact_runs[:2],
        contact_points=feet.contact_points[:2],
    )
    ground = ground_from_contacts(air)
    assert ground.heights_at(np.array([0.2, 0.0])) == pytest.approx(0.45)
    assert ground.heights_at(np.array([0.0, 0.0])) == pytest.approx(0.5)
    assert ground.heights_at(np.array([0.2, 0.4])) == pytest.approx(0.5)

"""Where feet stand and swing, of motion that is known exactly."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.terrain.foot_points import (
    FootTracks,
)
from footfall.tests.support.grounds import STAIRS, procedural


def feet_of(name: str) -> FootTracks:
    return FootTracks.of(*procedural(name))


def test_feet_stand_on_the_floor():
    feet = feet_of("walk")
    assert len(feet.contact_points) > 15
    np.testing.assert_allclose(feet.contact_points[:, 2], np.median(feet.contact_points[:, 2]), atol=0.004)
    assert abs(np.median(feet.contact_points[:, 2])) < 0.01


def test_feet_stand_on_stairs():
    feet = feet_of("stairs up")
    steps = (feet.contact_points[:, 2] - feet.contact_points[:, 2].min()) / STAIRS["rise"]
    np.testing.assert_allclose(steps, np.rint(steps), atol=0.03)
    assert set(np.rint(steps)) == set(range(STAIRS["count"] + 1))


def test_a_contact_is_a_point_that_stands_for_its_frames():
    """A stride of less than a second sees all of itself all the time, and a second around it less and less."""
    feet = feet_of("walk")
    points = feet.points(150, 200)
    assert len(points.swings) == (~feet.down[90:260]).sum()
    shares = np.ones(170)
    shares[:50], shares[-50:] = np.arange(1, 51) / 50, np.arange(50, 0, -1) / 50
    assert points.contact_weights.sum() == pytest.approx((shares[:, None] * feet.down[90:260]).sum())
    assert points.swing_weights.sum() == pytest.approx((shares[:, None] * ~feet.down[90:260]).sum())


def test_the_second_before_and_after_counts_as_far_as_it_is_seen():
    feet = feet_of("walk")
    start, stop = 150, 210
    weights = feet.points(start, stop).swing_weights
    assert weights.max() == 1.0
    assert weights.min() == pytest.approx(1 / 60)


def test_the_centre_is_where_feet_stand():
    points = feet_of("walk").points(150, 210)
    expected = (points.contacts * points.contact_weights[:, None]).sum(axis=0) / points.contact_weights.sum()
    np.testing.assert_allclose(points.centre, expected)
    nobody = replace(points, contacts=np.zeros((0, 3)), contact_weights=np.zeros(0))
    np.testing.assert_allclose(nobody.centre, points.swings.mean(axis=0))


@pytest.mark.parametrize(("high", "jumps"), [(0.05, False), (0.4, True)])
def test_who_jumps_is_known_by_the_gait_and_by_how_high_both_feet_are(high: float, jumps: bool):
    clip, labels = procedural("walk")
    column = labels.gait_names.index("jump")
    gaits = np.zeros_like(labels.gaits)
    gaits[:, labels.gait_names.index("walk")] = 1.0
    gaits[200:240] = np.eye(gaits.shape[1])[column]
    contacts = labels.contacts.copy()
    contacts[205:235] = 0.0
    higher = replace(clip, root_positions=clip.root_positions.copy())
    higher.root_positions[205:235, 2] += high
    feet = FootTracks.of(higher, replace(labels, gaits=gaits, contacts=contacts))
    np.testing.assert_array_equal(np.flatnonzero(feet.jumping), np.arange(200, 240) if jumps else [])
    points = feet.points(150, 210)
    assert points.jumping.any() == jumps and not points.jumping.all()

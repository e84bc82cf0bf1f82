"""Where feet stand and swing, of motion that is known exactly."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.core.terrain.foot_points import (
    BEAM_HEIGHT_M,
    BEAM_WIDTH_M,
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


def test_thinned_swings_stand_for_as_many_frames():
    feet = feet_of("walk")
    all_frames, some = feet.points(150, 210), feet.points(150, 210, frames_per_swing=3)
    assert len(some.swings) < len(all_frames.swings) / 2.5
    assert some.swing_weights.sum() == pytest.approx(all_frames.swing_weights.sum(), rel=0.05)
    np.testing.assert_array_equal(some.contacts, all_frames.contacts)


def test_the_centre_is_where_feet_stand():
    points = feet_of("walk").points(150, 210)
    expected = (points.contacts * points.contact_weights[:, None]).sum(axis=0) / points.contact_weights.sum()
    np.testing.assert_allclose(points.centre, expected)
    nobody = replace(points, contacts=np.zeros((0, 3)), contact_weights=np.zeros(0))
    np.testing.assert_allclose(nobody.centre, points.swings.mean(axis=0))


def test_who_flies_for_long_has_stood_before():
    feet = feet_of("walk")
    first = feet.contact_runs[:, 1].argmin()
    alone = replace(feet, contact_runs=feet.contact_runs[[first]], contact_points=feet.contact_points[[first]])
    points = alone.points(300, 350)
    np.testing.assert_array_equal(points.contacts, feet.contact_points[[first]])
    assert points.contact_weights.tolist() == [1.0]


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


def test_a_foot_that_hangs_over_an_edge_does_not_stand_there():
    """Another time the ball stands far below the heel. Where it does below both, nothing is known of an edge."""
    clip, labels = procedural("stairs up")
    standing = slice(205, 230)
    contacts = np.zeros_like(labels.contacts)
    contacts[standing, [labels.contact_joints.index(name) for name in FOOT_CONTACTS[:2]]] = 1.0
    marked = replace(labels, contacts=contacts)
    assert FootTracks.of(clip, marked).down[standing, :2].all()
    later = slice(405, 430)
    for ahead, (heel, ball) in {0.0: (True, True), -0.16: (False, True)}.items():
        lower = replace(clip, root_positions=clip.root_positions.copy(), rotations=clip.rotations.copy())
        lower.rotations[later] = lower.rotations[standing]
        lower.root_positions[later] = lower.root_positions[standing] + [0.0, ahead, -0.2]
        down = FootTracks.of(lower, marked).down[standing]
        assert (down[:, 0].all(), down[:, 1].all()) == (heel, ball), ahead


def test_places_beside_a_beam_are_off_it_and_far_below():
    feet = feet_of("walk")
    beside = feet.off_beam_points(150, 210)
    assert 30 < len(beside) < 100
    np.testing.assert_allclose(beside[:, 2], np.median(feet.contact_points[:, 2]) - BEAM_HEIGHT_M, atol=0.01)
    way = feet.hip_positions[90:270]
    assert np.linalg.norm(beside[:, None, :2] - way, axis=-1).min() >= BEAM_WIDTH_M / 2
    np.testing.assert_array_equal(beside, feet.off_beam_points(150, 210))


def test_the_first_and_the_last_frame_of_a_clip_are_seen() -> None:
    feet = feet_of("walk")
    frames = len(feet.sole_points)
    whole = feet.points(0, frames)
    assert len(whole.swings) == (~feet.down).sum()
    np.testing.assert_allclose(whole.contact_weights.sum() + whole.swing_weights.sum(), whole_weight(frames))
    early = feet.points(0, 30)
    assert len(early.swings) == (~feet.down[:90]).sum()


def whole_weight(frames: int) -> float:
    """Sum of the shares of a clip's frames that see each one, at most 60 frames away, of all four points."""
    numbers = np.arange(frames)
    seeing = np.minimum(numbers + 61, frames) - np.maximum(numbers - 60, 0)
    return 4.0 * float(seeing.sum()) / frames


@pytest.mark.parametrize(("start", "stop", "nearest"), [(0, 10, 0), (500, 510, 0), (0, 10, -1), (300, 350, -1)])
def test_without_a_contact_the_nearest_counts(start: int, stop: int, nearest: int) -> None:
    feet = feet_of("walk")
    runs = np.array([[200, 205], [205, 210]]) if start == 0 else np.array([[100, 105], [95, 100]])
    places = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]])
    far = replace(feet, contact_runs=runs if nearest == 0 else runs[::-1], contact_points=places)
    points = far.points(start, stop)
    np.testing.assert_array_equal(points.contacts, places[[nearest]])


def test_no_point_at_all_has_its_middle_at_the_origin() -> None:
    points = feet_of("walk").points(150, 210)
    none = np.zeros(0)
    empty = replace(
        points, contacts=np.zeros((0, 3)), contact_weights=none, swings=np.zeros((0, 3)), swing_weights=none
    )
    np.testing.assert_array_equal(empty.centre, np.zeros(3))

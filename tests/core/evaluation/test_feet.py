import numpy as np
import pytest

from footfall.core.evaluation.feet import (
    drift_speed,
    floating_heights,
    horizontal_speeds,
    penetration_depths,
    skate_speeds,
    sole_heights,
    standing_heights,
)


def feet(frames: int, speed: float = 0.0, height: float = 0.0) -> np.ndarray:
    """One joint that slides along X at a speed (m/s, 60 Hz) at a height."""
    positions = np.zeros((frames, 1, 3))
    positions[:, 0, 0] = speed * np.arange(frames) / 60
    positions[..., 2] = height
    return positions


def test_a_foot_that_slides_at_a_known_speed_skates_at_that_speed() -> None:
    np.testing.assert_allclose(skate_speeds(feet(60, speed=0.12), np.ones((60, 1)), 60.0), 0.12)


def test_only_frames_in_contact_count() -> None:
    positions = feet(60, speed=0.0)
    positions[30:] += feet(30, speed=3.0)
    contacts = np.ones((60, 1))
    contacts[30:] = 0.4
    assert skate_speeds(positions, contacts, 60.0)[:-1].max() == 0.0


def test_a_foot_that_trembles_on_the_spot_skates() -> None:
    positions = feet(60)
    positions[::2, 0, 0] = 0.001
    np.testing.assert_allclose(skate_speeds(positions, np.ones((60, 1)), 60.0), 0.06)


def test_the_clearance_of_a_joint_is_its_height_while_it_stands() -> None:
    positions = np.concatenate([feet(20, height=0.08), feet(40, height=0.5)])
    contacts = np.concatenate([np.ones((20, 1)), np.zeros((40, 1))])
    np.testing.assert_allclose(standing_heights(positions, contacts, ground=0.03), 0.05)


def test_drift_is_travel_near_the_ground_per_second_of_the_whole_clip() -> None:
    low, high = feet(61, speed=0.5, height=0.02), feet(60, speed=0.5, height=0.2)
    positions = np.concatenate([low, high])
    heights = positions[..., 2]
    assert drift_speed(positions, heights, 60.0) == pytest.approx(0.5 / 2)


def test_depth_and_float_are_of_the_sole_not_of_the_joint() -> None:
    positions = np.concatenate([feet(10, height=0.07), feet(10, height=0.085), feet(10, height=0.3)])
    contacts = np.concatenate([np.ones((20, 1)), np.zeros((10, 1))])
    heights = sole_heights(positions, 0.0, np.array([0.08]))
    assert penetration_depths(heights).max() == pytest.approx(0.01)
    assert penetration_depths(heights).mean() == pytest.approx(0.01 / 3)
    assert floating_heights(heights, contacts).mean() == pytest.approx(0.0025)


def test_a_joint_that_never_stands_has_its_lowest_height() -> None:
    positions = np.concatenate([feet(2, height=0.3), feet(2, height=0.2)], axis=0)
    np.testing.assert_allclose(standing_heights(positions, np.zeros((4, 1)), ground=0.05), 0.15)


def test_speeds_are_the_means_of_the_steps_to_and_from_a_frame() -> None:
    positions = feet(4)
    positions[:, 0, 0] = [0.0, 1.0, 3.0, 3.0]
    np.testing.assert_allclose(horizontal_speeds(positions, 10.0)[:, 0], [10.0, 15.0, 10.0, 0.0])
    positions[:, 0, 2] = [0.0, 5.0, -5.0, 0.0]
    np.testing.assert_allclose(horizontal_speeds(positions, 10.0)[:, 0], [10.0, 15.0, 10.0, 0.0])
    assert horizontal_speeds(positions[:1], 10.0).tolist() == [[0.0]]
    assert horizontal_speeds(positions[:2], 10.0).tolist() == [[10.0], [10.0]]

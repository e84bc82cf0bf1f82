import numpy as np
import pytest

from footfall.core.evaluation.feet import (
    floating_heights,
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


def test_the_clearance_of_a_joint_is_its_height_while_it_stands() -> None:
    positions = np.concatenate([feet(20, height=0.08), feet(40, height=0.5)])
    contacts = np.concatenate([np.ones((20, 1)), np.zeros((40, 1))])
    np.testing.assert_allclose(standing_heights(positions, contacts, ground=0.03), 0.05)


def test_depth_and_float_are_of_the_sole_not_of_the_joint() -> None:
    positions = np.concatenate([feet(10, height=0.07), feet(10, height=0.085), feet(10, height=0.3)])
    contacts = np.concatenate([np.ones((20, 1)), np.zeros((10, 1))])
    heights = sole_heights(positions, 0.0, np.array([0.08]))
    assert penetration_depths(heights).max() == pytest.approx(0.01)
    assert penetration_depths(heights).mean() == pytest.approx(0.01 / 3)
    assert floating_heights(heights, contacts).mean() == pytest.approx(0.0025)

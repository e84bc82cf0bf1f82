"""Angles of the body from the positions of its joints."""

from collections.abc import Callable

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.evaluation.posture import across_vectors, arm_vectors, directed_lean, line_tilt, line_yaw, trunk_lean
from footfall.core.motion import Clip
from footfall.tests.support.walker import Walker


def test_a_lean_is_ahead_or_to_the_right_of_a_heading() -> None:
    vectors = np.array([[0.0, 0.5, 1.0], [0.5, 0.0, 1.0]])
    ahead, right = directed_lean(vectors, np.array([0.0, 1.0]))
    assert ahead == pytest.approx([np.degrees(np.arctan(0.5)), 0])
    assert right == pytest.approx([0, np.degrees(np.arctan(0.5))])


def test_lines_across_the_body_turn_left_and_tilt_up() -> None:
    angles = np.radians([170.0, 190.0, 210.0])
    across = np.stack([np.cos(angles), np.sin(angles), np.tan(np.radians([0.0, 5.0, -5.0]))], axis=-1)
    assert np.diff(line_yaw(across)) == pytest.approx([20, 20])
    assert line_tilt(across) == pytest.approx([0, 5, -5])


def test_bodies_without_trunk_or_arms(gliding: Callable[..., Clip]) -> None:
    clip = gliding(np.zeros((3, 2)))
    assert across_vectors(clip, "upper_arm") is None and arm_vectors(clip, "L") is None
    with pytest.raises(FootfallError, match="neck"):
        trunk_lean(clip)
    assert trunk_lean(Walker(seconds=1.0).clip()).max() == pytest.approx(0, abs=1e-6)

"""Angles of the body from the positions of its joints."""

import numpy as np
import pytest

from footfall.core.evaluation.posture import (
    directed_lean,
    line_tilt,
    line_yaw,
)


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


def test_lean_turns_with_the_heading_of_each_frame() -> None:
    vectors = np.tile([0.3, 0.4, 1.0], (4, 1))
    headings = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    ahead, right = directed_lean(vectors, headings)
    angle = np.degrees(np.arctan([0.3, 0.4]))
    assert ahead == pytest.approx([angle[0], angle[1], -angle[0], -angle[1]])
    assert right == pytest.approx([-angle[1], angle[0], angle[1], -angle[0]])

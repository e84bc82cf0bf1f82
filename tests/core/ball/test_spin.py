"""Spin of a ball: given by hands and by the floor, and kept in flight."""

import numpy as np
import pytest

from footfall.core.ball.hands import HandMotion
from footfall.core.ball.spin import ball_rotations
from footfall.core.motion.rotations import Array, inverse, log, multiply
from footfall.core.motion.signals import Mask

FRAMES, RATE = 31, 60.0
HIGH = np.tile([0.0, 0.0, 1.0], (FRAMES, 1))
NONE = np.zeros((FRAMES, 2), dtype=bool)


def turning(left_rad_s: float, right_rad_s: float) -> HandMotion:
    """Hands that turn to the left about the vertical; the axes of the left one are a left-handed frame."""
    zeros, angles = np.zeros((FRAMES, 3)), np.arange(FRAMES)[:, None] / RATE * [left_rad_s, right_rad_s]
    fingers = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=-1)
    thumbs = np.broadcast_to([0.0, 0.0, 1.0], fingers.shape)
    palms = np.cross(thumbs, fingers) * np.array([[-1.0], [1.0]])
    trunk = np.broadcast_to(np.eye(3), (FRAMES, 3, 3))
    both = np.zeros((FRAMES, 2, 3))
    return HandMotion(1.0, 0.0, both, both, np.stack([fingers, palms, thumbs], axis=2), zeros, zeros, zeros, trunk)


def touching(left: slice, right: slice) -> Mask:
    contacts = NONE.copy()
    contacts[left, 0] = contacts[right, 1] = True
    return contacts


def spins(rotations: Array, rate: float = RATE) -> Array:
    """Return the angular velocities (F - 1, 3) in the world, rad/s."""
    return log(multiply(rotations[1:], inverse(rotations[:-1]))) * rate


@pytest.mark.parametrize(
    ("left", "right", "spin"),
    [(slice(None), slice(0), 2.0), (slice(0), slice(None), -3.0), (slice(None), slice(None), -0.5)],
)
def test_a_held_ball_turns_as_the_mean_of_the_hands_that_hold_it(left: slice, right: slice, spin: float) -> None:
    found = spins(ball_rotations(turning(2.0, -3.0), HIGH, touching(left, right), RATE, 0.12))
    np.testing.assert_allclose(found, np.tile([0.0, 0.0, spin], (FRAMES - 1, 1)), atol=1e-9)


def test_a_ball_rolls_over_the_floor_about_the_axis_across_its_way() -> None:
    way = np.arange(FRAMES)[:, None] / RATE * [0.3, 0.6, 0.0]
    for height, rolls in ((0.15, True), (0.157, False)):
        found = spins(ball_rotations(turning(2.0, 2.0), way + np.array([0.0, 0.0, height]), NONE, RATE, 0.12))
        wanted = np.array([-5.0, 2.5, 0.0]) * rolls
        np.testing.assert_allclose(found, np.tile(wanted, (FRAMES - 1, 1)), atol=1e-9)


def test_a_hand_on_a_ball_at_the_floor_turns_it() -> None:
    way = np.arange(FRAMES)[:, None] / RATE * [0.3, 0.0, 0.0] + [0.0, 0.0, 0.12]
    found = spins(ball_rotations(turning(2.0, 2.0), way, touching(slice(None), slice(0)), RATE, 0.12))
    np.testing.assert_allclose(found, np.tile([0.0, 0.0, 2.0], (FRAMES - 1, 1)), atol=1e-9)

"""Cues of hands in closed form: hands whose axes are those of the world, at rest and evenly accelerated."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.ball.cues import contact_cues, usual_centers, velocity_cues
from footfall.core.ball.hands import HandMotion
from footfall.core.motion.rotations import Array

FRAMES, MIDDLE = 101, 50
OVER_TIME = (3, 1, 1, 1, 3, 3, 1, 1, 3, 1)
NOW = (3, 3, 1, 3)
ACCELERATION = np.array([1.0, -2.0, 3.0])
TIMES = (np.arange(FRAMES) - MIDDLE) / 60.0


def still() -> HandMotion:
    """Hands 60 cm apart: the left one's axes are the world's, the right one's fingers point the other way."""
    axes = np.stack([np.eye(3), np.diag([-1.0, 1.0, 1.0])])

    def always(value: object) -> Array:
        array = np.asarray(value, dtype=float)
        return np.broadcast_to(array, (FRAMES, *array.shape)).copy()

    return HandMotion(
        1.0,
        0.0,
        always([[0.3, 0.0, 1.0], [-0.3, 0.0, 1.0]]),
        always([[0.3, 0.0, 1.25], [-0.3, -0.5, 1.0]]),
        always(axes),
        always([0.0, 0.0, 0.9]),
        always([0.43, 0.14, 1.6]),
        always([0.0, 0.0, -1.0]),
        always(np.eye(3)),
    )


def accelerated() -> HandMotion:
    way = (0.5 * TIMES[:, None] ** 2 * ACCELERATION)[:, None]
    hands = still()
    return replace(hands, wrists=hands.wrists + way, elbows=hands.elbows + way)


def contact_parts(hands: HandMotion, frame: int = MIDDLE) -> list[Array]:
    """Return the cues of a frame, one by one: (2, 9, K) of those over time, and (2, K) of the others."""
    widths = [9 * width for width in OVER_TIME] + list(NOW)
    cues = contact_cues(hands)[frame]
    assert cues.shape == (2, sum(widths))
    parts = np.split(cues, np.cumsum(widths)[:-1], axis=1)
    return [part.reshape(2, 9, -1) for part in parts[: len(OVER_TIME)]] + parts[len(OVER_TIME) :]


def test_a_ball_is_before_the_palm_toward_fingers_and_thumb() -> None:
    np.testing.assert_allclose(usual_centers(still())[0], [[0.43, 0.14, 1.1], [-0.43, 0.14, 1.1]])


def test_cues_of_contact_of_still_hands() -> None:
    speed, up_speed, change, size, up, apart, distance, facing, from_hips, seen, out, fingers, height, arm = (
        contact_parts(still())
    )
    for still_part in (speed, up_speed, change, size):
        np.testing.assert_allclose(still_part, 0.0, atol=1e-12)
    np.testing.assert_allclose(up, np.broadcast_to([0.0, 0.0, 1.0], (2, 9, 3)))
    np.testing.assert_allclose(apart, np.broadcast_to([-2.58, 0.0, 0.0], (2, 9, 3)), atol=1e-12)
    np.testing.assert_allclose(distance, 2.58)
    np.testing.assert_allclose(facing, 1.0)
    np.testing.assert_allclose(from_hips, np.broadcast_to([1.29, 0.42, 0.6], (2, 9, 3)))
    np.testing.assert_allclose(seen[0], 2.0)
    np.testing.assert_allclose(seen[1], 2.0 * 0.5 / np.hypot(0.5, 0.86))
    np.testing.assert_allclose(out, [[0.0, 1.0, 0.0]] * 2)
    np.testing.assert_allclose(fingers, [[-1.0, 0.0, 0.0]] * 2)
    np.testing.assert_allclose(height, 1.1)
    np.testing.assert_allclose(arm, [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


@pytest.mark.parametrize(
    ("mask", "center", "fingers", "count"),
    [
        ((True, False), [0.43, 0.14, 0.2], [1.0, 0.0, 0.0], -0.5),
        ((False, True), [-0.43, 0.14, 0.2], [-1.0, 0.0, 0.0], -0.5),
        ((True, True), [0.0, 0.14, 0.2], [0.0, 0.0, 0.0], 0.5),
    ],
)
def test_cues_of_a_velocity_are_means_of_the_hands_that_touch(
    mask: tuple[bool, bool], center: list[float], fingers: list[float], count: float
) -> None:
    hands = accelerated()
    looking = np.arange(FRAMES)[:, None] * [1.0, 0.0, 0.0]
    hands = replace(hands, gaze=looking, hips=hands.hips + TIMES[:, None] * [0.0, 0.5, 0.0])
    cues = velocity_cues(hands, mask)
    assert cues.shape == (FRAMES, 13, 3)
    for row, offset in enumerate((-12, -8, -4, 0, 4, 8)):
        np.testing.assert_allclose(cues[MIDDLE, row], ACCELERATION * offset / 60.0, atol=1e-9)
    np.testing.assert_allclose(cues[MIDDLE, 6:9], [[0.0, 1.0, 0.0], fingers, center], atol=1e-12)
    np.testing.assert_allclose(cues[MIDDLE, 9:11, 0], [MIDDLE, MIDDLE - 8])
    np.testing.assert_allclose(cues[MIDDLE, 11:], [[0.0, 0.5, 0.0], [0.0, 0.0, count]], atol=1e-9)

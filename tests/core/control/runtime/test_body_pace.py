"""The pace of bodies: answers that jump are followed with the accelerations of people, others as they are."""

import numpy as np

from footfall.core.control.runtime.body_pace import MAX_ACCELERATIONS_M_S2, MAX_SPEEDS_M_S, BodyPace
from footfall.core.features.interaction import output_layout

DT = 1 / 60
NAMES = ("hips", "head")
OUT = output_layout(NAMES)
PACE = BodyPace([0, 1], MAX_SPEEDS_M_S, MAX_ACCELERATIONS_M_S2)


def standing(height: float) -> np.ndarray:
    """Return an output (1, m) whose hips and head are at a height, and the head above."""
    y = np.zeros((1, OUT.size), dtype=np.float32)
    OUT.view(y, "pose.position")[0, :, 2] = [height, height + 0.6]
    OUT.view(y, "pose.rotation")[0, :, 0] = height
    return y


def followed(heights: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Return heights of the hips (F) as a body follows answers, and its shares (F)."""
    last = before = standing(heights[0])
    found, shares = [], []
    for height in heights:
        now, share = PACE.follow(OUT, standing(height), last, before, DT)
        last, before = now, last
        found.append(float(OUT.view(now, "pose.position")[0, 0, 2]))
        shares.append(float(share[0]))
    return np.array(found), np.array(shares)


def test_a_motion_of_people_is_followed_as_it_is() -> None:
    heights = [0.95 - 0.15 * (1 - np.cos(t)) for t in np.linspace(0, np.pi, 60)]
    found, shares = followed(heights)
    np.testing.assert_allclose(found, heights, atol=1e-6)
    np.testing.assert_allclose(shares, 1.0)


def test_a_jump_is_followed_with_bounded_speed_and_acceleration_and_arrives() -> None:
    found, shares = followed([0.7] * 5 + [0.9] * 90)
    speeds = np.diff(found) / DT
    assert np.abs(speeds).max() <= MAX_SPEEDS_M_S[0] * 1.001
    assert np.diff(speeds).max() / DT <= MAX_ACCELERATIONS_M_S2[0] * 1.01
    assert shares[5] < 0.1 < shares[-1]
    np.testing.assert_allclose(found[-20:], 0.9, atol=0.01)

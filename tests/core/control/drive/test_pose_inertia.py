"""The offset of a motion that another controller goes on with."""

import numpy as np
import pytest

from footfall.core.control.drive.pose_inertia import PoseInertia
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.rotations import length, log, rotation_about_up

RATE = 60.0
SKELETON = Skeleton(("hips",), (-1,), np.zeros((1, 3)), np.ones((1, 3)), {"hips": 0})


def pose(place: float, turn: float = 0.0) -> Clip:
    return Clip(SKELETON, RATE, np.array([[place, 0.0, 1.0]]), rotation_about_up(np.array([[turn]])))


def test_a_motion_goes_on_at_its_speed_and_comes_to_the_other_one() -> None:
    inertia = PoseInertia(RATE)
    for frame in range(5):
        inertia.follow(pose(0.01 * frame, 0.02 * frame))
    inertia.begin()
    shown = [inertia.follow(pose(1.0 + 0.01 * frame, 0.5)) for frame in range(120)]
    assert shown[0].root_positions[0, 0] == pytest.approx(0.05)
    assert log(shown[0].rotations)[0, 0, 2] == pytest.approx(0.10)
    steps = length(np.diff(np.concatenate([one.root_positions for one in shown]), axis=0))
    # An offset of 95 cm that is critically damped at 9 Hz moves by 9 / e of it a second at most.
    assert steps.max() < 0.01 + 0.95 * 9.0 / np.e / RATE * 1.01
    np.testing.assert_allclose(shown[-1].root_positions[0, 0], 1.0 + 0.01 * 119, atol=1e-4)
    np.testing.assert_allclose(log(shown[-1].rotations)[0, 0, 2], 0.5, atol=1e-4)

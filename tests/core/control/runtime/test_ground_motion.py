"""Ground that moves under a character: its shift and its turn in closed form."""

from dataclasses import dataclass

import numpy as np
import pytest

from footfall.core.control.runtime.ground_motion import TUNING as GROUND_MOTION_TUNING
from footfall.core.control.runtime.ground_motion import ground_motion
from footfall.core.motion.rotations import Array, rotate, rotation_about_up
from footfall.core.terrain.ground import EmptyScene

HERE = np.array([1.0, 2.0, 0.5])


@dataclass
class Turntable(EmptyScene):
    """Ground that turns about the origin, and is shifted, from one frame to the next; it may end at a line.

    Attributes:
        turn: to the left, radians a frame.
        shift: (3) meters a frame.
        edge: y from which on ground rests, meters.
    """

    turn: float = 0.0
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    edge: float = np.inf

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        np.testing.assert_allclose(points[..., 2], HERE[2] + GROUND_MOTION_TUNING.probe_height)
        frames = to_frame - from_frame
        moved = rotate(rotation_about_up(np.array(self.turn * frames)), points) + np.array(self.shift) * frames
        return np.where(points[..., 1:2] < self.edge, moved, points)


@pytest.mark.parametrize("yaw", [0.0, 0.7, 3.1, -3.1])
def test_a_lift_shifts_what_stands_on_it_and_turns_nothing(yaw: float) -> None:
    moved = ground_motion(Turntable(shift=(0.02, 0.0, -0.01)), HERE, yaw, 7)
    assert moved is not None
    turn, shift = moved
    assert turn == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(shift, [0.02, 0.0, -0.01], atol=1e-12)


@pytest.mark.parametrize("turn", [0.03, -0.03])
@pytest.mark.parametrize("yaw", [0.0, 1.2, 3.13, -3.13])
def test_a_turntable_turns_a_character_as_it_turns_and_carries_it_around(turn: float, yaw: float) -> None:
    moved = ground_motion(Turntable(turn), HERE, yaw, 7)
    assert moved is not None
    assert moved[0] == pytest.approx(turn)
    np.testing.assert_allclose(moved[1], rotate(rotation_about_up(np.array(turn)), HERE) - HERE, atol=1e-12)

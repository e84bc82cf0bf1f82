"""Poses that no body can take: what is told of them, and from which limits on."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.edit.ground_root import GroundRoot
from footfall.core.control.edit.key_pose import KeyPose
from footfall.core.control.edit.pose_warping import impossible_poses
from footfall.core.motion import Clip
from footfall.tests.support.walker import person

BODY, RATE, COUNT, FRAME = person(), 60.0, 120, 60
STILL = Clip(
    BODY, RATE, np.tile([0.0, 0.0, 1.0], (COUNT, 1)), np.tile(np.array([1.0, 0.0, 0.0, 0.0]), (COUNT, len(BODY), 1))
)
ROOT = GroundRoot(np.zeros((COUNT, 3)), np.zeros(COUNT))


def moved(speed: float, frame: int = FRAME) -> Clip:
    """The body, which is put aside at a speed, m/s, in the step to one frame."""
    aside = np.where(np.arange(COUNT)[:, None] < frame, 0.0, speed / RATE) * [1.0, 0.0, 0.0]
    return replace(STILL, root_positions=STILL.root_positions + aside)


def key(after: Clip, seconds: float = 0.5, keeps: bool = True) -> KeyPose:
    """A pose that the motion has, in the world, as the root is at its origin."""
    joints = np.full(len(BODY), keeps)
    return KeyPose(FRAME, after.cut(FRAME, FRAME + 1), joints, seconds, seconds)


def told(before: Clip, after: Clip, pose: KeyPose) -> list[str]:
    return [str(message) for message in impossible_poses(before, after, [pose], ROOT)]


@pytest.mark.parametrize(("speed", "roles"), [(3.9, set()), (4.1, {"hips"}), (11.9, {"hips"})])
def test_hips_move_at_four_meters_a_second_at_most(speed: float, roles: set[str]) -> None:
    after = moved(speed)
    found = told(STILL, after, key(after))
    assert {one.split(" must move at ")[0].rpartition(" ")[2] for one in found} == roles
    if roles:
        assert found == [
            f"To reach the key pose at frame 60, hips must move at {speed:.1f} m/s, "
            f"{speed - 4.0:.1f} m/s faster than a body can"
        ]


def test_hands_and_feet_move_at_twelve() -> None:
    after = moved(12.1)
    roles = {one.split(" must move at ")[0].rpartition(" ")[2] for one in told(STILL, after, key(after))}
    assert roles == {"hips", "hand.L", "hand.R", "foot.L", "foot.R"}

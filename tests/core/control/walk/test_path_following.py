"""Path following: the commands of a frame, the correction of drift, and what a roll-out takes over from another.

The paths are straight, the timings even, and the controller answers with constants: all is a closed form.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.path.path import Path
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.control.walk.follower_plan import FollowerPlan
from footfall.core.control.walk.path_following import PathFollower
from footfall.core.models.model_file import ControllerModel
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.timings import plain_timing

NORTH = Path(np.array([[0.0, 0.0], [0.0, 6.0]]))


@pytest.fixture(scope="module")
def model(controller: Callable[..., ControllerModel]) -> ControllerModel:
    """It goes straight on at 1.2 m/s when it does not stand."""
    return controller((0.0, 1.2))


def plan(path: Path = NORTH, speed: float = 1.2, yaw_offset: float = 0.0) -> FollowerPlan:
    """A plan that is at its speed from the first frame to the last."""
    count = round(path.length / speed * 60) + 1
    even = plain_timing(np.linspace(0.0, path.length, count), np.full(count, speed), gaits=4)
    timing = replace(even, yaw_offsets=np.full(count, yaw_offset))
    profile = TerrainProfile.from_path(path, WalkScene(), 0.0)
    return FollowerPlan(
        path, profile, timing, speed, WalkScene().ground, 0, (), None, responsiveness=0.5, accompaniment=None
    )


# --- The commands of a frame


def test_a_roll_out_begins_with_its_facing(model: ControllerModel) -> None:
    follower = PathFollower(model, [plan(yaw_offset=0.5), plan(Path(np.array([[1.0, 2.0], [4.0, 2.0]])))])
    np.testing.assert_allclose(follower.runtime.yaw, [0.5, -np.pi / 2], atol=1e-6)
    np.testing.assert_allclose(follower.runtime.position, [[0.0, 0.0], [1.0, 2.0]], atol=1e-9)


# --- Frames, and characters that are finished


def test_a_roll_out_stands_before_the_first_step_and_after_the_last(model: ControllerModel) -> None:
    follower = PathFollower(model, [plan()])
    assert follower.frames_done == 0 and follower.active_rows.tolist() == [0]
    total = follower.frames_left
    assert total == 301 + round(60 * (0.5 + 1.0)), "half a second before it, and a second after it"
    assert follower.advance(100)
    assert (follower.frames_done, follower.frames_left) == (100, total - 100)
    while follower.advance(50):
        pass
    assert follower.frames_left == 0 and not follower.advance(5)
    assert follower.frame_count(0) == follower.frames_done


# --- What is taken over from another roll-out


def advanced(follower: PathFollower, frames: int = 1000) -> PathFollower:
    follower.advance(frames)
    return follower


def test_what_is_taken_over_ends_before_a_timing_differs_that_is_read_ahead(model: ControllerModel) -> None:
    """In the third second, before the 150th frame of the plan, the last sample is in the 199th."""
    changed = plan()
    speeds = changed.timing.speeds.copy()
    speeds[201:] *= 0.5
    changed = replace(changed, timing=replace(changed.timing, speeds=speeds))
    before = advanced(PathFollower(model, [plan()]))
    assert PathFollower(model, [changed]).resume_from(before) == 180
    speeds[200:] *= 0.5
    assert PathFollower(model, [changed]).resume_from(before) == 120

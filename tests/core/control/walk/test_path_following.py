"""Path following: the commands of a frame, the correction of drift, and what a roll-out takes over from another.

The paths are straight, the timings even, and the controller answers with constants: all is a closed form.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.path.path import Path
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.control.path.velocity_profile import Timing
from footfall.core.control.walk.follower_plan import FollowerPlan
from footfall.core.control.walk.path_following import PathFollower
from footfall.core.models.model_file import ControllerModel
from footfall.core.terrain.walk_scene import WalkScene

NORTH = Path(np.array([[0.0, 0.0], [0.0, 6.0]]))


@pytest.fixture(scope="module")
def model(controller: Callable[..., ControllerModel]) -> ControllerModel:
    """It goes straight on at 1.2 m/s when it does not stand."""
    return controller((0.0, 1.2))


def plan(path: Path = NORTH, speed: float = 1.2, yaw_offset: float = 0.0) -> FollowerPlan:
    """A plan that is at its speed from the first frame to the last."""
    count = round(path.length / speed * 60) + 1
    even = Timing.without_cues(np.linspace(0.0, path.length, count), np.full(count, speed), gaits=4)
    timing = replace(even, yaw_offsets=np.full(count, yaw_offset))
    profile = TerrainProfile.from_path(path, WalkScene(), 0.0)
    return FollowerPlan(path, profile, timing, speed, WalkScene().ground, 0, (), None, responsiveness=0.5, dribble=None)


def at(follower: PathFollower, frame: int, position: tuple[float, float], arc_length: float) -> PathFollower:
    """Put the only character of a follower somewhere, at a frame of its plan."""
    follower._plan_frames = np.array([frame])
    follower._arc_lengths = np.array([arc_length])
    follower.runtime.state.position = np.array([position])
    return follower


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


def test_a_finished_character_leaves_the_others(model: ControllerModel) -> None:
    near = Path(np.array([[5.0, 0.0], [5.0, 2.0]]))
    follower = PathFollower(model, [plan(near), plan()])
    while len(follower.active_rows) == 2:
        assert follower.advance(1)
    assert follower.active_rows.tolist() == [1]
    assert len(follower.runtime) == 1 and follower.runtime.position[0, 0] < 1.0
    while follower.advance(50):
        pass
    assert follower.frame_count(0) < follower.frame_count(1) == follower.frames_done
    np.testing.assert_allclose(follower.trace(0).frames.position[0], [5.0, 0.0], atol=1e-6)
    assert len(follower.trace(1, 10, 30).gaits) == 20 and len(follower.trace(1, 10).gaits) == follower.frames_done - 10


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


def test_one_of_a_crowd_that_starts_otherwise_keeps_all_from_being_taken_over(model: ControllerModel) -> None:
    before = advanced(PathFollower(model, [plan(), plan()]), 200)
    assert PathFollower(model, [plan(), plan()]).resume_from(before) == 180
    assert PathFollower(model, [plan(), replace(plan(), seed=1)]).resume_from(before) == 0


# --- What each character is told before its first frame


def test_seeds_performers_and_responsiveness_are_the_plan_s(model: ControllerModel) -> None:
    plans = [plan(), replace(plan(), seed=5), replace(plan(), responsiveness=1.0), replace(plan(), responsiveness=0.0)]
    state = PathFollower(model, plans).runtime.state
    assert state.phase[0] == state.phase[2] == pytest.approx(0.25) and state.phase[1] != pytest.approx(0.25)
    np.testing.assert_allclose(state.biases, [[2.0, 5.0], [2.0, 5.0], [8.0, 20.0], [0.5, 1.25]])
    assert PathFollower(model, plans).runtime.variation is None

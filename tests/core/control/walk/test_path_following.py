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
from footfall.core.control.runtime.locomotion_runtime import LocomotionCommand
from footfall.core.control.walk.follower_plan import FollowerPlan
from footfall.core.control.walk.path_following import PathFollower, _first_differing_row
from footfall.core.models.model_file import ControllerModel
from footfall.core.motion.rotations import Array
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.commands import next_command
from footfall.tests.support.terrain_scenes import FLOOR, Boxes, Carrier

DT = 1 / 60
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


def corrected(follower: PathFollower, speed: float = 1.2) -> Array:
    """The shift (2), meters, by which a frame's correction draws the root."""
    before = follower.runtime.position.copy()
    follower._correct_drift(np.array([speed]))
    return (follower.runtime.position - before)[0]


# --- The correction of drift


def test_a_root_beside_its_path_comes_back_in_seven_tenths_of_a_second(model: ControllerModel) -> None:
    """A steady drift is corrected besides: smoothed over 0.3 s, with a time constant of 0.3 s."""
    for aside in (0.1, -0.1):
        follower = at(PathFollower(model, [plan()]), 149, (aside, 3.0), 3.0)
        expected = -aside * DT / 0.7 - (aside * DT / 0.3) * DT / 0.3
        np.testing.assert_allclose(corrected(follower), [expected, 0.0], atol=1e-9)
        assert follower._drifts == pytest.approx(-aside * DT / 0.3)


def test_a_root_behind_its_plan_is_drawn_on_by_its_lag_in_a_second(model: ControllerModel) -> None:
    follower = at(PathFollower(model, [plan()]), 149, (0.0, 2.9), 2.9)
    np.testing.assert_allclose(corrected(follower), [0.0, 0.1 * DT], atol=1e-9)
    follower = at(PathFollower(model, [plan()]), 149, (0.0, 3.1), 3.1)
    np.testing.assert_allclose(corrected(follower), [0.0, -0.1 * DT], atol=1e-4)


def test_a_correction_is_three_tenths_of_the_planned_speed_at_most(model: ControllerModel) -> None:
    follower = at(PathFollower(model, [plan()]), 149, (0.8, 3.0), 3.0)
    np.testing.assert_allclose(corrected(follower), [-0.3 * 1.2 * DT, 0.0], atol=1e-9)
    follower = at(PathFollower(model, [plan()]), 149, (0.8, 3.0), 3.0)
    np.testing.assert_allclose(corrected(follower, speed=0.0), 0.0)


@pytest.mark.parametrize(
    ("offset", "ratio"), [(0.0, 1.0), (np.pi / 4, 3.0), (-np.pi / 4, 3.0), (np.pi / 2, 5.0), (np.pi, 5.0)]
)
def test_a_side_step_is_corrected_up_to_five_times_as_fast(model: ControllerModel, offset: float, ratio: float) -> None:
    follower = at(PathFollower(model, [plan(yaw_offset=offset)]), 149, (0.02, 3.0), 3.0)
    expected = -0.02 * ratio * DT / 0.7 - (0.02 * DT / 0.3) * DT / 0.3
    np.testing.assert_allclose(corrected(follower), [expected, 0.0], atol=1e-9)


def test_a_weight_shift_is_no_drift(model: ControllerModel) -> None:
    """A root that has shifted 3 cm to the right of a path to the north is where it is to be."""
    follower = at(PathFollower(model, [plan()]), 149, (0.03, 3.0), 3.0)
    follower._shifts = np.array([0.03])
    np.testing.assert_allclose(corrected(follower), 0.0, atol=1e-9)


# --- The commands of a frame


def commanded(follower: PathFollower, monkeypatch: pytest.MonkeyPatch) -> LocomotionCommand:
    """The command of the next frame."""
    return next_command(follower.runtime, follower._advance_frame, monkeypatch)


def test_a_character_in_time_is_told_its_path_ahead(model: ControllerModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten frames from sample to sample, that is 0.2 m."""
    follower = at(PathFollower(model, [plan()]), 150, (0.0, 3.0), 3.0)
    command = commanded(follower, monkeypatch)
    ahead = 3.0 + 0.2 * np.arange(1, 6)
    np.testing.assert_allclose(command.positions, np.stack([np.zeros(5), ahead], axis=-1)[None], atol=1e-6)
    np.testing.assert_allclose(command.yaws, 0.0, atol=1e-9)
    np.testing.assert_allclose(command.gaits[0], np.tile([0.0, 1.0, 0.0, 0.0], (5, 1)), atol=1e-9)
    np.testing.assert_array_equal(command.levels, np.zeros((1, 6)))


def test_a_character_that_lags_makes_up_three_times_its_lag_within_the_time_ahead(
    model: ControllerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    follower = at(PathFollower(model, [plan()]), 150, (0.0, 2.9), 2.9)
    command = commanded(follower, monkeypatch)
    share = np.arange(1, 6) / 5
    np.testing.assert_allclose(command.positions[0, :, 1], 2.9 + 1.0 * share + 3.0 * 0.1 * share, atol=1e-6)


def test_a_character_beside_its_path_is_told_to_come_back_to_it(
    model: ControllerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The offset falls with the square of the time that is left."""
    follower = at(PathFollower(model, [plan()]), 150, (0.1, 3.0), 3.0)
    command = commanded(follower, monkeypatch)
    np.testing.assert_allclose(command.positions[0, :, 0], 0.1 * np.array([0.8, 0.6, 0.4, 0.2, 0.0]) ** 2, atol=1e-6)


def test_a_side_step_is_told_by_its_facing(model: ControllerModel, monkeypatch: pytest.MonkeyPatch) -> None:
    follower = at(PathFollower(model, [plan(yaw_offset=0.5)]), 150, (0.0, 3.0), 3.0)
    np.testing.assert_allclose(commanded(follower, monkeypatch).yaws, 0.5, atol=1e-9)


def test_a_roll_out_begins_with_its_facing(model: ControllerModel) -> None:
    follower = PathFollower(model, [plan(yaw_offset=0.5), plan(Path(np.array([[1.0, 2.0], [4.0, 2.0]])))])
    np.testing.assert_allclose(follower.runtime.yaw, [0.5, -np.pi / 2], atol=1e-6)
    np.testing.assert_allclose(follower.runtime.position, [[0.0, 0.0], [1.0, 2.0]], atol=1e-9)


def test_what_is_planned_and_commanded_is_recorded(model: ControllerModel) -> None:
    follower = at(PathFollower(model, [plan()]), 150, (0.0, 2.9), 2.9)
    follower._advance_frame()
    trace = follower.trace(0)
    np.testing.assert_allclose(trace.planned_lengths, [3.0])
    np.testing.assert_allclose(trace.gaits, [[0.0, 1.0, 0.0, 0.0]], atol=1e-9)


@pytest.mark.parametrize(("speed", "slow"), [(1.2, 0.4), (0.4, 0.4), (0.35, 0.35)])
def test_standing_ends_at_a_fifth_of_a_meter_a_second_or_half_a_slower_speed(
    model: ControllerModel, speed: float, slow: float
) -> None:
    np.testing.assert_array_equal(PathFollower(model, [plan(speed=speed)])._slow_speeds, [slow])


def test_phases_go_on_by_the_offsets_of_the_plan(controller: Callable[..., ControllerModel]) -> None:
    """A controller at one cycle a second; the plan adds a tenth of a cycle at a frame, and takes one away."""
    for offset in (0.1, -0.1):
        timing = replace(plan().timing, phase_offsets=np.full(301, offset))
        plain, shifted = (
            at(PathFollower(controller((0.0, 1.2)), [one]), 150, (0.0, 3.0), 3.0)
            for one in (plan(), replace(plan(), timing=timing))
        )
        plain._advance_frame()
        shifted._advance_frame()
        assert shifted.runtime.phase[0] == pytest.approx((plain.runtime.phase[0] + offset) % 1.0)


# --- Waiting for who is late


@pytest.mark.parametrize(("lag", "frames"), [(0.2, 1), (0.29, 1), (0.31, 0), (2.0, 0)])
def test_the_plan_waits_from_a_lag_of_thirty_centimeters_on(model: ControllerModel, lag: float, frames: int) -> None:
    follower = at(PathFollower(model, [plan()]), 150, (0.0, 3.0 - lag), 3.0 - lag)
    follower._advance_frame()
    assert follower._plan_frames.tolist() == [150 + frames]
    assert follower._wait_budgets.tolist() == [301 - (1 - frames)]


def test_the_plan_waits_for_as_long_as_it_is_and_no_longer(model: ControllerModel) -> None:
    follower = at(PathFollower(model, [plan()]), 150, (0.0, 1.0), 1.0)
    follower._wait_budgets = np.array([1])
    follower._advance_frame()
    assert follower._plan_frames.tolist() == [150] and follower._wait_budgets.tolist() == [0]
    at(follower, 150, (0.0, 1.0), 1.0)._advance_frame()
    assert follower._plan_frames.tolist() == [151] and follower._wait_budgets.tolist() == [0]


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


def test_states_are_recorded_each_second(model: ControllerModel) -> None:
    follower = PathFollower(model, [plan()])
    follower.advance(130)
    assert [snapshot.frames_done for snapshot in follower._snapshots] == [0, 60, 120]


def test_how_far_plans_are_read_is_recorded_and_never_falls(model: ControllerModel) -> None:
    """Up to what the command looks at, and at least 1.25 m ahead, where the nearest point and the ground are read."""
    follower = at(PathFollower(model, [plan()]), 150, (0.0, 3.0), 3.0)
    follower._record_look_ahead(np.array([4.0]), np.array([200]))
    assert follower._look_ahead_lengths == pytest.approx(4.25) and follower._look_ahead_frames == 201
    follower._record_look_ahead(np.array([5.0]), np.array([190]))
    assert follower._look_ahead_lengths == pytest.approx(5.05) and follower._look_ahead_frames == 201
    follower._record_look_ahead(np.array([4.0]), np.array([210]))
    assert follower._look_ahead_lengths == pytest.approx(5.05) and follower._look_ahead_frames == 211


# --- What is taken over from another roll-out


def advanced(follower: PathFollower, frames: int = 1000) -> PathFollower:
    follower.advance(frames)
    return follower


def test_the_first_row_in_which_tables_differ() -> None:
    table = np.arange(12.0).reshape(6, 2)
    other = table.copy()
    other[4, 1] += 1.0
    assert _first_differing_row(table, table.copy()) == float("inf")
    assert _first_differing_row(table, other) == 4.0
    assert _first_differing_row(table, table[:5]) == _first_differing_row(table[:5], table) == 5.0
    other[0, 0] += 1.0
    assert _first_differing_row(table, other) == 0.0


def test_a_roll_out_of_the_same_plan_is_taken_over_to_its_last_second(model: ControllerModel) -> None:
    before = advanced(PathFollower(model, [plan()]))
    again = PathFollower(model, [plan()])
    kept = again.resume_from(before)
    assert kept % 60 == 0 and 0 <= before.frames_done - kept < 60
    assert again.frames_done == kept and again.frames_left == before.frames_done - kept
    advanced(again)
    assert again.frames_done == before.frames_done
    np.testing.assert_array_equal(again.trace(0).frames.position, before.trace(0).frames.position)


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


def test_plans_that_differ_from_the_first_frame_on_share_the_standing_before_it(model: ControllerModel) -> None:
    """The first state is read up to no frame yet."""
    other = plan(Path(np.array([[0.0, 0.0], [1.0, 6.0]])))
    assert PathFollower(model, [other]).resume_from(advanced(PathFollower(model, [plan()]))) == 0


def test_the_time_to_wait_grows_with_the_plan(model: ControllerModel) -> None:
    longer = plan(Path(np.array([[0.0, 0.0], [0.0, 9.0]])))
    again, before = PathFollower(model, [longer]), advanced(PathFollower(model, [plan()]))
    assert again.resume_from(before) > 100
    waited = before._snapshots[again.frames_done // 60].state["_wait_budgets"][0] - 301
    assert again._wait_budgets.tolist() == [451 + waited]


def ridden() -> FollowerPlan:
    """A plan on a floor that moves to the east, 1 cm a frame."""
    ground = Carrier(Boxes([FLOOR]), Boxes([((-9.0, -9.0, -1.0), (9.0, 9.0, 0.2))]), velocity=(0.01, 0.0, 0.0))
    scene = WalkScene(ground)
    return replace(plan(), ground=ground, profile=TerrainProfile.from_path(NORTH, scene, 0.2))


def test_only_roll_outs_that_start_alike_are_taken_over(
    model: ControllerModel, controller: Callable[..., ControllerModel]
) -> None:
    before = advanced(PathFollower(model, [plan()]), 200)
    assert PathFollower(model, [plan()])._can_resume_from(before)
    assert PathFollower(model, [plan(speed=1.0)])._can_resume_from(before), "both are above the slow speed"
    assert not PathFollower(controller((0.0, 1.2)), [plan()])._can_resume_from(before)
    assert not PathFollower(model, [plan(), plan()])._can_resume_from(before)
    assert not advanced(PathFollower(model, [plan()]), 1)._can_resume_from(before)
    assert not PathFollower(model, [replace(plan(), seed=1)])._can_resume_from(before)
    assert not PathFollower(model, [plan(speed=0.35)])._can_resume_from(before)
    assert not PathFollower(model, [ridden()])._can_resume_from(before)
    assert not PathFollower(model, [plan()])._can_resume_from(advanced(PathFollower(model, [ridden()]), 1))


def test_one_of_a_crowd_that_starts_otherwise_keeps_all_from_being_taken_over(model: ControllerModel) -> None:
    before = advanced(PathFollower(model, [plan(), plan()]), 200)
    assert PathFollower(model, [plan(), plan()]).resume_from(before) == 180
    assert PathFollower(model, [plan(), replace(plan(), seed=1)]).resume_from(before) == 0


# --- Moving ground


def test_a_character_and_its_path_go_with_the_ground(model: ControllerModel) -> None:
    """The ground has moved by 1 cm in each frame but the first."""
    still, moved = PathFollower(model, [plan()]), PathFollower(model, [ridden()])
    for follower in (still, moved):
        follower.advance(1)
    np.testing.assert_allclose(moved.runtime.position, still.runtime.position, atol=1e-9)
    np.testing.assert_allclose(moved.paths[0].position_at(0.0), [0.0, 0.0], atol=1e-9)
    for follower in (still, moved):
        follower.advance(10)
    np.testing.assert_allclose(moved.runtime.position - still.runtime.position, [[0.1, 0.0]], atol=1e-6)
    np.testing.assert_allclose(moved.paths[0].position_at(np.array([0.0, 6.0])), [[0.1, 0.0], [0.1, 6.0]], atol=1e-6)
    np.testing.assert_allclose(moved._tables.path_at(np.array([1.0])).points, [[0.1, 1.0]], atol=1e-6)


# --- What each character is told before its first frame


def test_seeds_performers_and_responsiveness_are_the_plan_s(model: ControllerModel) -> None:
    plans = [plan(), replace(plan(), seed=5), replace(plan(), responsiveness=1.0), replace(plan(), responsiveness=0.0)]
    state = PathFollower(model, plans).runtime.state
    assert state.phase[0] == state.phase[2] == pytest.approx(0.25) and state.phase[1] != pytest.approx(0.25)
    np.testing.assert_allclose(state.biases, [[2.0, 5.0], [2.0, 5.0], [8.0, 20.0], [0.5, 1.25]])
    assert PathFollower(model, plans).runtime.variation is None

"""Waypoints of a walk: plans that are corrected by what a roll-out missed, and the last centimeters."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.path.path import Path
from footfall.core.control.path.timed_waypoints import MAX_CORRECTION_M, Waypoint
from footfall.core.control.path.velocity_profile import Timing
from footfall.core.control.runtime.locomotion_runtime import RuntimeFrames
from footfall.core.control.walk.rollout_trace import RolloutTrace
from footfall.core.control.walk.waypoint_solver import WaypointSolver
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.root_frame import root_track
from footfall.tests.support.walker import person

RATE, COUNT = 60.0, 361
AT = 180
"""Frame of the waypoint, 3 s after the start, 3 m along a path of 6 m."""
WAY = Path(np.column_stack([np.zeros(121), 0.05 * np.arange(121)]))
ALONG = np.arange(COUNT) / RATE
TIMING = Timing(*(np.zeros(COUNT) for _ in range(5)), np.zeros((COUNT, 1)))
TIMING = replace(TIMING, distances=ALONG)


def trace(aside: float = 0.0, behind: float = 0.0) -> RolloutTrace:
    """A roll-out at 1 m/s along +Y, beside the path and behind its plan."""
    position = np.column_stack([np.full(COUNT, aside), ALONG - behind])
    nothing = np.zeros(COUNT)
    frames = RuntimeFrames(
        position, nothing, nothing, (ALONG % 1.0), np.zeros((COUNT, 4)), np.zeros((COUNT, 1), np.float32)
    )
    return RolloutTrace(frames, np.zeros((COUNT, 1)), ALONG)


def solver(*waypoints: Waypoint, reason: str = "") -> WaypointSolver:
    lengths = np.array([waypoint.position[1] for waypoint in waypoints])
    return WaypointSolver(waypoints, WAY, lengths, [reason] * len(waypoints), RATE)


def waypoint(**changes: object) -> Waypoint:
    return Waypoint(3.0, np.array([0.0, 3.0]), **changes)  # type: ignore[arg-type]


def walked(made: RolloutTrace) -> Clip:
    """A body at rest that is moved along a trace, its hips over the root."""
    body = person()
    roots = np.column_stack([made.frames.position, np.ones(COUNT)])
    return Clip(body, RATE, roots, np.tile([1.0, 0.0, 0.0, 0.0], (COUNT, len(body), 1)))


@pytest.mark.parametrize(("behind", "replans"), [(0.079, False), (0.081, True), (-0.079, False), (-0.081, True)])
def test_a_walk_is_planned_again_from_eight_centimeters_off_its_waypoint_on(behind: float, replans: bool) -> None:
    made = solver(waypoint()).replan(trace(behind=behind), TIMING, RATE)
    assert (made is not None) == replans
    if made is not None:
        assert made.distances[AT] - ALONG[AT] == pytest.approx(behind, abs=1e-6)
        assert (np.diff(made.distances) >= 0.0).all() and made.distances[-1] <= WAY.length


def test_what_a_walk_is_off_to_the_side_is_nothing_that_a_plan_corrects() -> None:
    assert solver(waypoint()).replan(trace(aside=0.5), TIMING, RATE) is None


def test_a_waypoint_that_cannot_be_met_is_not_planned_for() -> None:
    assert solver(waypoint(), reason="too far").replan(trace(behind=0.5), TIMING, RATE) is None


def test_a_walk_is_planned_again_three_times_at_most() -> None:
    planner = solver(waypoint())
    assert [planner.replan(trace(behind=0.2), TIMING, RATE) is not None for _ in range(5)] == [True] * 3 + [False] * 2


def test_without_waypoints_there_is_nothing_to_do() -> None:
    nothing, made = solver(), trace()
    assert nothing.replan(made, TIMING, RATE) is None and nothing.replans_left == 3
    assert nothing.correct_trace(made, walked(made)) is made
    assert nothing.results(walked(made), FootContacts(np.zeros((COUNT, 4))), 1.0) == ()


@pytest.mark.parametrize("aside", [0.05, -0.2, MAX_CORRECTION_M - 1e-6, MAX_CORRECTION_M + 1e-3])
def test_the_last_centimeters_are_corrected_about_the_waypoint(aside: float) -> None:
    made = trace(aside=aside)
    corrected = solver(waypoint(yaw=0.3)).correct_trace(made, walked(made)).frames
    if abs(aside) > MAX_CORRECTION_M:
        np.testing.assert_array_equal(corrected.position, made.frames.position)
        np.testing.assert_array_equal(corrected.yaw, made.frames.yaw)
        return
    np.testing.assert_allclose(corrected.position[AT], [0.0, 3.0], atol=1e-6)
    assert corrected.yaw[AT] == pytest.approx(0.3)
    np.testing.assert_allclose(corrected.position[[0, -1]], made.frames.position[[0, -1]], atol=1e-9)
    np.testing.assert_allclose(corrected.yaw[[0, -1]], 0.0, atol=1e-9)


def test_a_waypoint_without_a_facing_does_not_turn_the_walk() -> None:
    made = trace(aside=0.1)
    np.testing.assert_array_equal(solver(waypoint()).correct_trace(made, walked(made)).frames.yaw, made.frames.yaw)


@pytest.mark.parametrize(("aside", "reason"), [(0.02, ""), (0.029, ""), (0.031, "Missed by 3 cm"), (0.5, "by 50 cm")])
def test_a_waypoint_is_missed_from_three_centimeters_on(aside: float, reason: str) -> None:
    clip = walked(trace(aside=aside))
    (result,) = solver(waypoint()).results(clip, FootContacts(np.zeros((COUNT, 4))), 1.0)
    assert result.position_error == pytest.approx(aside) and result.yaw_error == 0.0 and result.foot_planted
    assert str(result.failure_reason).endswith(reason) and bool(result.failure_reason) == bool(reason)


@pytest.mark.parametrize(("frames", "error"), [(-2, 1 / 60), (-1, 0.0), (0, 0.0), (1, 0.0), (2, 1 / 60)])
def test_it_is_met_a_frame_earlier_or_later(frames: int, error: float) -> None:
    clip = walked(trace(behind=frames / RATE))
    (result,) = solver(waypoint()).results(clip, FootContacts(np.zeros((COUNT, 4))), 1.0)
    assert result.position_error == pytest.approx(error, abs=1e-9)


def test_a_result_has_the_turn_that_is_missing_and_the_reason_that_was_known_before() -> None:
    clip = walked(trace())
    facing = float(root_track(clip).yaws[AT])
    (result,) = solver(waypoint(yaw=facing - 0.4), reason="too far").results(
        clip, FootContacts(np.zeros((COUNT, 4))), 1.0
    )
    assert result.yaw_error == pytest.approx(0.4) and result.failure_reason == "too far"


@pytest.mark.parametrize(("side", "stands"), [("L", True), ("R", False)])
def test_a_foot_is_planted_at_the_frame_of_its_waypoint(side: str, stands: bool) -> None:
    contacts = np.zeros((COUNT, 4))
    contacts[AT, :2] = 1.0
    contacts[[AT - 1, AT + 1], 2:] = 1.0
    (result,) = solver(waypoint(foot=side)).results(walked(trace()), FootContacts(contacts), 1.0)
    assert result.foot_planted == stands


def test_waypoints_of_a_larger_body_are_farther() -> None:
    """The clip is in meters of a world of which the controller's is half."""
    clip = walked(trace())
    larger = replace(clip, root_positions=clip.root_positions * 2.0)
    (result,) = solver(waypoint()).results(larger, FootContacts(np.zeros((COUNT, 4))), 2.0)
    assert result.position_error == pytest.approx(0.0, abs=1e-9)


def test_a_waypoint_after_the_end_of_a_walk_is_measured_at_its_last_frame() -> None:
    late = Waypoint(99.0, np.array([0.0, 6.0]))
    (result,) = solver(late).results(walked(trace()), FootContacts(np.zeros((COUNT, 4))), 1.0)
    assert result.position_error == pytest.approx(0.0, abs=1e-9)

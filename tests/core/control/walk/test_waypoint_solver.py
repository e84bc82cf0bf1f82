"""Waypoints of a walk: plans that are corrected by what a roll-out missed, and the last centimeters."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.path.path import Path
from footfall.core.control.path.timed_waypoints import Waypoint
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


def test_what_a_walk_is_off_to_the_side_is_nothing_that_a_plan_corrects() -> None:
    assert solver(waypoint()).replan(trace(aside=0.5), TIMING, RATE) is None


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

"""Marks: be here at this time, facing that way, on this foot."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.cli.walk import shipped_controller
from footfall.core.control.path.path import Path
from footfall.core.control.path.path_events import Cues
from footfall.core.control.path.timed_waypoints import (
    Waypoint,
    arrival_times,
    phase_error,
    phase_offsets,
    retime_for_waypoints,
    warp_through_waypoints,
    waypoint_arc_lengths,
)
from footfall.core.control.path.velocity_profile import STAND_BEFORE_S, plan_timing
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.control.walk.path_walk import make_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.models.model_file import ControllerModel, load_model

LINE = Path(np.array([[0.0, 0.0], [0.0, 12.0]]))
RATE = 60.0


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    """The one that ships."""
    return load_model(shipped_controller())


def at(seconds: float, x: float, y: float, yaw: float | None = None, foot: str = "") -> Waypoint:
    return Waypoint(seconds, np.array([x, y]), yaw, foot)


def come(*marks: Waypoint) -> tuple[np.ndarray, list[str]]:
    """When one is planned to come to marks on the line, and why not."""
    places = waypoint_arc_lengths(LINE, marks, 1.2)

    def planned(cues: Cues):
        return plan_timing(LINE, 1.2, RATE, cues=cues)

    cues, why = retime_for_waypoints(planned, LINE, places, marks, Cues(), 1.2, RATE)
    return arrival_times(planned(cues), places, RATE), why


@given(st.floats(2.0, 5.0), st.floats(0.6, 2.5), st.floats(0.6, 2.5))
def test_one_comes_to_marks_in_time(first: float, one: float, other: float) -> None:
    seconds = [STAND_BEFORE_S + 1.0 + first / one]
    seconds.append(seconds[0] + 1.0 + 5.0 / other)
    arrived, why = come(at(seconds[0], 0.0, first), at(seconds[1], 0.0, first + 5.0))
    assert not any(why)
    assert arrived == pytest.approx(seconds, abs=0.05)


def test_a_mark_that_is_too_far_says_by_how_much() -> None:
    _, (why,) = come(at(2.0, 0.0, 10.0))
    assert why.startswith("The waypoint is too far away, and is reached 2.")


@given(st.floats(1.0, 11.0), st.floats(-1.5, 1.5))
def test_a_path_is_bent_through_marks_and_nowhere_else(place: float, aside: float) -> None:
    way = warp_through_waypoints(LINE, [at(5.0, aside, place)], 1.2)
    assert np.linalg.norm(way.points - [aside, place], axis=1).min() < 0.05  # corners are rounded
    far = np.abs(way.points[:, 1] - place) > max(1.5, 5 * abs(aside)) + 0.8
    assert np.abs(way.points[far, 0]).max(initial=0.0) < 1e-6
    assert way.points[0] == pytest.approx([0.0, 0.0], abs=0.02)


def test_strides_shift_the_phase_before_a_mark() -> None:
    timing = plan_timing(LINE, 1.2, RATE)
    shifted = phase_offsets(timing, [6.0], np.array([0.3]), RATE)
    assert shifted.sum() == pytest.approx(0.3)
    assert not shifted[round((6.0 - STAND_BEFORE_S) * RATE) :].any()


def test_a_foot_that_stands_needs_no_other_phase() -> None:
    phases = (np.arange(300) / 60.0) % 1.0
    contacts = np.zeros((300, 4))
    contacts[:, 0] = phases < 0.6
    contacts[:, 2] = (phases + 0.5) % 1.0 < 0.6
    standing, swinging = 60 + 15, 60 + 48
    assert phase_error(phases, contacts, standing, "L", 60.0) == 0.0
    shift = phase_error(phases, contacts, swinging, "L", 60.0)
    assert (phases[swinging] + shift) % 1.0 < 0.6


def met(walk: Walk) -> list[tuple[float, bool, str]]:
    return [(one.position_error, one.foot_planted, one.failure_reason) for one in walk.waypoint_results]


@pytest.mark.parametrize("foot", ["L", "R"])
def test_a_walk_meets_its_marks(model: ControllerModel, foot: str) -> None:
    marks = [at(4.2, 0.2, 3.5, foot=foot), at(7.0, -0.2, 7.0, yaw=0.5)]
    walk = make_walk(model, WalkRequest(LINE, waypoints=marks))
    for off, planted, why in met(walk):
        assert off < 0.03 and planted and not why
    assert walk.waypoint_results[1].yaw_error < 0.1
    hips = walk.clip.positions[:, walk.clip.skeleton.joint("hips"), :2]
    assert np.linalg.norm(hips[round(4.2 * RATE)] - [0.2, 3.5]) < 0.03


def test_a_walk_stays_at_a_mark(model: ControllerModel) -> None:
    walk = make_walk(model, WalkRequest(LINE, waypoints=[at(5.0, 0.0, 4.0), at(8.0, 0.0, 4.0)]))
    hips = walk.clip.positions[:, walk.clip.skeleton.joint("hips"), :2]
    assert np.linalg.norm(hips[round(5.0 * RATE) : round(8.0 * RATE)] - [0.0, 4.0], axis=1).max() < 0.08
    assert not any(why for *_, why in met(walk))


def test_a_mark_that_is_missed_is_told_and_pulls_at_nothing(model: ControllerModel) -> None:
    walk = make_walk(model, WalkRequest(LINE, waypoints=[at(2.0, 0.0, 10.0)]))
    ((off, _, why),) = met(walk)
    assert off > 1.0 and "too far" in why
    speeds = np.linalg.norm(np.diff(walk.clip.root_positions[:, :2], axis=0), axis=1) * RATE
    assert speeds.max() < 5.0


def test_marks_are_those_of_the_body_that_walks(model: ControllerModel) -> None:
    from footfall.tests.support.walker import person

    walk = make_walk(model, WalkRequest(LINE, target=person(0.6), waypoints=[at(6.0, 0.1, 4.0)]))
    assert met(walk)[0][0] < 0.03 and not met(walk)[0][2]

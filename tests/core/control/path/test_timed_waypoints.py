"""Marks: be here at this time, facing that way, on this foot."""

from dataclasses import replace

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
    path_through_waypoints,
    phase_error,
    phase_offsets,
    retime_for_waypoints,
    spread_correction,
    warp_through_waypoints,
    waypoint_arc_lengths,
)
from footfall.core.control.path.velocity_profile import STAND_BEFORE_S, Timing, plan_timing
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.control.walk.path_walk import walk_path
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


def test_who_is_early_waits_and_does_not_creep() -> None:
    arrived, why = come(at(20.0, 0.0, 4.0))
    assert arrived == pytest.approx([20.0], abs=0.05) and why == [""]


def test_a_mark_that_is_too_far_says_by_how_much() -> None:
    _, (why,) = come(at(2.0, 0.0, 10.0))
    assert why.startswith("Too far: arrives 2.")


def test_nobody_is_at_two_places_at_once() -> None:
    _, why = come(at(4.0, 0.0, 3.0), at(4.0, 0.0, 6.0))
    assert why[1] == "Two waypoints have the same frame but different positions"


@given(st.floats(1.0, 11.0), st.floats(-1.5, 1.5))
def test_a_path_is_bent_through_marks_and_nowhere_else(place: float, aside: float) -> None:
    way = warp_through_waypoints(LINE, [at(5.0, aside, place)], 1.2)
    assert np.linalg.norm(way.points - [aside, place], axis=1).min() < 0.05  # corners are rounded
    far = np.abs(way.points[:, 1] - place) > max(1.5, 5 * abs(aside)) + 0.8
    assert np.abs(way.points[far, 0]).max(initial=0.0) < 1e-6
    assert way.points[0] == pytest.approx([0.0, 0.0], abs=0.02)


@given(st.lists(st.floats(0.0, 12.0), min_size=1, max_size=4), st.sampled_from([-1.0, 0.0, 0.2]))
def test_waypoints_at_one_place_leave_the_ends_of_a_path_where_they_were(places: list[float], shift: float) -> None:
    waypoints = [at(1.0 + index, 0.3, place + shift) for index, place in enumerate(sorted(places))]
    for several in (waypoints, [one for one in waypoints for _ in range(2)]):
        way = warp_through_waypoints(LINE, several, 1.2)
        assert np.isfinite(way.points).all()
        if max(places) + shift < 10.0 and min(places) + shift > -0.1:
            np.testing.assert_allclose(way.points[-1], LINE.points[-1], atol=1e-6)


def test_of_two_waypoints_at_the_start_the_later_counts() -> None:
    way = warp_through_waypoints(LINE, [at(1.0, 0.5, -0.5), at(2.0, 0.3, -0.1)], 1.2)
    np.testing.assert_allclose(way.points[[0, -1]], [[0.3, -0.1], [0.0, 12.0]], atol=1e-6)


def test_of_a_path_that_crosses_itself_the_place_is_the_one_of_the_time() -> None:
    turns = np.linspace(0, 4 * np.pi, 400)
    ring = Path(3.0 * np.column_stack([np.cos(turns), np.sin(turns)]))
    once = 2 * np.pi * 3.0
    for round_, seconds in ((0, 0.25 * once / 1.2), (1, 1.25 * once / 1.2)):
        (place,) = waypoint_arc_lengths(ring, [at(seconds, 0.0, 3.0)], 1.2)
        assert place == pytest.approx((round_ + 0.25) * once, abs=0.1)


def test_a_path_through_marks_passes_them_as_they_face() -> None:
    way = Path(path_through_waypoints(np.zeros(2), [at(5.0, 2.0, 4.0, yaw=-np.pi / 2), at(9.0, 6.0, 4.0)]))
    nearest = np.argmin(np.linalg.norm(way.points - [2.0, 4.0], axis=1))
    assert np.linalg.norm(way.points[nearest] - [2.0, 4.0]) < 0.03
    assert way.yaws[nearest] == pytest.approx(-np.pi / 2, abs=0.1)


def test_what_is_missing_is_made_up_about_marks_only() -> None:
    lengths = np.linspace(0.0, 20.0, 201)
    field = spread_correction(np.array([5.0, 12.0]), np.array([[0.1, 0.0], [0.0, -0.2]]), lengths)
    assert field[50] == pytest.approx([0.1, 0.0]) and field[120] == pytest.approx([0.0, -0.2])
    elsewhere = (lengths < 3.7) | (np.abs(lengths - 8.5) < 2.0) | (lengths > 13.3)
    assert np.abs(field[elsewhere]).max() < 1e-12


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
    walk = walk_path(model, LINE, waypoints=marks)
    for off, planted, why in met(walk):
        assert off < 0.03 and planted and not why
    assert walk.waypoint_results[1].yaw_error < 0.1
    hips = walk.clip.positions[:, walk.clip.skeleton.joint("hips"), :2]
    assert np.linalg.norm(hips[round(4.2 * RATE)] - [0.2, 3.5]) < 0.03


def test_a_walk_stays_at_a_mark(model: ControllerModel) -> None:
    walk = walk_path(model, LINE, waypoints=[at(5.0, 0.0, 4.0), at(8.0, 0.0, 4.0)])
    hips = walk.clip.positions[:, walk.clip.skeleton.joint("hips"), :2]
    assert np.linalg.norm(hips[round(5.0 * RATE) : round(8.0 * RATE)] - [0.0, 4.0], axis=1).max() < 0.08
    assert not any(why for *_, why in met(walk))


def test_a_mark_that_is_missed_is_told_and_pulls_at_nothing(model: ControllerModel) -> None:
    walk = walk_path(model, LINE, waypoints=[at(2.0, 0.0, 10.0)])
    ((off, _, why),) = met(walk)
    assert off > 1.0 and "Too far" in why
    speeds = np.linalg.norm(np.diff(walk.clip.root_positions[:, :2], axis=0), axis=1) * RATE
    assert speeds.max() < 5.0


def test_marks_are_those_of_the_body_that_walks(model: ControllerModel) -> None:
    from footfall.tests.support.walker import person

    walk = walk_path(model, LINE, target=person(0.6), waypoints=[at(6.0, 0.1, 4.0)])
    assert met(walk)[0][0] < 0.03 and not met(walk)[0][2]


def test_a_path_leaves_a_waypoint_as_it_faces() -> None:
    points = path_through_waypoints(np.zeros(2), [at(5.0, 0.0, 2.0, yaw=np.pi / 2), at(9.0, 0.0, 4.0, yaw=0.0)])
    steps = np.diff(points, axis=0)
    middle, last = steps[40] / np.linalg.norm(steps[40]), steps[-1] / np.linalg.norm(steps[-1])
    np.testing.assert_allclose(middle, [-1.0, 0.0], atol=0.1)
    np.testing.assert_allclose(last, [0.0, 1.0], atol=0.1)


@pytest.mark.parametrize("place", [4.4, 4.6, 5.0, 5.9])
def test_a_path_between_two_waypoints_at_its_side_goes_straight(place: float) -> None:
    way = warp_through_waypoints(LINE, [at(3.0, 0.3, 3.0), at(5.0, 0.3, place)], 1.2)
    between = (way.points[:, 1] > 3.2) & (way.points[:, 1] < place - 0.2)
    np.testing.assert_allclose(way.points[between, 0], 0.3, atol=0.003)
    assert way.curvatures.max() < 1.0


def test_a_phase_is_shifted_after_the_waypoint_before() -> None:
    timing = plan_timing(LINE, 1.2, RATE)
    shifted = phase_offsets(timing, [1.0, 3.0, 3.0], np.array([0.1, 0.2, 0.4]), RATE)
    np.testing.assert_allclose(shifted[:30], 0.1 / 30)
    np.testing.assert_allclose(shifted[30:150], 0.2 / 120)
    assert not shifted[150:].any()
    early = phase_offsets(timing, [0.2, 1.5], np.array([0.1, 0.2]), RATE)
    np.testing.assert_allclose(early[:60], 0.2 / 60)
    twice = phase_offsets(replace(timing, phase_offsets=shifted), [1.0], np.array([0.1]), RATE)
    np.testing.assert_allclose(twice[:30], 0.2 / 30)


def stance(first: float, last: float, right: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Phases of ten seconds at one cycle a second, and contacts of one foot between two phases."""
    phases = (np.arange(600) / 60.0) % 1.0
    contacts = np.zeros((600, 4))
    contacts[:, 3 if right else 0] = (phases > first - 1e-6) & (phases < last + 1e-6)
    return phases, contacts


def test_a_foot_that_stands_for_two_frames_to_both_sides_has_no_error() -> None:
    phases, contacts = stance(0.1, 0.5)
    contacts[328:333] = 1.0
    assert phase_error(phases, contacts, 330, "L", 60.0) == 0.0
    for lifted in (328, 332):
        lifts = contacts.copy()
        lifts[lifted] = 0.5
        assert phase_error(phases, lifts, 330, "L", 60.0) != 0.0


def test_a_walk_that_is_in_time_is_planned_once() -> None:
    plans: list[Cues] = []

    def planned(cues: Cues) -> Timing:
        plans.append(cues)
        return plan_timing(LINE, 1.2, RATE, cues=cues)

    (seconds,) = arrival_times(plan_timing(LINE, 1.2, RATE), np.array([6.0]), RATE)
    _, reasons = retime_for_waypoints(planned, LINE, np.array([6.0]), [at(seconds, 0.0, 6.0)], Cues(), 1.2, RATE)
    assert len(plans) == 1 and reasons == [""]
    retime_for_waypoints(planned, LINE, np.array([6.0]), [at(seconds + 1.0, 0.0, 6.0)], Cues(), 1.2, RATE)
    assert 2 < len(plans) < 17

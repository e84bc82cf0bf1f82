"""Plans: from standing, no faster than commanded and than corners allow, to standing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.control.path.crouch_response import CrouchResponse
from footfall.core.control.path.path import Path
from footfall.core.control.path.path_events import Cues, CueSpan, Wait
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.control.path.velocity_profile import (
    GET_UP_S,
    MAX_ACCELERATION_M_S2,
    MAX_BRAKING_M_S2,
    MAX_LATERAL_ACCELERATION_M_S2,
    MAX_TURN_RATE_RAD_S,
    STILL_SPEED_M_S,
    Timing,
    plan_speeds,
    plan_timing,
    run_shares,
)
from footfall.core.evaluation import course_points

COURSES = ("straight", "wave", "square", "circle", "hairpin", "s_curve")
PATHS = {name: Path(course_points(name)) for name in COURSES}

courses = st.sampled_from(COURSES)
speeds = st.floats(0.2, 6.0)


@given(courses, speeds)
def test_a_plan_begins_and_ends_standing_and_is_never_too_fast(name: str, speed: float) -> None:
    speeds = plan_speeds(PATHS[name], speed)
    assert speeds[0] == speeds[-1] == 0.0
    assert speeds.max() <= speed
    assert speeds[1:-1].min() > 0


@given(courses, speeds)
def test_nobody_gains_or_loses_speed_too_fast(name: str, speed: float) -> None:
    path, hardness = PATHS[name], max(1.0, speed / 1.5)
    gained = np.diff(plan_speeds(path, speed) ** 2) / 2 / np.diff(path.arc_lengths)
    assert gained.max() <= MAX_ACCELERATION_M_S2 * hardness * (1 + 1e-9)
    assert gained.min() >= -MAX_BRAKING_M_S2 * hardness * (1 + 1e-9)


def test_on_a_long_line_the_commanded_speed_is_reached() -> None:
    path = Path(np.array([[0.0, 0.0], [0.0, 30.0]]))
    speeds = plan_speeds(path, 1.2)
    # v^2 = 2 a s: 0.6 m to get going, 0.72 m to stop.
    level = (path.arc_lengths > 1.2**2 / 2 / MAX_ACCELERATION_M_S2) & (
        path.arc_lengths < 30 - 1.2**2 / 2 / MAX_BRAKING_M_S2
    )
    np.testing.assert_allclose(speeds[level], 1.2)
    assert speeds[np.searchsorted(path.arc_lengths, 0.3)] == pytest.approx(
        np.sqrt(2 * MAX_ACCELERATION_M_S2 * 0.3), rel=0.03
    )


def test_a_short_path_is_walked_slower() -> None:
    assert plan_speeds(Path(np.array([[0.0, 0.0], [0.0, 0.5]])), 1.2).max() < 0.75


def test_a_square_is_slowed_down_for_at_its_corners_only() -> None:
    path = PATHS["square"]
    speeds = plan_speeds(path, 1.2)
    for side in range(3):
        at_corner = np.abs(path.arc_lengths - (side + 1) * path.length / 4) < 0.3
        assert speeds[at_corner].min() < 0.5
        middle = np.abs(path.arc_lengths - (side + 1.5) * path.length / 4) < 0.3
        np.testing.assert_allclose(speeds[middle], 1.2)


@pytest.mark.parametrize("radius, speed", [(2.0, 1.2), (0.6, 2.0), (2.0, 3.0), (0.5, 1.2)])
def test_a_circle_is_walked_as_fast_as_its_curve_allows(radius: float, speed: float) -> None:
    angles = np.linspace(0, 4 * np.pi, 400)
    path = Path(radius * np.stack([np.cos(angles), np.sin(angles)], axis=-1))
    speeds = plan_speeds(path, speed)
    middle = len(speeds) // 2
    hardness = max(1.0, speed / 1.5)
    allowed = min(np.sqrt(MAX_LATERAL_ACCELERATION_M_S2 * hardness * radius), MAX_TURN_RATE_RAD_S * radius, speed)
    assert speeds[middle] == pytest.approx(allowed, rel=0.05)


@given(courses, st.floats(0.2, 4.0), st.sampled_from([24.0, 30.0, 60.0, 120.0]))
def test_timing_goes_from_start_to_end_and_never_back(name: str, speed: float, rate: float) -> None:
    path = PATHS[name]
    timing = plan_timing(path, speed, rate)
    assert timing.distances[0] == 0.0
    assert timing.distances[-1] == pytest.approx(path.length)
    assert np.diff(timing.distances).min() >= 0
    assert np.diff(timing.distances).max() <= speed / rate * (1 + 1e-6)
    assert timing.speeds.max() <= speed * (1 + 1e-9)


@pytest.mark.parametrize("name", COURSES)
def test_distances_are_the_sum_of_speeds(name: str) -> None:
    timing = plan_timing(PATHS[name], 1.2, 60.0)
    travelled = np.concatenate([[0.0], np.cumsum((timing.speeds[1:] + timing.speeds[:-1]) / 2 / 60)])
    np.testing.assert_allclose(timing.distances, travelled, atol=0.03)


def test_the_time_of_a_straight_walk_is_that_of_the_textbook() -> None:
    path = Path(np.array([[0.0, 0.0], [0.0, 12.0]]))
    ramps = 1.2 / MAX_ACCELERATION_M_S2 + 1.2 / MAX_BRAKING_M_S2
    cruise = (12.0 - 1.2**2 / 2 / MAX_ACCELERATION_M_S2 - 1.2**2 / 2 / MAX_BRAKING_M_S2) / 1.2
    assert (len(plan_timing(path, 1.2, 60.0)) - 1) / 60 == pytest.approx(ramps + cruise, abs=0.05)


def test_the_plan_takes_as_long_at_every_rate() -> None:
    durations = [(len(plan_timing(PATHS["wave"], 1.2, rate)) - 1) / rate for rate in (24.0, 30.0, 60.0, 120.0)]
    assert max(durations) - min(durations) < 1 / 24


def test_before_and_after_the_plan_one_stands_at_its_ends() -> None:
    timing = plan_timing(PATHS["straight"], 1.2, 60.0)
    frames = np.array([-100, -1, 0, len(timing) - 1, len(timing), len(timing) + 500])
    np.testing.assert_allclose(timing.distance_at(frames), [0, 0, 0, 12, 12, 12], atol=1e-9)
    np.testing.assert_allclose(timing.speed_at(frames), [0, 0, 0, 0, 0, 0], atol=0.02)
    assert timing.speed_at(np.array([300]))[0] == pytest.approx(1.2)


class TestRunShares:
    """One gait at a time, by the Froude number, with hysteresis."""

    def shares(self, speed: float, leg_length: float = 0.9) -> np.ndarray:
        return run_shares(np.full(240, speed), 60.0, leg_length)

    @pytest.mark.parametrize(("speed", "share"), [(0.5, 0.0), (1.9, 0.0), (2.05, 0.0), (2.2, 1.0), (4.0, 1.0)])
    def test_a_speed_has_one_gait(self, speed: float, share: float) -> None:
        np.testing.assert_allclose(self.shares(speed), share, atol=1e-9)

    def test_short_legs_run_sooner(self) -> None:
        assert self.shares(1.6, leg_length=0.45).min() == pytest.approx(1.0)

    def test_running_goes_on_down_to_a_lower_speed(self) -> None:
        speeds = np.concatenate([np.linspace(0.0, 3.0, 300), np.linspace(3.0, 0.0, 300)])
        shares = run_shares(speeds, 60.0, 0.9)
        begins, ends = speeds[np.flatnonzero(shares > 0.5)[[0, -1]]]
        assert begins == pytest.approx(2.1, abs=0.05) and ends == pytest.approx(1.93, abs=0.05)

    def test_a_gait_changes_over_a_moment(self) -> None:
        shares = run_shares(np.repeat([1.0, 3.0], 120), 60.0, 0.9)
        assert 0.2 * 60 < np.sum((shares > 0.02) & (shares < 0.98)) < 0.8 * 60


def test_a_rest_lasts_for_a_stop_and_ends_in_time_to_get_up() -> None:
    path, rate, gaits = Path(np.array([[0.0, 0.0], [0.0, 6.0]])), 60.0, ("stand", "walk", "run", "sit")
    cues = Cues((CueSpan(2.5, 3.5, style="sit"),), (Wait(3.0, 5.0),))
    timing = plan_timing(path, 1.0, rate, cues=cues, gaits=gaits)
    sits = timing.style_weights[:, 3]
    still = np.flatnonzero(timing.speeds < STILL_SPEED_M_S)
    wait = still[(still > 60) & (still < len(sits) - 60)]
    assert sits[wait[len(wait) // 2]] == pytest.approx(1.0)
    assert sits[timing.speeds > 0.5].max() < 0.01
    assert sits[wait[-1] - round(0.5 * GET_UP_S * rate) :].max() < 0.01


LINE = Path(np.array([[0.0, 0.0], [0.0, 12.0]]))


def ramps(*stops: float, speed: float, hardness: float = 1.0) -> np.ndarray:
    """Speeds on the line between stops: v^2 = 2 a s after each, and 2 b s before it."""
    places = np.array([0.0, *stops, LINE.length])[:, None] - LINE.arc_lengths
    gained = np.where(places <= 0, -2 * 1.2 * hardness * places, np.inf).min(axis=0)
    lost = np.where(places >= 0, 2 * 1.0 * hardness * places, np.inf).min(axis=0)
    return np.sqrt(np.minimum(np.minimum(gained, lost), speed**2))


def test_at_stops_a_plan_stands() -> None:
    stops = [200, 450]
    expected = ramps(*LINE.arc_lengths[stops], speed=1.2)
    np.testing.assert_allclose(plan_speeds(LINE, 1.2, stop_indices=stops), expected, atol=1e-6)


def level_profile(slope: float = 0.0, headroom: float = 3.0) -> TerrainProfile:
    lengths = np.linspace(0.0, 12.0, 201)
    no = np.zeros(201, dtype=bool)
    return TerrainProfile(lengths, slope * lengths, np.full(201, headroom), no, ~no)


@pytest.mark.parametrize("name", ["hairpin", "circle", "wave"])
@pytest.mark.parametrize("speed", [0.04, 1.0, 3.0])
def test_a_corner_is_as_fast_as_its_turn_and_its_push_allow(name: str, speed: float) -> None:
    path = PATHS[name]
    sharpest = int(path.curvatures.argmax())
    curve, hardness = path.curvatures[sharpest], max(1.0, speed / 1.5)
    allowed = min(np.sqrt(1.6 * hardness / curve), 2.2 / curve)
    speeds = plan_speeds(path, speed)
    assert speeds[sharpest] <= max(allowed, min(0.06, speed)) + 1e-9
    limit = np.maximum(np.minimum(np.sqrt(1.6 * hardness / path.curvatures), 2.2 / path.curvatures), 0.06)
    inner = slice(150, -150)
    slowest = int(limit[inner].argmin()) + 150
    assert speeds[slowest] == pytest.approx(min(limit[slowest], speed))


def test_outside_of_a_plan_the_speed_is_zero() -> None:
    timing = Timing.without_cues(np.arange(4.0), np.array([0.5, 1.0, 1.5, 2.0]), gaits=3)
    assert timing.speed_at(np.array([-1, 0, 1, 3, 4])).tolist() == [0.0, 0.5, 1.0, 2.0, 0.0]
    assert timing.distance_at(np.array([-1, 0, 3, 4])).tolist() == [0.0, 0.0, 3.0, 3.0]
    assert timing.style_weights.shape == (4, 3) and len(timing) == 4
    seconds = [0.0, 0.5, 0.5 + 1 / 60, 0.5 + 3 / 60, 9.0]
    assert [timing.distance_at_time(one, 60.0) for one in seconds] == [0.0, 0.0, 1.0, 3.0, 3.0]


@pytest.mark.parametrize("place", [0.0, 6.0, 12.0, 99.0])
def test_a_wait_takes_its_time_wherever_it_is(place: float) -> None:
    waits = plan_timing(LINE, 1.2, 60.0, cues=Cues(waits=(Wait(place, 2.0),)))
    without = plan_timing(LINE, 1.2, 60.0, cues=Cues(waits=(Wait(place, 0.0),)))
    assert len(waits) - len(without) == pytest.approx(120, abs=1)
    still = np.flatnonzero((waits.speeds == 0.0) & (np.abs(waits.distances - min(place, 12.0)) < 0.03))
    assert len(still) >= 120


def test_two_waits_are_kept_in_the_order_of_their_places() -> None:
    timing = plan_timing(LINE, 1.2, 60.0, cues=Cues(waits=(Wait(8.0, 1.0), Wait(4.0, 2.0))))
    for place, frames in ((8.0, 60), (4.0, 120)):
        still = (timing.speeds < 1e-9) & (np.abs(timing.distances - place) < 0.03)
        assert np.sum(still) == pytest.approx(frames, abs=2)


GAITS = ("stand", "walk", "crouch", "sit")


def test_styles_of_spans_take_the_place_of_the_walks() -> None:
    timing = plan_timing(LINE, 1.0, 60.0, cues=Cues((CueSpan(4.0, 8.0, style=""),)), gaits=GAITS, style="walk")
    shares = [timing.style_weights[np.searchsorted(timing.distances, place), 1] for place in (2.0, 6.0, 10.0)]
    assert shares == pytest.approx([1.0, 0.0, 1.0], abs=1e-6)
    assert not plan_timing(LINE, 1.0, 60.0, gaits=GAITS).style_weights.any()


CROUCHES = CrouchResponse(np.array([0.5, 1.0]), np.array([0.1, 0.3]))


def test_under_a_low_ceiling_a_walk_crouches_and_rises_behind_it() -> None:
    profile = level_profile(0.05)
    low = np.where(np.abs(profile.arc_lengths - 4.0) < 1.0, 0.5, 3.0)
    profile = replace(profile, headroom=low)
    timing = plan_timing(LINE, 1.0, 60.0, profile, 1.75, gaits=GAITS, crouch=CROUCHES)
    at = [int(np.searchsorted(timing.distances, place)) for place in (1.0, 4.0, 6.5)]
    weights = timing.style_weights[:, 2]
    assert weights[at[1]] == pytest.approx(1.0) and weights[at[2]] == pytest.approx(-0.2, abs=0.01)
    assert timing.speeds[at[1]] <= 1.1
    level = plan_timing(LINE, 1.0, 60.0, level_profile(), 1.75, gaits=GAITS, crouch=CROUCHES)
    assert not level.style_weights.any()
    fast = plan_timing(LINE, 3.0, 60.0, level_profile(0.05), 1.75, gaits=GAITS, crouch=CROUCHES)
    running = np.flatnonzero(fast.run_shares > 0.99)
    assert fast.style_weights[running, 2].min() == pytest.approx(0.0, abs=1e-6)

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
from footfall.core.control.path.velocity_profile import TUNING as VELOCITY_PROFILE_TUNING
from footfall.core.control.path.velocity_profile import plan_speeds, plan_timing
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
    assert gained.max() <= VELOCITY_PROFILE_TUNING.max_acceleration * hardness * (1 + 1e-9)
    assert gained.min() >= -VELOCITY_PROFILE_TUNING.max_braking * hardness * (1 + 1e-9)


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
    allowed = min(
        np.sqrt(VELOCITY_PROFILE_TUNING.max_lateral_acceleration * hardness * radius),
        VELOCITY_PROFILE_TUNING.max_turn_rate * radius,
        speed,
    )
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


def test_the_time_of_a_straight_walk_is_that_of_the_textbook() -> None:
    path = Path(np.array([[0.0, 0.0], [0.0, 12.0]]))
    ramps = 1.2 / VELOCITY_PROFILE_TUNING.max_acceleration + 1.2 / VELOCITY_PROFILE_TUNING.max_braking
    cruise = (
        12.0 - 1.2**2 / 2 / VELOCITY_PROFILE_TUNING.max_acceleration - 1.2**2 / 2 / VELOCITY_PROFILE_TUNING.max_braking
    ) / 1.2
    assert (len(plan_timing(path, 1.2, 60.0)) - 1) / 60 == pytest.approx(ramps + cruise, abs=0.05)


def test_a_rest_lasts_for_a_stop_and_ends_in_time_to_get_up() -> None:
    path, rate, gaits = Path(np.array([[0.0, 0.0], [0.0, 6.0]])), 60.0, ("stand", "walk", "run", "sit")
    cues = Cues((CueSpan(2.5, 3.5, style="sit"),), (Wait(3.0, 5.0),))
    timing = plan_timing(path, 1.0, rate, cues=cues, gaits=gaits)
    sits = timing.style_weights[:, 3]
    still = np.flatnonzero(timing.speeds < VELOCITY_PROFILE_TUNING.still_speed)
    wait = still[(still > 60) & (still < len(sits) - 60)]
    assert sits[wait[len(wait) // 2]] == pytest.approx(1.0)
    assert sits[timing.speeds > 0.5].max() < 0.01
    assert sits[wait[-1] - round(0.5 * VELOCITY_PROFILE_TUNING.get_up * rate) :].max() < 0.01


LINE = Path(np.array([[0.0, 0.0], [0.0, 12.0]]))


def ramps(*stops: float, speed: float, hardness: float = 1.0) -> np.ndarray:
    """Speeds on the line between stops: v^2 = 2 a s after each, and 2 b s before it."""
    places = np.array([0.0, *stops, LINE.length])[:, None] - LINE.arc_lengths
    gained = np.where(places <= 0, -2 * 1.2 * hardness * places, np.inf).min(axis=0)
    lost = np.where(places >= 0, 2 * 1.0 * hardness * places, np.inf).min(axis=0)
    return np.sqrt(np.minimum(np.minimum(gained, lost), speed**2))


def level_profile(slope: float = 0.0, headroom: float = 3.0) -> TerrainProfile:
    lengths = np.linspace(0.0, 12.0, 201)
    no = np.zeros(201, dtype=bool)
    return TerrainProfile(lengths, slope * lengths, np.full(201, headroom), no, ~no)


@pytest.mark.parametrize("place", [0.0, 6.0, 12.0, 99.0])
def test_a_wait_takes_its_time_wherever_it_is(place: float) -> None:
    waits = plan_timing(LINE, 1.2, 60.0, cues=Cues(waits=(Wait(place, 2.0),)))
    without = plan_timing(LINE, 1.2, 60.0, cues=Cues(waits=(Wait(place, 0.0),)))
    assert len(waits) - len(without) == pytest.approx(120, abs=1)
    still = np.flatnonzero((waits.speeds == 0.0) & (np.abs(waits.distances - min(place, 12.0)) < 0.03))
    assert len(still) >= 120


GAITS = ("stand", "walk", "crouch", "sit")


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

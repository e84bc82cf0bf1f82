"""Flights of stairs: which risers belong together, a step for each tread, at the cadence of people."""

import numpy as np
import pytest

from footfall.core.control.path.path import Path
from footfall.core.control.path.stair_flights import TUNING as STAIR_FLIGHTS_TUNING
from footfall.core.control.path.stair_flights import StairFlight, stair_speeds, stride_columns
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.control.path.velocity_profile import plan_speeds
from footfall.core.terrain.ground import Scene
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import rubble, slope, stairs

EAST = Path(np.array([[0.0, 0.0], [12.0, 0.0]]))


def flights_of(scene: Scene, path: Path = EAST) -> tuple[StairFlight, ...]:
    return TerrainProfile.from_path(path, WalkScene(scene), 0.0).flights


@pytest.mark.parametrize("rise", [0.12, 0.15, 0.18, 0.2])
@pytest.mark.parametrize("tread", [0.25, 0.28, 0.32])
def test_stairs_up_and_down_are_two_flights_with_every_riser_in_its_place(rise: float, tread: float) -> None:
    up, down = flights_of(stairs(rise, tread, up=2.013, down=6.027))
    assert up.is_up and not down.is_up
    np.testing.assert_allclose(up.risers, 2.013 + tread * np.arange(8), atol=0.01)
    np.testing.assert_allclose(down.risers, 6.027 + tread * np.arange(8), atol=0.01)
    np.testing.assert_allclose(up.tread_middles, 2.013 + tread * (np.arange(9) - 0.5), atol=0.01)


@pytest.mark.parametrize(
    "scene",
    [slope(30.0), rubble(0), stairs(rise=0.05), stairs(rise=0.4), stairs(tread=0.6), stairs(count=2)],
    ids=["slope", "rubble", "shallow", "ledges", "terraces", "kerb"],
)
def test_other_ground_is_no_flight(scene: Scene) -> None:
    assert flights_of(scene) == ()


def test_the_same_stairs_are_found_from_the_other_end() -> None:
    there, back = flights_of(stairs()), flights_of(stairs(), Path(EAST.points[::-1]))
    for one, other in zip(there, back[::-1], strict=True):
        assert one.is_up != other.is_up
        np.testing.assert_allclose(one.risers, 12.0 - other.risers[::-1], atol=0.01)


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_strikes_are_half_a_cycle_apart_on_neighboring_treads(scale: float) -> None:
    flight = StairFlight(scale * (2.0 + 0.28 * np.arange(6)), is_up=True)
    plan = flight.plan_strides(scale)
    np.testing.assert_allclose(np.diff(plan.cycles), 0.5)
    assert (np.diff(plan.places) > 0).all()
    struck = plan.places + plan.leads
    np.testing.assert_allclose(struck[len(STAIR_FLIGHTS_TUNING.approach_steps) :], flight.tread_middles)
    assert plan.weights[0] == 0.0
    np.testing.assert_array_equal(plan.weights[len(STAIR_FLIGHTS_TUNING.approach_steps) :], 1.0)
    assert (np.diff(plan.weights) >= 0).all()


@pytest.mark.parametrize("speed", [1.1, 1.3, 1.5])
def test_treads_are_walked_at_the_cadence_of_people(speed: float) -> None:
    profile = TerrainProfile.from_path(EAST, WalkScene(stairs()), 0.0)
    speeds = plan_speeds(EAST, speed, profile)
    for x, cadences in ((3.2, STAIR_FLIGHTS_TUNING.cadences_up), (7.2, STAIR_FLIGHTS_TUNING.cadences_down)):
        cadence = float(np.interp(x, EAST.arc_lengths, speeds)) / 0.29
        assert cadences[0] - 0.05 <= cadence <= cadences[1] + 0.05


FLIGHT_UP = StairFlight(2.0 + 0.3 * np.arange(6), is_up=True)
FLIGHT_DOWN = StairFlight(2.0 + 0.3 * np.arange(6), is_up=False)


@pytest.mark.parametrize("flight, slow, quick", [(FLIGHT_UP, 95, 110), (FLIGHT_DOWN, 100, 120)], ids=["up", "down"])
def test_a_tread_is_a_step_at_a_human_cadence(flight: StairFlight, slow: float, quick: float) -> None:
    places = flight.plan_strides(1.0).places
    at = np.array([places[0] - 0.01, places[0], places[7], places[8] - 1e-6, places[-1] - 1e-6, places[-1]])
    steps = np.array([np.inf, places[1] - places[0], *[0.3] * 3, np.inf])
    for speed, cadence in ((0.5, slow), (0.8, slow), (1.15, (slow + quick) / 2), (1.5, quick), (1.9, quick)):
        found = stair_speeds([flight], at, np.full(6, speed), 1.0)
        np.testing.assert_allclose(found, steps * cadence / 60, rtol=1e-6)
    assert np.isinf(stair_speeds([flight], at, np.full(6, 1.91), 1.0)).all()


def test_columns_follow_the_plan_and_are_zero_outside() -> None:
    plan = FLIGHT_UP.plan_strides(1.0)
    at = np.array([plan.places[0] - 0.01, plan.places[0], plan.places[5], plan.places[-1], plan.places[-1] + 0.01])
    found = stride_columns([FLIGHT_UP], at, 1.0)
    np.testing.assert_allclose(found[[0, 4]], 0.0)
    for row, index in ((1, 0), (2, 5), (3, 10)):
        np.testing.assert_allclose(found[row], [plan.cycles[index], plan.weights[index], plan.leads[index]])
    middle = stride_columns([FLIGHT_UP], (plan.places[5:6] + plan.places[6:7]) / 2, 1.0)
    np.testing.assert_allclose(middle, [[2.75, 1.0, 0.2]])
    other = StairFlight(3.0 + 0.3 * np.arange(6), is_up=False)
    first = stride_columns([FLIGHT_UP, other], np.array([3.2]), 1.0)
    np.testing.assert_allclose(first, stride_columns([FLIGHT_UP], np.array([3.2]), 1.0))

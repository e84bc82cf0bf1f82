"""Flights of stairs: which risers belong together, a step for each tread, at the cadence of people."""

import numpy as np
import pytest

from footfall.core.control.path.path import Path
from footfall.core.control.path.stair_flights import (
    APPROACH_STEPS_M,
    CADENCES_DOWN_HZ,
    CADENCES_UP_HZ,
    MAX_STAIR_SPEED_M_S,
    StairFlight,
    find_flights,
    stair_speeds,
    stride_columns,
)
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


def test_what_comes_after_a_flight_changes_nothing_on_it() -> None:
    longer = Path(np.array([[0.0, 0.0], [30.0, 0.0]]))
    lengths = np.linspace(0.0, 12.0, 400)
    one, other = (
        stride_columns(TerrainProfile.from_path(path, WalkScene(stairs()), 0.0).flights, lengths, 1.0)
        for path in (EAST, longer)
    )
    np.testing.assert_allclose(one, other, atol=0.05)


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_strikes_are_half_a_cycle_apart_on_neighboring_treads(scale: float) -> None:
    flight = StairFlight(scale * (2.0 + 0.28 * np.arange(6)), is_up=True)
    plan = flight.plan_strides(scale)
    np.testing.assert_allclose(np.diff(plan.cycles), 0.5)
    assert (np.diff(plan.places) > 0).all()
    struck = plan.places + plan.leads
    np.testing.assert_allclose(struck[len(APPROACH_STEPS_M) :], flight.tread_middles)
    assert plan.weights[0] == 0.0
    np.testing.assert_array_equal(plan.weights[len(APPROACH_STEPS_M) :], 1.0)
    assert (np.diff(plan.weights) >= 0).all()


@pytest.mark.parametrize("speed", [1.1, 1.3, 1.5])
def test_treads_are_walked_at_the_cadence_of_people(speed: float) -> None:
    profile = TerrainProfile.from_path(EAST, WalkScene(stairs()), 0.0)
    speeds = plan_speeds(EAST, speed, profile)
    for x, cadences in ((3.2, CADENCES_UP_HZ), (7.2, CADENCES_DOWN_HZ)):
        cadence = float(np.interp(x, EAST.arc_lengths, speeds)) / 0.29
        assert cadences[0] - 0.05 <= cadence <= cadences[1] + 0.05


def test_stairs_are_run_in_strides_of_their_own() -> None:
    profile = TerrainProfile.from_path(EAST, WalkScene(stairs()), 0.0)
    running = plan_speeds(EAST, MAX_STAIR_SPEED_M_S + 1.0, profile)
    assert np.interp(3.2, EAST.arc_lengths, running) > 0.29 * CADENCES_UP_HZ[1] * 1.5


def staircase(*risers: tuple[float, float], scale: float = 1.0) -> tuple[StairFlight, ...]:
    """The flights of steps at places of known rises, sampled every 6 cm of an adult."""
    lengths = np.arange(0.0, 12.0, 0.06) * scale

    def height(places: np.ndarray, below: object = None) -> np.ndarray:
        return np.sum([rise * (places > place) for place, rise in risers], axis=0)

    return find_flights(lengths, height(lengths), scale, height)


def even(count: int = 5, going: float = 0.3, rise: float = 0.17, start: float = 3.01) -> list[tuple[float, float]]:
    return [(start + going * step, rise) for step in range(count)]


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_risers_are_found_where_they_are(scale: float, sign: float) -> None:
    (flight,) = staircase(*((place * scale, sign * rise * scale) for place, rise in even()), scale=scale)
    assert flight.is_up == (sign > 0)
    np.testing.assert_allclose(flight.risers, scale * (3.01 + 0.3 * np.arange(5)), atol=0.0026 * scale)


@pytest.mark.parametrize("ratio, flights", [(1.25, [6]), (1.4, [3, 3])])
def test_rises_of_a_flight_are_alike(ratio: float, flights: list[int]) -> None:
    for rises in ((0.15, 0.15 * ratio), (0.15 * ratio, 0.15), (-0.15, -0.15 * ratio)):
        risers = [(3.01 + 0.3 * step, rises[step // 3]) for step in range(6)]
        assert [len(flight.risers) for flight in staircase(*risers)] == flights


@pytest.mark.parametrize("ratio, flights", [(1.2, [7]), (1.45, [4, 3])])
def test_treads_of_a_flight_are_alike(ratio: float, flights: list[int]) -> None:
    places = 3.01 + np.cumsum([0.0, 0.28, 0.28, 0.28, *[0.28 * ratio] * 3])
    assert [len(flight.risers) for flight in staircase(*((place, 0.17) for place in places))] == flights


def test_a_flight_that_turns_is_two() -> None:
    risers = [(3.01 + 0.3 * step, 0.17 if step < 3 else -0.17) for step in range(6)]
    up, down = staircase(*risers)
    assert (up.is_up, down.is_up) == (True, False)
    assert up.risers[-1] == pytest.approx(3.61, abs=0.003) and down.risers[0] == pytest.approx(3.91, abs=0.003)


def test_a_ramp_between_samples_is_no_riser() -> None:
    """A rise of 0.24 m over four samples is a slope; over two it is a riser."""

    def flights(steps: int) -> tuple[StairFlight, ...]:
        lengths = np.arange(0.0, 12.0, 0.06)

        def height(places: np.ndarray, below: object = None) -> np.ndarray:
            return sum((0.2 * np.clip((places - at) / (0.06 * steps), 0, 1) for at in 3.0 + 0.42 * np.arange(4)), 0.0)

        return find_flights(lengths, height(lengths), 1.0, height)

    assert len(flights(2)) == 1 and not flights(4)


FLIGHT_UP = StairFlight(2.0 + 0.3 * np.arange(6), is_up=True)
FLIGHT_DOWN = StairFlight(2.0 + 0.3 * np.arange(6), is_up=False)


def test_the_plan_of_a_flight_in_numbers() -> None:
    """The approach has steps of 0.6, 0.55, 0.5 and 0.4 m to the middle of the tread before the first riser."""
    strikes = np.array([-0.2, 0.4, 0.95, 1.45, *(1.85 + 0.3 * np.arange(7))])
    halves = np.array([0.3, 0.3, 0.275, 0.25, 0.2, *[0.15] * 6])
    up = np.array([0.0, 0.0, 0.0, 0.0, 0.5, *[1.0] * 6])
    down = np.array([*[0.0] * 5, *[1.0] * 6])
    for flight, leads in ((FLIGHT_UP, halves + 0.05 * up), (FLIGHT_DOWN, halves - 0.02 * down)):
        plan = flight.plan_strides(1.0)
        np.testing.assert_allclose(plan.leads, leads)
        np.testing.assert_allclose(plan.places, strikes - leads)
        np.testing.assert_allclose(plan.weights, [0, 0.25, 0.5, 0.75, *[1.0] * 7])
        np.testing.assert_allclose(plan.cycles, np.arange(11) / 2)


@pytest.mark.parametrize("flight, slow, quick", [(FLIGHT_UP, 95, 110), (FLIGHT_DOWN, 100, 120)], ids=["up", "down"])
def test_a_tread_is_a_step_at_a_human_cadence(flight: StairFlight, slow: float, quick: float) -> None:
    places = flight.plan_strides(1.0).places
    at = np.array([places[0] - 0.01, places[0], places[7], places[8] - 1e-6, places[-1] - 1e-6, places[-1]])
    steps = np.array([np.inf, places[1] - places[0], *[0.3] * 3, np.inf])
    for speed, cadence in ((0.5, slow), (0.8, slow), (1.15, (slow + quick) / 2), (1.5, quick), (1.9, quick)):
        found = stair_speeds([flight], at, np.full(6, speed), 1.0)
        np.testing.assert_allclose(found, steps * cadence / 60, rtol=1e-6)
    assert np.isinf(stair_speeds([flight], at, np.full(6, 1.91), 1.0)).all()


def test_of_two_flights_the_slower_counts() -> None:
    places = FLIGHT_UP.plan_strides(1.0).places
    both = stair_speeds([FLIGHT_DOWN, FLIGHT_UP], places[7:8] + 0.2, np.array([1.0]), 1.0)
    alone = [stair_speeds([one], places[7:8] + 0.2, np.array([1.0]), 1.0)[0] for one in (FLIGHT_DOWN, FLIGHT_UP)]
    assert both[0] == min(alone)


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


def test_the_middles_of_the_treads() -> None:
    np.testing.assert_allclose(StairFlight(np.array([1.0, 1.3, 1.7]), True).tread_middles, [0.85, 1.15, 1.5, 1.9])

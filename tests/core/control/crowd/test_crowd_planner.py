"""Steps of prioritized planning, one by one, on agents in round places."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.crowd import prioritized_planning
from footfall.core.control.crowd.lanes import AgentPlan, AgentTrajectory, LaneGraph
from footfall.core.control.crowd.prioritized_planning import _bounds_equal, _CrowdPlanner, plan_crowd
from footfall.core.control.crowd.proximity import ProximityPairs
from footfall.core.control.crowd.space_time_search import SearchResult

from .plans import RATE, walker

LAYER_S = 0.25
EAST = walker((0.0, 0.0), (12.0, 0.0), name="East")


def planner(*plans: AgentPlan) -> _CrowdPlanner:
    return _CrowdPlanner([LaneGraph(plan, RATE, LAYER_S) for plan in plans], RATE, LAYER_S)


def test_the_common_time_ends_with_the_longest_delay_of_the_last_agent() -> None:
    later = replace(EAST, start_frame=120)
    crowd = planner(EAST, later)
    cells = len(LaneGraph(EAST, RATE, LAYER_S).lanes)
    assert len(crowd.times) == (32 + cells - 1) // 4 + 1 + 80 + 1
    np.testing.assert_allclose(crowd.times[:3], [0.0, 0.25, 0.5])
    assert crowd.positions.shape == (2, len(crowd.times), 2)


def test_an_agent_stands_before_its_start_and_after_its_arrival() -> None:
    crowd = planner(replace(EAST, start_frame=60))
    ends = 1.0 + (len(EAST.distances) - 1) / RATE
    times = np.array([0.0, 1.0, 1.0 + 1e-6, ends - 1e-6, ends, 99.0])
    assert crowd._stationary_at(0, times).tolist() == [True, True, False, False, True, True]


def meeting(distance: float, direction: tuple[float, float], arc_length: float = 3.0) -> ProximityPairs:
    """One meeting of the first agent with the second, which have to keep 0.6 m."""
    one = np.zeros(1, dtype=np.intp)
    values = np.array([0.6]), np.array([distance])
    return ProximityPairs(one, one + 1, one, *values, np.array([direction]), np.array([arc_length]), np.zeros(1))


SOUTH_OF_IT, NORTH_OF_IT = (0.0, -1.0), (0.0, 1.0)


@pytest.mark.parametrize(
    "distance, direction, low, high",
    [
        (0.4, SOUTH_OF_IT, 0.1, 1.2),
        (0.4, NORTH_OF_IT, -1.2, -0.1),
        (0.65, SOUTH_OF_IT, 0.0, 1.2),
        (0.72, NORTH_OF_IT, -1.2, 0.0),
        (1.0, SOUTH_OF_IT, -0.14, 1.2),
        (1.0, NORTH_OF_IT, -1.2, 0.14),
        (0.4, (0.8, -0.6), 0.1 / 0.6, 1.2),
        (0.4, (0.96, -0.28), -1.2, 1.2),
        (1.0, (0.96, -0.28), -0.14 / 0.35, 1.2),
        (1.0, (0.96, 0.28), -1.2, 0.14 / 0.35),
    ],
)
def test_each_of_two_provides_half_of_the_missing_clearance(
    distance: float, direction: tuple[float, float], low: float, high: float
) -> None:
    """East walks along X; a larger offset is farther south. 0.12 m beyond the distance are kept if there."""
    bounds = planner(EAST, walker((0.0, 9.0)))._offset_bounds(0, meeting(distance, direction))
    at = round(3.0 / LaneGraph(EAST, RATE, LAYER_S).spacing)
    np.testing.assert_allclose([bounds[0][at], bounds[1][at]], [low, high], atol=1e-9)
    for bound, free in zip(bounds, (-1.2, 1.2), strict=True):
        assert (np.delete(bound, at) == free).all()


@pytest.mark.parametrize("fixed, low", [((False, False), 0.1), ((False, True), 0.2), ((True, False), 0.0)])
def test_beside_a_fixed_agent_the_other_provides_all(fixed: tuple[bool, bool], low: float) -> None:
    plans = replace(EAST, is_fixed=fixed[0]), replace(walker((0.0, 9.0)), is_fixed=fixed[1])
    bounds = planner(*plans)._offset_bounds(0, meeting(0.4, SOUTH_OF_IT))
    assert bounds[0].max() == pytest.approx(low)


def test_bounds_are_beside_the_offset_that_was_found() -> None:
    crowd = planner(EAST, walker((0.0, 9.0)))
    crowd.trajectories[0] = replace(crowd.trajectories[0], offsets=np.full_like(crowd.trajectories[0].offsets, 0.3))
    low, _ = crowd._offset_bounds(0, meeting(0.4, SOUTH_OF_IT))
    assert low.max() == pytest.approx(0.4)


def test_a_plan_on_its_path_within_its_bounds_stays_as_it_is() -> None:
    crowd = planner(replace(EAST, max_offset=0.4), walker((0.0, 9.0)))
    crowd.smooth_trajectories()
    assert crowd.smoothed_trajectories[0] is crowd.trajectories[0]


def test_a_step_aside_is_smoothed_though_no_other_is_near() -> None:
    crowd = planner(EAST, walker((0.0, 9.0)))
    grid = crowd.lane_graphs[0].offset_arc_lengths
    stepped = AgentTrajectory(crowd.trajectories[0].plan_times, np.where(grid > 6.0, 0.5, 0.0), True)
    crowd.trajectories[0] = stepped
    crowd.smooth_trajectories()
    offsets = crowd.smoothed_trajectories[0].offsets
    assert offsets[0] == pytest.approx(0.0, abs=1e-4) and offsets[-1] == pytest.approx(0.5, abs=1e-4)
    assert np.abs(np.diff(offsets)).max() < 0.05


def test_a_plan_that_must_give_way_is_smoothed_though_it_was_on_its_path() -> None:
    """The other agent passes half a meter to the north, and both give way by half of what is missing."""
    other = walker((12.0, 0.3), (0.0, 0.3))
    crowd = planner(EAST, other)
    crowd.smooth_trajectories()
    assert crowd.smoothed_trajectories[0].changed
    assert 0.05 < crowd.smoothed_trajectories[0].offsets.max() < 0.25
    before = crowd.smoothed_trajectories[0]
    crowd.smooth_trajectories()
    assert crowd.smoothed_trajectories[0] is before, "the same bounds give the same"


def test_stiffness_grows_by_levels_until_an_agent_is_planned_again() -> None:
    blind = [replace(plan, max_offset=0.0) for plan in (EAST, walker((12.0, 0.0), (0.0, 0.0)))]
    crowd = planner(*blind)
    order = np.array([1, 0])
    assert crowd.resolve_conflicts(order) and crowd.stiffness_levels.tolist() == [1, 1]
    assert crowd.resolve_conflicts(order) and crowd.stiffness_levels.tolist() == [2, 2]
    assert not crowd.is_planned.any()
    assert crowd.resolve_conflicts(order)
    assert crowd.is_planned.tolist() == [True, False], "that of lower priority"
    crowd.failure_counts[0] = 4
    assert not crowd.resolve_conflicts(order)


def test_agents_that_keep_apart_have_no_conflict() -> None:
    crowd = planner(EAST, walker((0.0, 2.0), (12.0, 2.0)))
    assert not crowd.resolve_conflicts(np.array([0, 1])) and not crowd.stiffness_levels.any()


@pytest.mark.parametrize("gap, conflict", [(0.53, False), (0.51, True)])
def test_a_conflict_is_eight_centimeters_too_near(gap: float, conflict: bool) -> None:
    beside = walker((0.0, gap), (12.0, gap), radius=0.3)
    crowd = planner(replace(EAST, radius=0.3), beside)
    assert crowd.resolve_conflicts(np.array([0, 1])) == conflict


def test_fixed_agents_go_first_and_then_those_that_are_somewhere_sooner() -> None:
    early, late = walker((0.0, -3.0), (0.0, 3.0)), walker((3.0, 0.0), (-3.0, 0.0), start=90)
    for seed in range(4):
        assert planner(early, late).priority_order(seed).tolist() == [0, 1]
        assert planner(late, early).priority_order(seed).tolist() == [1, 0]
        assert planner(early, replace(late, is_fixed=True)).priority_order(seed).tolist() == [1, 0]
    apart = planner(early, walker((9.0, -3.0), (9.0, 3.0)))
    assert {tuple(apart.priority_order(seed).tolist()) for seed in range(9)} == {(0, 1), (1, 0)}


@pytest.mark.parametrize("offset, told", [(0.26, True), (0.24, False)])
def test_a_start_a_quarter_of_a_meter_aside_is_told(offset: float, told: bool) -> None:
    crowd = planner(EAST, walker((0.0, 0.3), name="Post"))
    crowd.smoothed_trajectories[0] = replace(
        crowd.trajectories[0], offsets=np.linspace(offset, 0.0, len(crowd.trajectories[0].offsets))
    )
    assert crowd._endpoint_warnings(0) == ["starts 0.3 m from its start, which Post occupies"] * told


@pytest.mark.parametrize("missing, told", [(0.26, True), (0.24, False)])
def test_an_end_that_is_not_reached_is_told(missing: float, told: bool) -> None:
    crowd = planner(EAST, walker((12.0, 0.3), name="Post"), walker((0.0, 0.3), name="Other"))
    whole = crowd.trajectories[0]
    reached = np.interp(12.0 - missing, EAST.distances, np.arange(len(EAST.distances)) / RATE)
    crowd.smoothed_trajectories[0] = replace(whole, plan_times=np.minimum(whole.plan_times, reached))
    assert crowd._endpoint_warnings(0) == ["stops 0.3 m before its end, blocked by Post"] * (told)
    aside = np.linspace(0.0, -missing, len(whole.offsets))
    crowd.smoothed_trajectories[0] = replace(whole, offsets=aside)
    assert crowd._endpoint_warnings(0) == ["ends 0.3 m from its end, which Post occupies"] * told


def test_two_that_come_too_close_are_told_where_and_when() -> None:
    """They meet in the middle after about half of the walk, and have to keep 0.6 m."""
    for gap, told in ((0.49, True), (0.51, False)):
        plans = replace(EAST, radius=0.3), walker((12.0, gap), (0.0, gap), radius=0.3, name="West")
        crowd = planner(*plans)
        warnings = crowd._warnings()
        assert [len(notes) for notes in warnings] == [told, told]
        if told:
            middle = round(np.interp(6.0, EAST.distances, np.arange(len(EAST.distances))) / 3) * 3
            assert warnings[0][0].startswith(f"comes as close to West as 0.49 m at frame {middle}")
            assert "close to East" in warnings[1][0]


def test_a_plan_that_is_cut_short_ends_where_it_stops() -> None:
    crowd = planner(EAST)
    whole = crowd.trajectories[0]
    crowd.smoothed_trajectories[0] = replace(
        whole, plan_times=whole.plan_times[:300], offsets=np.full_like(whole.offsets, 0.2), changed=True
    )
    (result,) = crowd.results()
    np.testing.assert_allclose(result.points[[0, -1]], [[0.0, -0.2], [EAST.distances[299], -0.2]], atol=1e-9)
    np.testing.assert_allclose(result.distances, EAST.distances[:300], atol=1e-6)
    np.testing.assert_allclose(result.plan_frames, np.arange(300))
    assert result.changed


def test_a_slow_agent_has_layers_of_a_quarter_of_a_second_and_a_fast_one_of_forty_centimeters() -> None:
    seconds = []
    real = LaneGraph.__init__

    def told(self: LaneGraph, plan: AgentPlan, rate: float, layer_duration: float) -> None:
        seconds.append(layer_duration)
        real(self, plan, rate, layer_duration)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LaneGraph, "__init__", told)
        for speed in (1.2, 3.2):
            plan_crowd([walker((0.0, 0.0), (20.0, 0.0), speed=speed)], RATE)
        plan_crowd([walker((0.0, 0.0))], RATE)
    assert seconds == [0.25, pytest.approx(0.125), 0.25]


def test_bounds_are_equal_if_all_of_them_are() -> None:
    one = np.zeros(3), np.ones(3), 1
    assert _bounds_equal(one, (np.zeros(3), np.ones(3), 1)) and not _bounds_equal(None, one)
    for other in ((np.ones(3), np.ones(3), 1), (np.zeros(3), np.zeros(3), 1), (np.zeros(3), np.ones(3), 2)):
        assert not _bounds_equal(one, other)


def test_an_agent_that_stands_has_one_place() -> None:
    side = LaneGraph(walker((2.0, 1.0)), RATE, LAYER_S)
    assert side.offset_arc_lengths.tolist() == [0.0, 0.0] and side.spacing == 0.05
    assert len(side.lanes) == 1


def test_offsets_are_five_centimeters_apart() -> None:
    side = LaneGraph(EAST, RATE, LAYER_S)
    assert len(side.offset_arc_lengths) == 241 and side.spacing == pytest.approx(0.05)
    short = LaneGraph(walker((0.0, 0.0), (0.06, 0.0)), RATE, LAYER_S)
    assert len(short.offset_arc_lengths) == 2


@pytest.mark.parametrize(
    "costs, delays, planned",
    [([10.0], [3.0], True), ([70.0, 10.0], [3.0, 8.0], True), ([90.0, 80.0, 85.0], [3.0, 8.0, 20.0], False)],
)
def test_where_the_search_is_blocked_longer_delays_are_tried(
    monkeypatch: pytest.MonkeyPatch, costs: list[float], delays: list[float], planned: bool
) -> None:
    crowd, asked = planner(EAST), []
    cells = np.arange(len(crowd.lane_graphs[0].lanes), dtype=np.intp)[::4]

    def search(lanes: object, obstacles: object, max_delay: float) -> SearchResult:
        asked.append(max_delay)
        return SearchResult(cells, np.full(len(cells), 0.1 * len(asked)), costs[len(asked) - 1])

    monkeypatch.setattr(prioritized_planning, "search_space_time", search)
    assert crowd.plan_agent(0) == planned and asked == delays and crowd.is_planned[0]
    taken = 1 + int(np.argmin(costs))
    assert crowd.trajectories[0].offsets[0] == pytest.approx(0.1 * taken), "the cheapest of all is taken"

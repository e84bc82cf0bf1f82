"""Agents that keep their distances: they pass each other, slow down or wait, and arrive."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.control.crowd.lanes import TUNING as LANES_TUNING
from footfall.core.control.crowd.lanes import AgentPlan
from footfall.core.control.crowd.prioritized_planning import TUNING as PRIORITIZED_PLANNING_TUNING
from footfall.core.control.crowd.prioritized_planning import CoordinatedPlan, plan_crowd
from footfall.core.control.crowd.proximity import STATIONARY_DISTANCE_RATIO
from footfall.core.evaluation.path_error import cross_track_error
from footfall.core.scene.body_size import AGENT_RADIUS_M
from footfall.tests.core.control.crowd.plans import RATE, circle, closest, tracks, walker
from footfall.tests.support.properties import examples

ROOM = 2 * AGENT_RADIUS_M
EAST = walker((-6.0, 0.0), (6.0, 0.0), name="East")
WEST = walker((6.0, 0.0), (-6.0, 0.0), name="West")
NORTH = walker((0.0, -6.0), (0.0, 6.0), name="North")


def seconds_late(plan: AgentPlan, kept: CoordinatedPlan) -> float:
    return (len(kept.distances) - len(plan.distances)) / RATE


def test_two_who_meet_go_round_each_other_on_the_right() -> None:
    plans = [EAST, WEST]
    kept = plan_crowd(plans, RATE)
    found = tracks(plans, kept)
    assert closest(found) > ROOM - PRIORITIZED_PLANNING_TUNING.conflict_tolerance
    moment = np.linalg.norm(found[0] - found[1], axis=-1).argmin()
    assert found[0, moment, 1] < found[1, moment, 1], "right of who walks east is south"
    for plan, one in zip(plans, kept, strict=True):
        assert one.warnings == () and abs(seconds_late(plan, one)) < 0.5
        np.testing.assert_allclose(one.points[[0, -1]], plan.points[[0, -1]], atol=1e-6)
        assert cross_track_error(one.points, plan.points).max() < ROOM + 0.2


def test_of_two_whose_ways_cross_one_goes_first() -> None:
    plans = [EAST, NORTH]
    kept = plan_crowd(plans, RATE)
    assert closest(tracks(plans, kept)) > ROOM - PRIORITIZED_PLANNING_TUNING.conflict_tolerance
    assert all(one.warnings == () and seconds_late(plan, one) < 1.5 for plan, one in zip(plans, kept, strict=True))


def test_who_may_not_leave_the_way_waits_for_who_crosses_it() -> None:
    rails = walker((-6.0, 0.0), (6.0, 0.0), max_offset=0.0)
    others = [walker((x, -6.0), (x, 6.0), max_offset=0.0, name=f"at {x}") for x in (-0.4, 0.5)]
    plans = [rails, *others]
    kept = plan_crowd(plans, RATE)
    assert closest(tracks(plans, kept)) > ROOM - PRIORITIZED_PLANNING_TUNING.conflict_tolerance
    for plan, one in zip(plans, kept, strict=True):
        assert cross_track_error(one.points, plan.points).max() < 1e-6
        assert one.distances[-1] == pytest.approx(plan.distances[-1], abs=1e-6)
    assert 0.3 < sum(seconds_late(plan, one) for plan, one in zip(plans, kept, strict=True)) < 6.0


def test_who_stands_at_the_end_is_gone_round_and_who_has_not_started_too() -> None:
    ended = walker((0.0, 6.0), (0.0, 0.0), speed=2.5, name="ended")
    waiting = walker((3.0, 0.0), (3.0, -6.0), start=1200, name="waiting")
    plans = [EAST, ended, waiting]
    kept = plan_crowd(plans, RATE)
    found = tracks(plans, kept)
    assert closest(found) > STATIONARY_DISTANCE_RATIO * ROOM - PRIORITIZED_PLANNING_TUNING.conflict_tolerance
    np.testing.assert_array_equal(found[2, :1201] - waiting.points[0], 0.0)
    np.testing.assert_allclose(found[0, -1], EAST.points[-1], atol=1e-6)
    assert kept[0].warnings == ()


def test_the_faster_one_overtakes() -> None:
    slow, fast = walker((-4.0, 0.0), (8.0, 0.0), speed=0.7), walker((-6.0, 0.0), (10.0, 0.0), speed=1.5)
    kept = plan_crowd([slow, fast], RATE)
    found = tracks([slow, fast], kept)
    assert closest(found) > STATIONARY_DISTANCE_RATIO * ROOM - PRIORITIZED_PLANNING_TUNING.conflict_tolerance
    # After twelve seconds the one is a meter and more before the other.
    assert found[1, 720, 0] > found[0, 720, 0] + 1.0
    assert all(
        one.warnings == () and abs(seconds_late(plan, one)) < 1.0 for plan, one in zip([slow, fast], kept, strict=True)
    )


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_twelve_who_meet_in_the_middle_all_get_through(seed: int) -> None:
    plans = circle(12, 6.0)
    kept = plan_crowd(plans, RATE, seed)
    found = tracks(plans, kept)
    assert closest(found) > ROOM - PRIORITIZED_PLANNING_TUNING.reported_deficit
    for plan, one in zip(plans, kept, strict=True):
        assert one.warnings == () and seconds_late(plan, one) < 8.0
        np.testing.assert_allclose(one.points[-1], plan.points[-1], atol=1e-6)
    # As people do: no jumps, no sharp turns.
    velocity = np.diff(found, axis=1) * RATE
    speed = np.linalg.norm(velocity, axis=-1)
    turned = np.diff(np.unwrap(np.arctan2(velocity[..., 1], velocity[..., 0]), axis=1), axis=1) * RATE
    assert speed.max() < 1.75
    assert np.percentile(np.abs(turned[speed[:, 1:] > 0.3]), 99.5) < 2.2


def test_a_seed_chooses_who_goes_first_and_is_the_same_again() -> None:
    plans = circle(5, 5.0)
    runs = [[one.points for one in plan_crowd(plans, RATE, seed)] for seed in (0, 0, 1, 2)]
    assert all(np.array_equal(one, other) for one, other in zip(runs[0], runs[1], strict=True))
    different = [not all(map(np.array_equal, runs[0], run)) for run in runs[2:]]
    assert any(different)


def test_of_two_who_end_at_the_same_place_one_stands_beside_it_and_is_told() -> None:
    plans = [walker((-5.0, 0.0), (0.0, 0.0), name="Ada"), walker((0.0, 7.0), (0.0, 0.0), name="Ben")]
    ada, ben = plan_crowd(plans, RATE)
    assert (
        closest(tracks(plans, [ada, ben]))
        > STATIONARY_DISTANCE_RATIO * ROOM - PRIORITIZED_PLANNING_TUNING.conflict_tolerance
    )
    assert ada.warnings == () and len(ben.warnings) == 1
    assert "the end of its path" in ben.warnings[0] and "Ada" in ben.warnings[0]


def test_of_two_who_begin_at_the_same_place_one_begins_beside_it_and_is_told() -> None:
    plans = [walker((0.0, 0.0), (5.0, 0.0), name="Ada"), walker((0.0, 0.0), (0.0, 5.0), name="Ben")]
    kept = plan_crowd(plans, RATE)
    assert (
        closest(tracks(plans, kept)) > STATIONARY_DISTANCE_RATIO * ROOM - PRIORITIZED_PLANNING_TUNING.conflict_tolerance
    )
    (note,) = [note for one in kept for note in one.warnings]
    assert "from the start of its path" in note and ("Ada" in note) == bool(kept[1].warnings)


def test_an_end_missed_by_a_bit_along_the_path_and_a_bit_beside_it_is_told() -> None:
    """Neither part is worth a warning alone; both together are."""
    plans = [
        walker((x, 0.0), (-2.0, 2.0), speed=1.0, start=start, name=name)
        for x, start, name in ((0.5, 0, "Ada"), (0.75, 7, "Ben"), (0.6875, 39, "Cleo"))
    ]
    for plan, one in zip(plans, plan_crowd(plans, RATE), strict=True):
        missed = np.linalg.norm(one.points[-1] - plan.points[-1])
        assert (missed > PRIORITIZED_PLANNING_TUNING.reported_offset) == any(
            "the end of its path" in note for note in one.warnings
        )


def test_no_agent_is_sent_into_a_wall() -> None:
    """One side of the path is free: both agents pass each other there."""
    free = np.tile([1.2, 0.1], (len(EAST.points), 1))
    plans = [replace(EAST, corridor_widths=free), replace(WEST, corridor_widths=free[:, ::-1])]
    kept = plan_crowd(plans, RATE)
    found = tracks(plans, kept)
    assert closest(found) > ROOM - PRIORITIZED_PLANNING_TUNING.conflict_tolerance
    # Right of who walks east is south, and there is the wall.
    assert found[..., 1].min() > -0.2 and found[..., 1].max() > 0.4
    assert all(one.warnings == () for one in kept)


def test_two_who_cannot_pass_each_other_are_both_told() -> None:
    plans = [
        walker((-6.0, 0.0), (6.0, 0.0), max_offset=0.0, name="East"),
        walker((6.0, 0.0), (-6.0, 0.0), max_offset=0.0, name="West"),
    ]
    (east,), (west,) = (one.warnings for one in plan_crowd(plans, RATE))
    assert "too close to 'West'" in east and "too close to 'East'" in west
    assert "start one of the two later" in east


def test_children_pass_closer_and_runners_keep_apart_too() -> None:
    children = [walker((-4.0, 0.0), (4.0, 0.0), radius=0.2), walker((4.0, 0.0), (-4.0, 0.0), radius=0.2)]
    found = tracks(children, plan_crowd(children, RATE))
    assert 0.4 - PRIORITIZED_PLANNING_TUNING.conflict_tolerance < closest(found) < ROOM
    runners = [walker((-12.0, 0.0), (12.0, 0.0), speed=4.0), walker((0.0, -12.0), (0.0, 12.0), speed=4.0)]
    assert closest(tracks(runners, plan_crowd(runners, RATE))) > ROOM - PRIORITIZED_PLANNING_TUNING.conflict_tolerance


corners = st.tuples(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0))
ways = st.tuples(corners, corners).filter(lambda ends: np.hypot(*np.subtract(*ends)) > 1.0)


@given(st.lists(st.tuples(ways, st.floats(0.6, 2.0), st.integers(0, 200)), min_size=2, max_size=6))
@settings(max_examples=examples(15))
def test_whoever_goes_wherever_keeps_apart_or_is_told(drawn: list) -> None:
    plans = [
        walker(*ends, speed=speed, start=start, name=f"number {number}")
        for number, (ends, speed, start) in enumerate(drawn)
    ]
    kept = plan_crowd(plans, RATE)
    for plan, one in zip(plans, kept, strict=True):
        assert np.isfinite(one.points).all() and (np.diff(one.distances) >= -1e-9).all()
        assert len(one.plan_frames) == len(one.distances) and (np.diff(one.plan_frames) >= -1e-9).all()
        assert cross_track_error(one.points, plan.points).max() < LANES_TUNING.max_lateral_offset + 0.3
        if not one.warnings:
            assert np.linalg.norm(one.points[-1] - plan.points[-1]) < PRIORITIZED_PLANNING_TUNING.reported_offset + 0.01
    found = tracks(plans, kept)
    told = {number for number, one in enumerate(kept) if any("comes too close" in note for note in one.warnings)}
    for one in range(len(plans)):
        for other in range(one):
            if not {one, other} <= told:
                nearest = float(np.linalg.norm(found[one] - found[other], axis=-1).min())
                assert nearest > STATIONARY_DISTANCE_RATIO * ROOM - PRIORITIZED_PLANNING_TUNING.reported_deficit - 0.02

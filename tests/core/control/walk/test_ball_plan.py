"""Ball play along a path, planned: stops, facing, the order of actions, and when the ball is whose."""

from collections.abc import Sequence

import numpy as np
import pytest

from footfall.core.ball.free_motion import BallPhysics
from footfall.core.ball.takes import BallTake, shipped_takes
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.path.path_events import BallCue, Cues
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.control.path.velocity_profile import Timing, plan_timing
from footfall.core.control.walk import ball_plan
from footfall.core.control.walk.ball_plan import (
    LEAD_S,
    BallKit,
    BallPlan,
    PlannedAction,
    by_length,
    hands_at,
    in_order,
    place_ball_cues,
    plan_ball,
)
from footfall.core.errors import FootfallError
from footfall.core.terrain.ground import Plane
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.walker import Walker

RATE = 60.0
PATH = WalkPath(np.array([[0.0, 0.0], [0.0, 8.0]]))
LEVEL = TerrainProfile.from_path(PATH, WalkScene(Plane()), 0.0)
KIT = BallKit(shipped_takes())
HOOP = np.array([[0.0, 11.0, 3.05]])
AHEAD = np.array([[2.0, 9.0, 1.3]])


def planned(*balls: BallCue, dribbles: bool = False) -> tuple[BallPlan, np.ndarray]:
    """The plan, and the planned arc lengths at each frame."""
    cues = place_ball_cues(Cues(balls=balls), KIT, PATH, LEVEL, 1.0)
    timing = plan_timing(PATH, 1.2, RATE, LEVEL, 1.8, cues=cues)
    plan = plan_ball(cues, KIT, timing, RATE, dribbles)
    assert plan is not None
    return plan, timing.distances


def refusal(balls: Sequence[BallCue], scale: float = 1.0) -> str:
    with pytest.raises(FootfallError) as said:
        place_ball_cues(Cues(balls=tuple(balls)), KIT, PATH, LEVEL, scale)
    return str(said.value)


def test_the_character_stands_for_as_long_as_the_take_lasts() -> None:
    plan, lengths = planned(BallCue("shoot", 5.0, target=HOOP))
    timeline, take = plan.timeline(lengths, RATE), KIT.takes.takes["shoot"]
    first = int(np.searchsorted(lengths, plan.actions[0].cue.start - 0.004))
    assert timeline.starts[0] - first == round(LEAD_S * RATE)
    assert timeline.ends[0] - timeline.starts[0] == len(take.clip)
    assert np.ptp(lengths[first + 1 : timeline.ends[0]]) < 0.01


def test_a_ball_is_the_character_s_until_it_is_thrown_and_from_when_it_is_taken() -> None:
    plan, lengths = planned(BallCue("pick_up", 2.0), BallCue("shoot", 6.0, target=HOOP))
    timeline = plan.timeline(lengths, RATE)
    assert not timeline.dribbled.any()
    np.testing.assert_array_equal(
        np.flatnonzero(np.diff(timeline.held.astype(int))), [timeline.contacts[0] - 1, timeline.contacts[1]]
    )


def test_it_is_dribbled_between_actions_and_held_where_it_is_told() -> None:
    plan, lengths = planned(BallCue("hold", 3.0, 5.0), BallCue("pass", 8.0, target=AHEAD), dribbles=True)
    timeline = plan.timeline(lengths, RATE)
    inside = (lengths > 3.01) & (lengths < 4.99)
    assert timeline.held[inside].all() and timeline.dribbled[(lengths > 0.1) & (lengths < 2.9)].all()
    assert timeline.held[timeline.starts[0]] and timeline.dribbled[timeline.starts[0] - 1]
    assert not (timeline.held & timeline.dribbled).any()


def test_two_actions_at_one_place_follow_each_other() -> None:
    plan, lengths = planned(BallCue("catch", 4.0, target=AHEAD), BallCue("shoot", 4.0, target=HOOP))
    timeline = plan.timeline(lengths, RATE)
    assert timeline.ends[0] <= timeline.starts[1]
    assert np.ptp(lengths[timeline.starts[0] : timeline.ends[1]]) < 0.01


def test_the_character_walks_up_to_the_ball_and_stops_within_its_reach() -> None:
    cues = place_ball_cues(
        Cues(balls=(BallCue("pick_up", 7.0, target=np.array([[0.1, 3.0, 0.12]])),)), KIT, PATH, LEVEL, 1
    )
    assert cues.balls[0].start == pytest.approx(3.0 - 0.6, abs=0.05)
    assert cues.waits[0].start == cues.balls[0].start and cues.spans[0].facing is not None


@pytest.mark.parametrize(
    ("balls", "said"),
    [
        ([BallCue("pick_up", 0.0, target=np.array([[0.0, 3.0, 1.5]]))], "The ball is 138 cm over where it would lie"),
        ([BallCue("pick_up", 0.0, target=np.array([[3.0, 3.0, 0.12]]))], "No hand gets to the ball: the path comes no"),
        ([BallCue("shoot", 0.0, target=np.array([[0.0, 30.0, 3.05]]))], "The hoop is out of reach: from 30.0 m away"),
        ([BallCue("pass", 0.0, target=np.array([[0.0, 30.0, 1.2]]))], "The pass is too far: 30.0 m"),
        (
            [BallCue("shoot", 1.0, target=HOOP), BallCue("pass", 3.0, target=AHEAD)],
            "shoots a ball that it does not have",
        ),
        ([BallCue("pick_up", 1.0), BallCue("catch", 3.0, target=AHEAD)], "catches a ball while it has one"),
        ([BallCue("pass", 1.0, target=AHEAD), BallCue("pick_up", 3.0)], "The ball is gone once it is shot, or passed"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(balls: list[BallCue], said: str) -> None:
    assert said in refusal(balls)


def test_a_ball_comes_back_from_the_hands_that_it_was_passed_to() -> None:
    plan, lengths = planned(
        BallCue("pass", 2.0, target=AHEAD, with_other=True), BallCue("catch", 6.0, target=AHEAD), dribbles=True
    )
    timeline = plan.timeline(lengths, RATE)
    away = slice(timeline.contacts[0] + 1, timeline.contacts[1])
    assert not timeline.held[away].any() and not timeline.dribbled[away].any() and timeline.held[timeline.contacts[1]]


def test_without_actions_there_is_no_plan() -> None:
    timing = plan_timing(PATH, 1.2, RATE, LEVEL, 1.8)
    assert plan_ball(Cues(), None, timing, RATE, True) is None


# --- The timeline of takes of two seconds, whose hands come to the ball or part with it in frame 40

TAKE = BallTake(Walker(seconds=2.0).clip().cut(0, 120), 40)
STOPS = np.concatenate([0.02 * np.arange(100), np.full(200, 2.0), 2.0 + 0.02 * np.arange(100), np.full(300, 4.0)])
"""Arc lengths of a walk that stands at 2 m from frame 100 to 300, and at 4 m from frame 399 on."""


def acted(
    *actions: tuple[str, float, float], holds: Sequence[tuple[float, float]] = (), dribbles: bool = False
) -> BallPlan:
    """The plan of actions, each at a length and with a delay."""
    planned = tuple(PlannedAction(BallCue(action, at), TAKE, delay) for action, at, delay in actions)  # type: ignore[arg-type]
    return BallPlan(planned, tuple(holds), dribbles, KIT)


def frames_of(mask: np.ndarray) -> list[int]:
    """The frames at which a mask changes."""
    return (np.flatnonzero(np.diff(mask.astype(int))) + 1).tolist()


def test_a_take_begins_its_delay_after_the_character_has_come_to_its_place() -> None:
    timeline = acted(("pick_up", 2.0, 0.5), ("shoot", 4.0, 0.25)).timeline(STOPS, RATE)
    assert timeline.starts == (130, 415) and timeline.contacts == (170, 455) and timeline.ends == (250, 535)


def test_a_ball_is_held_from_the_frame_of_the_contact_to_the_frame_of_the_release() -> None:
    timeline = acted(("pick_up", 2.0, 0.5), ("shoot", 4.0, 0.25)).timeline(STOPS, RATE)
    assert not timeline.held[0] and frames_of(timeline.held) == [170, 456]
    timeline = acted(("pass", 2.0, 0.0), ("catch", 4.0, 0.0)).timeline(STOPS, RATE)
    assert timeline.held[0] and frames_of(timeline.held) == [141, 440]
    assert acted().timeline(STOPS, RATE).held.all()


def test_between_its_takes_a_ball_is_dribbled_and_where_it_is_held_it_is_not() -> None:
    plan = acted(("pick_up", 2.0, 0.5), ("shoot", 4.0, 0.25), dribbles=True)
    timeline = plan.timeline(STOPS, RATE)
    assert frames_of(timeline.dribbled) == [250, 415] and frames_of(timeline.held) == [170, 250, 415, 456]
    held = acted(("pass", 4.0, 0.0), holds=[(0.5, 1.5)], dribbles=True).timeline(STOPS, RATE)
    assert frames_of(held.dribbled) == [76, 400], "25 frames of it are too short for a dribble before"
    assert held.held[25:76].all() and held.held[:25].all()


# --- The stops and what is said of them


def test_a_stop_lasts_as_long_as_the_take_and_what_is_waited_before_it_and_after_a_shot() -> None:
    target = np.array([[0.0, 9.0, 1.3]])
    for cue, watched in (
        (BallCue("pass", 4.0, target=target, idle=0.5), 0.0),
        (BallCue("catch", 4.0, target=target), 0.0),
        (BallCue("shoot", 4.0, target=HOOP), 1.5),
    ):
        placed = place_ball_cues(Cues(balls=(cue,)), KIT, PATH, LEVEL, 1.0)
        take = KIT.takes.takes[cue.action].clip
        ((wait,), (span,)) = placed.waits, placed.spans
        assert wait.start == pytest.approx(4.0, abs=0.021) and wait.unit == "meters", "at the next sample of the path"
        assert wait.duration == pytest.approx(0.35 + cue.idle + len(take) / take.rate + watched)
        assert (span.start, span.end) == pytest.approx(
            (wait.start - 1.0, wait.start + 0.01)
        ) and span.facing is not None
    timed = BallCue("pass", 9.0, unit="seconds", target=target)
    ((wait,), (span,)) = (found := place_ball_cues(Cues(balls=(timed,)), KIT, PATH, LEVEL, 1.0)).waits, found.spans
    assert (wait.start, wait.unit, span.unit) == (9.0, "seconds", "seconds")
    assert (span.start, span.end) == pytest.approx((8.0, 9.0 + wait.duration))


def test_holding_a_ball_stops_nothing_and_without_a_target_nothing_is_faced() -> None:
    placed = place_ball_cues(Cues(balls=(BallCue("hold", 1.0, 3.0), BallCue("pick_up", 4.0))), KIT, PATH, LEVEL, 1.0)
    assert len(placed.waits) == 1 and placed.spans == ()
    assert place_ball_cues(cues := Cues(), None, PATH, LEVEL, 1.0) is cues


@pytest.mark.parametrize(("action", "height"), [("pass", 1.26), ("catch", 1.26), ("shoot", 1.848), ("pick_up", 0.0)])
def test_a_ball_leaves_the_hands_at_so_many_legs_over_the_ground(action: str, height: float) -> None:
    cue = BallCue(action, 3.0)  # type: ignore[arg-type]
    np.testing.assert_allclose(hands_at(cue, PATH, LEVEL), [0.0, 3.0, height], atol=1e-9)


def test_actions_are_in_the_order_of_their_places_and_holding_is_none() -> None:
    cues = [BallCue("shoot", 5.0), BallCue("hold", 1.0, 2.0), BallCue("pick_up", 3.0)]
    assert [cue.action for cue in in_order(cues)] == ["pick_up", "shoot"]


def test_a_time_is_the_place_where_the_plan_is_then() -> None:
    timing = Timing.without_cues(np.arange(601) / 60, np.ones(601))
    timed = by_length(BallCue("hold", 2.5, 4.5, "seconds"), timing, RATE)
    assert (timed.start, timed.end, timed.unit) == (2.0, 4.0, "meters")
    assert by_length(cue := BallCue("hold", 2.5, 4.5), timing, RATE) is cue


def test_on_a_body_of_twice_the_size_a_ball_falls_half_as_fast_and_is_half_as_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In meters of the controller."""
    known: list[BallPhysics] = []
    monkeypatch.setattr(ball_plan, "_require_possible", lambda cue, here, physics, body: known.append(physics))
    place_ball_cues(Cues(balls=(BallCue("pass", 4.0, target=AHEAD),)), KIT, PATH, LEVEL, 2.0)
    assert (known[0].gravity, known[0].radius) == pytest.approx((9.81 / 2, KIT.radius / 2), rel=1e-3)

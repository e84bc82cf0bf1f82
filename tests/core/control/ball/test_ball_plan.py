"""Ball play along a path, planned: stops, facing, the order of actions, and when the ball is whose."""

from collections.abc import Sequence

import numpy as np
import pytest

from footfall.core.ball.takes import shipped_takes
from footfall.core.control.ball.ball_plan import TUNING as BALL_PLAN_TUNING
from footfall.core.control.ball.ball_plan import BallKit, BallPlan, place_ball_cues, plan_ball
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.path.path_events import BallCue, Cues
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.control.path.velocity_profile import plan_timing
from footfall.core.errors import FootfallError
from footfall.core.terrain.ground import Plane
from footfall.core.terrain.walk_scene import WalkScene

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
    assert timeline.starts[0] - first == round(BALL_PLAN_TUNING.lead * RATE)
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
        (
            [BallCue("pick_up", 0.0, target=np.array([[0.0, 3.0, 1.5]]))],
            "The ball is 138 cm above the ground, but can only be picked up from the ground",
        ),
        (
            [BallCue("pick_up", 0.0, target=np.array([[3.0, 3.0, 0.12]]))],
            "The ball is out of reach, because the path stays at least",
        ),
        ([BallCue("shoot", 0.0, target=np.array([[0.0, 30.0, 3.05]]))], "The hoop, 30.0 m away and"),
        ([BallCue("pass", 0.0, target=np.array([[0.0, 30.0, 1.2]]))], "The pass is 30.0 m long, but people can pass"),
        (
            [BallCue("shoot", 1.0, target=HOOP), BallCue("pass", 3.0, target=AHEAD)],
            "The character has no ball to pass or shoot",
        ),
        (
            [BallCue("pick_up", 1.0), BallCue("catch", 3.0, target=AHEAD)],
            "The character still has a ball when it picks up or catches another one",
        ),
        (
            [BallCue("pass", 1.0, target=AHEAD), BallCue("pick_up", 3.0)],
            "The character has no ball after a shot, or a pass to a point",
        ),
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

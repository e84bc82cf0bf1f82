"""Passes between characters in time: who is early stands until the other's hands are there, who is late is told."""

import numpy as np
import pytest

from footfall.core.ball.takes import shipped_takes
from footfall.core.control.ball.ball_meetings import wait_for_others
from footfall.core.control.ball.ball_plan import BallKit, place_ball_cues, plan_ball
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.path.path_events import BallCue, Cues
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.control.path.velocity_profile import STAND_BEFORE_S, Timing, plan_timing
from footfall.core.errors import FootfallError
from footfall.core.terrain.ground import Plane
from footfall.core.terrain.walk_scene import WalkScene

RATE = 60.0
PATH = WalkPath(np.array([[0.0, 0.0], [0.0, 8.0]]))
LEVEL = TerrainProfile.from_path(PATH, WalkScene(Plane()), 0.0)
KIT = BallKit(shipped_takes())
OTHER = np.array([[0.0, 8.0, 1.3]])


def timing_of(cues: Cues) -> Timing:
    return plan_timing(PATH, 1.2, RATE, LEVEL, 1.8, cues=cues)


def contacts(*balls: BallCue) -> list[float]:
    """When the ball leaves the hands or comes to them, seconds since the first frame, after waiting for others."""
    cues = wait_for_others(Cues(balls=balls), KIT, PATH, LEVEL, 1.0, RATE, timing_of)
    placed = place_ball_cues(cues, KIT, PATH, LEVEL, 1.0)
    timing = timing_of(placed)
    plan = plan_ball(placed, KIT, timing, RATE, False)
    assert plan is not None
    lengths = np.concatenate([np.zeros(round(STAND_BEFORE_S * RATE)), timing.distances])
    return [contact / RATE for contact in plan.timeline(lengths, RATE).contacts]


def cue(action: str, at: float, *meetings: float) -> BallCue:
    return BallCue(action, at, target=OTHER, with_other=True, meetings=meetings)  # type: ignore[arg-type]


def test_a_passer_waits_for_the_next_catch_and_a_catcher_for_the_next_pass() -> None:
    """The pass over 4 m flies about half a second; meetings that are over are left out."""
    (alone,) = contacts(cue("pass", 4.0))
    (waited,) = contacts(cue("pass", 4.0, 1.0, alone + 3.0, alone + 9.0))
    assert waited == pytest.approx(alone + 3.0 - 0.5, abs=0.2)
    (alone,) = contacts(cue("catch", 4.0))
    (waited,) = contacts(cue("catch", 4.0, 1.0, alone + 3.0))
    assert waited == pytest.approx(alone + 3.0 + 0.5, abs=0.2)


def test_a_ball_that_comes_back_is_waited_for_after_the_pass() -> None:
    passed, caught = contacts(cue("pass", 2.0, 8.0), cue("catch", 4.0, 15.0))
    assert passed == pytest.approx(8.0 - 0.7, abs=0.3) and caught == pytest.approx(15.0 + 0.5, abs=0.3)


@pytest.mark.parametrize(
    ("action", "said"), [("pass", "The other character catches"), ("catch", "The other character passes")]
)
def test_who_comes_too_late_is_told_by_how_much(action: str, said: str) -> None:
    (alone,) = contacts(cue(action, 4.0))
    with pytest.raises(FootfallError) as told:
        contacts(cue(action, 4.0, alone - 3.0))
    assert str(told.value).startswith(said)
    late = float(str(told.value).split(said)[1].split(" s ")[0])
    assert 1.5 < late < 4.0

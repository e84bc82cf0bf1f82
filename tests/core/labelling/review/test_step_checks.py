"""Checks of steps and gaits on strikes in round numbers: steps of half a second at 100 frames per second."""

from collections.abc import Sequence

import numpy as np
import pytest

from footfall.core.labelling.review.context import LabelIssue
from footfall.core.labelling.review.step_checks import (
    check_durations,
    check_flickers,
    check_flights,
    check_pace,
    check_strike_order,
)
from footfall.core.labelling.semantics.actions import ACTION_NAMES
from footfall.core.labelling.semantics.gaits import GAIT_NAMES

from .contexts import FRAMES, Runs, context, shares

LEFT, RIGHT = tuple(range(100, 901, 100)), tuple(range(50, 951, 100))
Strikes = tuple[Sequence[int], Sequence[int]]


def saturated(excess: float, scale: float) -> float:
    return 1 - float(np.exp(-excess / scale))


def without(frames: Sequence[int], *dropped: int) -> list[int]:
    return [frame for frame in frames if frame not in dropped]


def order(*strikes: Sequence[int], standing: Runs = (), jumping: Runs = ()) -> list[LabelIssue]:
    left, right = strikes
    gaits = shares(GAIT_NAMES, {"stand": standing, "jump": jumping}, "walk")
    return list(check_strike_order(context(strikes=(left, right), gaits=gaits)))


def told(issue: LabelIssue) -> tuple[int, int, int, str, str]:
    return issue.start, issue.stop, issue.frame, issue.kind, issue.name


def test_steps_of_either_foot_in_turn_are_in_order() -> None:
    assert not order(LEFT, RIGHT)
    assert not order([100], []) and not order([], [])


def test_two_strikes_of_a_foot_a_step_apart_lack_the_other_foots() -> None:
    (found,) = order(LEFT, without(RIGHT, 550))
    assert told(found) == (500, 600, 550, "ORDER", "R")
    assert found.columns == (2, 3) and found.doubt == pytest.approx(0.85)
    assert found.text == "Right foot: a strike may be missing between two of the other"


@pytest.mark.parametrize("moved, doubt", [(649, 0.85), (650, 0.6)])
def test_the_longer_the_time_the_less_sure_is_a_missing_strike(moved: int, doubt: float) -> None:
    """From three steps on the character may have stood."""
    left = sorted([*without(LEFT, 600), moved])
    (found,) = [one for one in order(left, without(RIGHT, 550, 650)) if one.start == 500]
    assert found.doubt == pytest.approx(doubt) and found.frame == (500 + moved) // 2


def test_both_feet_at_once_are_odd() -> None:
    (found,) = order(LEFT, sorted([*without(RIGHT, 550), 505]))[:1]
    assert told(found) == (504, 506, 505, "ORDER", "R")
    assert found.doubt == pytest.approx(0.75 * (1 - 5 / 15)) and found.text == "Both feet strike within 0.05 s"
    assert not [one for one in order(LEFT, sorted([*without(RIGHT, 550), 515])) if one.frame == 515]


def test_a_jump_in_the_first_frame_counts() -> None:
    strikes = (10, *LEFT), (15, *RIGHT[1:])
    assert order(*strikes)[0].doubt == pytest.approx(0.5)
    assert order(*strikes, jumping=[(0, 1)])[0].doubt == 0.0


def test_without_a_step_for_long_the_character_should_stand() -> None:
    strikes = without(LEFT, 600), without(RIGHT, 550)
    (found,) = order(*strikes)
    assert told(found) == (500, 650, 575, "ORDER", "R")
    assert found.doubt == pytest.approx(0.8 * saturated(3 - 1.8, 0.6))
    assert found.text == "No step for 1.5 s although the character moves"
    half = order(*strikes, standing=[(500, 575)])[0]
    assert half.doubt == pytest.approx(0.4 * saturated(3 - 1.8, 0.6))
    missing = order(LEFT, without(RIGHT, 550), standing=[(500, 550)])[0]
    assert missing.doubt == pytest.approx(0.425)


def pace(strikes: Strikes, standing: Runs = ()) -> list[LabelIssue]:
    return list(check_pace(context(strikes=strikes, gaits=shares(GAIT_NAMES, {"stand": standing}, "walk"))))


def test_a_late_strike_is_a_jump_of_the_pace() -> None:
    late = [frame + 12 * (frame == 500) for frame in LEFT]
    (found,) = pace((late, RIGHT))
    assert told(found) == (511, 513, 512, "PACE", "L")
    jump = np.log(62 / 38) / 0.08
    assert found.doubt == pytest.approx(0.75 * saturated(jump - 2.5, 2.5))
    assert found.text == "Left foot: steps of 0.62 s and 0.38 s around its strike" and found.columns == (0, 1)
    (half,) = pace((late, RIGHT), standing=[(520, 539)])
    assert half.doubt == pytest.approx(found.doubt / 2)
    (before,) = pace((late, RIGHT), standing=[(460, 491)])
    assert before.doubt == pytest.approx(found.doubt / 2)


def test_a_limp_is_no_jump_of_the_pace() -> None:
    assert not pace(([frame + 12 for frame in LEFT], RIGHT))
    assert not pace((LEFT, RIGHT)) and not pace(([100, 190], [150]))


def test_where_a_foot_strikes_twice_the_pace_is_unknown() -> None:
    assert not pace((LEFT, without(RIGHT, 550)))


def test_where_the_pace_wavers_a_jump_is_compared_with_it() -> None:
    wavering = [frame + (5 if frame // 100 % 2 else -5) for frame in LEFT]
    late = [frame + 12 * (frame == 505) for frame in wavering]
    calm = [frame + 12 * (frame == 500) for frame in LEFT]
    worst = max((one.doubt for one in pace((late, RIGHT))), default=0.0)
    assert worst < pace((calm, RIGHT))[0].doubt


def walking(*changes: tuple[str, int, int, int]) -> dict[str, list[tuple[int, int]]]:
    """Contacts of 60 frames every 100 frames, the right foot's 50 frames later; some at other frames."""
    result = {
        "foot.L": [(start, start + 60) for start in range(20, 900, 100)],
        "toe.L": [],
        "foot.R": [(start, start + 60) for start in range(70, 900, 100)],
        "toe.R": [],
    }
    for name, number, start, stop in changes:
        result[name][number] = start, stop
    return result


def durations(contacts: dict[str, list[tuple[int, int]]], standing: Runs = ()) -> list[LabelIssue]:
    seen = context(contacts, gaits=shares(GAIT_NAMES, {"stand": standing}, "walk"))
    return list(check_durations(seen))


def test_a_foot_that_stays_where_the_character_stands_is_less_odd() -> None:
    odd = walking(("foot.R", 4, 470, 500))
    (moving, *_), (standing, *_) = durations(odd), durations(odd, standing=[(470, 485)])
    assert standing.doubt == pytest.approx(moving.doubt / 4)


def test_a_foot_that_limps_all_the_time_is_not_odd() -> None:
    limping = walking(*(("foot.L", number, 20 + 100 * number, 50 + 100 * number) for number in range(9)))
    assert not durations(limping)


def test_fewer_than_four_contacts_have_no_usual_duration() -> None:
    few = {"foot.L": [(100, 200), (300, 310)], "toe.L": [], "foot.R": [(200, 300)], "toe.R": []}
    assert not [one for one in durations(few) if "in contact" in one.text]
    assert not durations({"prop": [(100, 200)]})


def flights(frames: int, gait: str, action: str = "idle") -> list[LabelIssue]:
    contacts = {"foot.L": [(0, 400)], "toe.L": [], "foot.R": [], "toe.R": [(400 + frames, FRAMES)]}
    gaits, actions = shares(GAIT_NAMES, {}, gait), shares(ACTION_NAMES, {action: [(400, 410)]}, "idle")
    return list(check_flights(context(contacts, gaits=gaits, actions=actions)))


@pytest.mark.parametrize("gait", ["stand", "walk", "crouch"])
def test_a_walk_does_not_fly(gait: str) -> None:
    (found,) = flights(20, gait)
    assert told(found) == (400, 420, 410, "FLIGHT", "feet")
    assert found.doubt == pytest.approx(0.85 * saturated(0.2 - 0.04, 0.1)) and found.columns == (0, 1, 2, 3)
    assert found.text == "No foot in contact for 0.20 s outside a run or a jump"


@pytest.mark.parametrize("gait", ["jog", "run", "jump"])
def test_runs_and_jumps_fly(gait: str) -> None:
    assert not flights(20, gait)


@pytest.mark.parametrize("action", ["sit", "climb", "lie", "sit_ground"])
def test_bodies_that_are_held_otherwise_need_no_foot(action: str) -> None:
    (found,) = flights(20, "walk", action)
    assert found.doubt == pytest.approx(0.85 * saturated(0.16, 0.1) / 2)


def test_a_flight_of_a_moment_is_none_nor_is_one_without_feet() -> None:
    assert not flights(4, "walk")
    assert not list(check_flights(context({"prop": []})))
    assert not list(check_flights(context({"foot.L": [(0, FRAMES)]})))


def flickers(frames: int, before: str, here: str, after: str) -> list[LabelIssue]:
    gaits = shares(GAIT_NAMES, {before: [(0, 400)], here: [(400, 400 + frames)]}, after)
    return list(check_flickers(context(gaits=gaits)))


@pytest.mark.parametrize(
    "before, here, after, doubt",
    [
        ("walk", "crouch", "walk", 0.55),
        ("walk", "crouch", "run", 0.35),
        ("walk", "jog", "walk", 0.25),
        ("jog", "walk", "jog", 0.25),
        ("walk", "run", "walk", 0.55),
        ("run", "walk", "jog", 0.55),
        ("stand", "run", "stand", 0.55),
    ],
)
def test_a_gait_of_a_moment_is_doubtful(before: str, here: str, after: str, doubt: float) -> None:
    (found,) = flickers(20, before, here, after)
    assert told(found) == (400, 420, 400, "FLICKER", here)
    assert (found.subject, found.columns) == ("gait", ())
    assert found.doubt == pytest.approx(doubt * (1.2 - 0.2 / 0.5))
    assert found.text == f"{here.capitalize()}: only 0.20 s between {before.capitalize()} and {after.capitalize()}"


@pytest.mark.parametrize("gaits", [("stand", "walk", "jog"), ("walk", "jog", "run"), ("run", "jog", "stand")])
def test_a_gait_between_a_slower_and_a_faster_one_is_not_doubtful(gaits: tuple[str, str, str]) -> None:
    assert not flickers(20, *gaits)


def test_the_first_and_the_last_gait_do_not_flicker() -> None:
    gaits = shares(GAIT_NAMES, {"crouch": [(0, 10)], "run": [(990, FRAMES)]}, "walk")
    assert not list(check_flickers(context(gaits=gaits)))


def test_actions_flicker_as_gaits_do() -> None:
    actions = shares(ACTION_NAMES, {"sit": [(400, 420)]}, "walk")
    (found,) = check_flickers(context(actions=actions))
    assert (found.subject, found.name, found.doubt) == ("action", "sit", pytest.approx(0.55 * 0.8))

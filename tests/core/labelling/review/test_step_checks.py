"""Checks of steps and gaits on strikes in round numbers: steps of half a second at 100 frames per second."""

from collections.abc import Sequence

import numpy as np
import pytest

from footfall.core.labelling.review.context import LabelIssue
from footfall.core.labelling.review.step_checks import (
    check_flickers,
    check_pace,
    check_strike_order,
)
from footfall.core.labelling.semantics.gaits import GAIT_NAMES

from .contexts import Runs, context, shares

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


def test_two_strikes_of_a_foot_a_step_apart_lack_the_other_foots() -> None:
    (found,) = order(LEFT, without(RIGHT, 550))
    assert told(found) == (500, 600, 550, "ORDER", "R")
    assert found.columns == (2, 3) and found.doubt == pytest.approx(0.85)
    assert found.text == "Right foot: a foot strike may be missing between two strikes of the other foot"


def test_both_feet_at_once_are_odd() -> None:
    (found,) = order(LEFT, sorted([*without(RIGHT, 550), 505]))[:1]
    assert told(found) == (504, 506, 505, "ORDER", "R")
    assert (
        found.doubt == pytest.approx(0.75 * (1 - 5 / 15)) and found.text == "Both feet strike the ground within 0.05 s"
    )
    assert not [one for one in order(LEFT, sorted([*without(RIGHT, 550), 515])) if one.frame == 515]


def test_without_a_step_for_long_the_character_should_stand() -> None:
    strikes = without(LEFT, 600), without(RIGHT, 550)
    (found,) = order(*strikes)
    assert told(found) == (500, 650, 575, "ORDER", "R")
    assert found.doubt == pytest.approx(0.8 * saturated(3 - 1.8, 0.6))
    assert found.text == "There is no step for 1.5 s, though the character moves"
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
    assert (
        found.text == "Left foot: the step before its strike takes 0.62 s, the step after it 0.38 s"
        and found.columns == (0, 1)
    )
    (half,) = pace((late, RIGHT), standing=[(520, 539)])
    assert half.doubt == pytest.approx(found.doubt / 2)
    (before,) = pace((late, RIGHT), standing=[(460, 491)])
    assert before.doubt == pytest.approx(found.doubt / 2)


def test_a_limp_is_no_jump_of_the_pace() -> None:
    assert not pace(([frame + 12 for frame in LEFT], RIGHT))
    assert not pace((LEFT, RIGHT)) and not pace(([100, 190], [150]))


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
    assert (
        found.text == f"{here.capitalize()}: lasts only 0.20 s, between {before.capitalize()} and {after.capitalize()}"
    )

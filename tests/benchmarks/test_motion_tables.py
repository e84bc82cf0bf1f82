"""Rows of the tables of motion: gait, standing, transitions."""

import pytest

from footfall.benchmarks import gait, standing, transitions
from footfall.benchmarks.transitions import Turned
from footfall.core.evaluation.gait_analysis import GAIT_MEASURES, GaitReport, analyze_gait
from footfall.core.evaluation.standing import measure_standing
from footfall.tests.support.walker import Walker

NOTHING: GaitReport = dict.fromkeys(GAIT_MEASURES)


def test_a_speed_has_a_row_with_people_behind_the_slash() -> None:
    walked = analyze_gait(Walker(seconds=6.0).clip())
    lines = gait.speed_table({1.2: (walked, 0.5), 9.0: (NOTHING, 1.0)}, {1.2: walked, 9.0: NOTHING}).splitlines()
    cells = {line.split(" | ")[0].strip("| "): line.split(" | ")[1:] for line in lines}
    assert cells["commanded m/s"] == ["1.2", "9 |"] and cells["cadence /min"] == ["120 / 120", "- / - |"]
    assert cells["strides"][1] == "0 / 0 |"


def test_pairs_are_compared_by_the_spread_of_people() -> None:
    walked = analyze_gait(Walker(seconds=6.0).clip())
    people = [walked | {"bounce_cm": value} for value in (1.0, 2.0, 3.0)]
    row = next(line for line in gait.pair_table(people, [walked | {"bounce_cm": 4.0}]).splitlines() if "bounce" in line)
    assert row.split(" | ")[1:] == ["2", "1.1 to 2.9", "4", "2 |"]


@pytest.mark.parametrize(
    ("value", "text"), [(None, "-"), (105.4, "105"), (-54.8, "-55"), (3.46, "3.5"), (0.654, "0.65")]
)
def test_numbers_of_gait_are_short(value: float | None, text: str) -> None:
    assert gait.short(value) == text


def test_a_rest_in_the_middle_has_a_row_and_a_start() -> None:
    clip = Walker(seconds=14.0, pause=4.0).clip()
    (rest,) = standing.rests_of(clip)
    assert rest is not None and standing.standing_row("wait", rest)[1] == pytest.approx(4, abs=1)
    assert standing.standing_row("none", measure_standing(Walker(seconds=3.0).clip()))[1:] == [None] * 6
    (start,) = standing.starts_after_rests(clip)
    assert start.duration == pytest.approx(standing.BEFORE_S + standing.AFTER_S, abs=0.1)
    assert "." in standing.shift_text([start]) and standing.shift_text([]) == "-"


def test_a_row_of_turns_has_the_worst_of_all_clips() -> None:
    clip = Walker(seconds=4.0).clip()
    path = clip.positions[:, 0, :2]
    row = transitions.transition_row("walk", [Turned(clip, path), Turned(clip.cut(0, 120), path)])
    assert row[0] == "walk" and row[1] == pytest.approx(0, abs=1e-6) and len(row) == 16
    assert row[-1] == pytest.approx(0, abs=1e-6) and row[10] == 0

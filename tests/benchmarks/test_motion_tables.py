"""Rows of the tables of motion: gait, standing, transitions."""

import pytest

from footfall.benchmarks import gait, standing
from footfall.core.evaluation.gait_analysis import GAIT_MEASURES, GaitReport, analyze_gait
from footfall.core.evaluation.standing import measure_standing
from footfall.tests.support.walker import Walker

NOTHING: GaitReport = dict.fromkeys(GAIT_MEASURES)


def test_a_speed_has_a_row_with_people_behind_the_slash() -> None:
    walked = analyze_gait(Walker(seconds=6.0).clip())
    table = gait.speed_table({1.2: (walked, 0.5), 9.0: (NOTHING, 1.0)}, {1.2: walked, 9.0: NOTHING})
    cells = {row[0]: row[1:] for row in table.rows}
    assert table.head == ("commanded m/s", "1.2", "9") and cells["cadence /min"] == ("120 / 120", "- / -")
    assert cells["strides"][1] == "0 / 0"


def test_a_rest_in_the_middle_has_a_row_and_a_start() -> None:
    clip = Walker(seconds=14.0, pause=4.0).clip()
    (rest,) = standing.rests_of(clip)
    assert rest is not None and standing.standing_row("wait", rest)[1] == pytest.approx(4, abs=1)
    assert standing.standing_row("none", measure_standing(Walker(seconds=3.0).clip()))[1:] == [None] * 6
    (start,) = standing.starts_after_rests(clip)
    assert start.duration == pytest.approx(standing.BEFORE_S + standing.AFTER_S, abs=0.1)
    assert "." in standing.shift_text([start]) and standing.shift_text([]) == "-"

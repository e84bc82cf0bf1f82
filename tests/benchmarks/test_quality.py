"""The page for users: all of its numbers are those of the tables."""

import re

import pytest

from footfall.benchmarks.pages import QUALITY
from footfall.benchmarks.quality import ANSWERS, quality_page
from footfall.benchmarks.results import Result, read_results
from footfall.benchmarks.tables import table

RESULTS = read_results()


def rooms(*left_out: str, success: str = "97.5 %") -> dict[str, Result]:
    """The result of rooms, without some rows."""
    rows = [["sit", "98.1 %"], ["carry", "96.6 %"], ["open", "97 %"], ["all", success], ["reach", "95 %"]]
    found = table(["errand", "success"], [row for row in rows if row[0] not in left_out])
    return {"rooms": Result("Rooms", "python build.py bench -- --only rooms", "2026-11-26", "AMD EPYC", (found,))}


def test_the_page_is_what_the_code_makes_of_the_tables() -> None:
    assert QUALITY.read_text("utf-8") == quality_page(RESULTS), "run python -m footfall.benchmarks.pages"


def test_every_question_is_answered_with_its_day() -> None:
    rows = [line for line in QUALITY.read_text("utf-8").splitlines() if line.startswith("| ")][2:]
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows] == [answer.question for answer in ANSWERS]
    assert all(re.search(r"20\d\d-\d\d-\d\d \|$", row) and "nan" not in row and "None" not in row for row in rows)


def test_an_answer_follows_its_table() -> None:
    page = quality_page(rooms())
    answer = "97.5 % without fault: doors 97 %, seats 98.1 %, boxes 96.6 % | the aim is 95 % | 2026-11-26 |"
    assert f"| Random furnished rooms | {answer}" in page
    assert page.count("\n| ") == 3, "a head and one row: other measurements are missing"
    assert "12.3 % without fault" in quality_page(rooms(success="12.3 %"))


def test_a_table_that_has_lost_a_row_is_an_error() -> None:
    with pytest.raises(LookupError, match="rooms has no row 'reach'"):
        quality_page(rooms("reach"))

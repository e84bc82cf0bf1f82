"""The page for users: all of its numbers are those of the tables."""

import re

import pytest

from footfall.benchmarks.document import cells, merge, table
from footfall.benchmarks.quality import ANSWERS, PAGE_NAME, Tables, numbers, quality_page, span, write_quality
from footfall.manual.render import DOCS

BENCHMARKS = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
ROOMS = table(
    ["errand", "success"],
    [["sit", "98.1 %"], ["carry", "96.6 %"], ["open", "97 %"], ["all", "97.5 %"], ["reach", "95 %"]],
)
COMMAND = "`python build.py bench -- --only rooms`, 2026-11-26, AMD EPYC, 2 cores."


def test_the_page_is_what_the_code_makes_of_the_tables() -> None:
    page = (DOCS / PAGE_NAME).read_text(encoding="utf-8")
    assert page == quality_page(BENCHMARKS), "run python -m footfall.benchmarks.quality"


def test_every_question_is_answered_with_its_day() -> None:
    page = (DOCS / PAGE_NAME).read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ")][2:]
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows] == [answer.question for answer in ANSWERS]
    assert all(re.search(r"20\d\d-\d\d-\d\d \|$", row) and "nan" not in row and "None" not in row for row in rows)


def test_an_answer_follows_its_table(tmp_path) -> None:
    document = tmp_path / "benchmarks.md"
    document.write_text(merge("", "rooms", f"## Rooms\n\n{COMMAND}\n\n{ROOMS}", ["rooms"]))
    write_quality(document)
    page = (tmp_path / PAGE_NAME).read_text()
    answer = "97.5 % without fault: doors 97 %, seats 98.1 %, boxes 96.6 % | the aim is 95 % | 2026-11-26 |"
    assert f"| Random furnished rooms | {answer}" in page
    assert page.count("\n| ") == 3, "a head and one row: other sections are missing"
    document.write_text(document.read_text().replace("97.5 %", "12.3 %"))
    write_quality(document)
    assert "12.3 % without fault" in (tmp_path / PAGE_NAME).read_text()


def test_a_table_that_has_lost_a_row_is_an_error() -> None:
    document = merge("", "rooms", f"## Rooms\n\n{COMMAND}\n\n{ROOMS}".replace("| reach | 95 % |", ""), ["rooms"])
    with pytest.raises(LookupError, match="rooms has no row 'reach'"):
        quality_page(document)


def test_numbers_are_found_and_spanned() -> None:
    assert numbers(["1.5 / 4", "-", "98 %", "x"]) == [1.5, 98.0]
    assert span([0.5, 0.25, 1.0]) == "0.25 to 1" and span([0.815, 0.815], 100) == "81.5"
    assert Tables(BENCHMARKS).row("rooms", "all")["rooms"] == cells(BENCHMARKS, "rooms")[3]["rooms"]

"""Results of the benchmarks, their files, and the page that is made of them."""

import re
from pathlib import Path

import pytest

from footfall.benchmarks.order import THREADS
from footfall.benchmarks.pages import BENCHMARKS, FIRST_ROWS, MOST_ROWS, benchmarks_page
from footfall.benchmarks.results import Result, read_results, write_result
from footfall.benchmarks.tables import IMAGES, Picture, figure, table
from footfall.tools.site.words import count_words

RESULTS = read_results()
MOST_WORDS = 12_000
SENTENCE_END = re.compile(r"[.?!](?=\s+[A-Z*`(]|$)")


def result(*parts: object) -> Result:
    return Result.of_parts("One", "python build.py bench -- --only one", "2026-11-26", "AMD EPYC, 2 cores", parts)


def test_numbers_have_three_digits_and_gaps_a_dash() -> None:
    assert [figure(value) for value in (0.04567, 1.0, 12.345, 123456.7, None, 7, "x", 1e-7)] == [
        *("0.0457", "1", "12.3", "123457", "-", "7", "x", "0"),
    ]
    assert str(table(["a", "b"], [[1, None]])) == "| a | b |\n| --- | --- |\n| 1 | - |"
    assert str(table(["a"], [[1]], "Of a")).startswith("**Of a**\n\n| a |")


def test_columns_of_one_name_and_of_none_are_kept_apart() -> None:
    assert table(["", "PE", "RE", "RE"], [["all", 1, 2, 3]]).records() == [
        {"": "all", "PE": "1", "RE": "2", "RE (2)": "3"}
    ]


def test_a_result_comes_back_from_its_file(tmp_path: Path) -> None:
    made = result(
        table(["ä"], [["1 / 2"], [None]], "t"), "Of one\nline.", Picture("a", "b.svg"), table(["x"], []), "Two."
    )
    write_result("one", made, tmp_path)
    assert read_results(tmp_path) == {"one": made}
    assert made.notes == "Of one line. Two." and len(made.tables) == 2


def test_a_long_table_is_shown_by_its_first_rows_and_those_that_sum_it_up() -> None:
    names = [*(f"row {number}" for number in range(MOST_ROWS)), "mean", "reach"]
    page = benchmarks_page({"one": result(table(["what"], [[name] for name in names]))})
    assert re.findall(r"^\| ([a-z]+ ?\d*) \|$", page, re.MULTILINE) == ["what", *names[:FIRST_ROWS], "mean", "reach"]


def test_results_stand_in_the_order_of_measuring() -> None:
    order = list(THREADS)
    page = benchmarks_page({name: result() for name in ("unknown", order[3], order[1])})
    assert re.findall(r"^`(\w+)`,", page, re.MULTILINE) == [order[1], order[3], "unknown"]


def test_the_page_is_what_the_results_give() -> None:
    assert BENCHMARKS.read_text("utf-8") == benchmarks_page(RESULTS), "run python -m footfall.benchmarks.pages"


def test_the_page_is_short() -> None:
    assert count_words(BENCHMARKS.read_text("utf-8")) <= MOST_WORDS


@pytest.mark.parametrize("name", RESULTS)
def test_notes_are_two_sentences_a_table(name: str) -> None:
    one = RESULTS[name]
    assert len(SENTENCE_END.findall(one.notes)) <= 2 * len(one.tables)
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", one.date) and one.command and one.machine
    assert all(len(row) == len(part.head) for part in one.tables for row in part.rows)
    assert all((IMAGES / picture.file).is_file() for picture in one.pictures)

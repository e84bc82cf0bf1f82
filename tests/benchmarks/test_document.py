from footfall.benchmarks.document import cells, figure, measured_on, merge, table

ORDER = ["courses", "starts", "inference"]


def test_a_section_is_put_in_its_place_and_the_others_are_kept() -> None:
    document = merge("", "inference", "## Inference\n\nfast", ORDER)
    document = merge(document, "courses", "## Courses\n\nnear", ORDER)
    again = merge(document, "inference", "## Inference\n\nfaster", ORDER)
    assert document.startswith("# Benchmarks")
    assert document.index("near") < document.index("fast")
    assert "near" in again and "faster" in again and "fast\n" not in again
    assert merge(again, "inference", "## Inference\n\nfaster", ORDER) == again


def test_what_a_person_wrote_above_the_sections_stays() -> None:
    document = merge("", "starts", "## Starts", ORDER).replace("# Benchmarks", "# Benchmarks of mine")
    assert merge(document, "starts", "## Starts again", ORDER).startswith("# Benchmarks of mine")


def test_a_section_whose_table_is_gone_goes_to_the_end() -> None:
    document = merge(merge("", "forgotten", "## Old", ORDER), "starts", "## Starts", ORDER)
    assert document.index("## Starts") < document.index("## Old")


def test_numbers_have_three_digits_and_gaps_a_dash() -> None:
    assert [figure(value) for value in (0.04567, 1.0, 12.345, 123456.7, None, 7, "x", 1e-7)] == [
        *("0.0457", "1", "12.3", "123457", "-", "7", "x", "0"),
    ]
    assert table(["a", "b"], [[1, None]]) == "| a | b |\n| --- | --- |\n| 1 | - |"


def test_the_cells_of_a_table_come_back_by_their_columns() -> None:
    section = table(["network", "ms"], [["PFNN", 0.25], ["ERD", None]])
    other = table(["size"], [[1]])
    document = merge("", "one", f"## One\n\nwords | and words\n\n{section}\n\nnotes\n\n{other}", ["one"])
    assert cells(document, "one") == [{"network": "PFNN", "ms": "0.25"}, {"network": "ERD", "ms": "-"}]
    assert cells(document, "one", 1) == [{"size": "1"}]
    assert cells(document, "two") == cells(document, "one", 2) == []


def test_columns_of_one_name_and_of_none_are_kept_apart() -> None:
    document = merge("", "one", table(["", "PE", "RE", "RE"], [["all", 1, 2, 3]]), ["one"])
    assert cells(document, "one") == [{"": "all", "PE": "1", "RE": "2", "RE (2)": "3"}]


def test_the_day_of_a_section_is_known() -> None:
    document = merge("", "one", "## One\n\n`python build.py bench -- --only one`, 2026-11-26, a machine.", ["one"])
    assert (measured_on(document, "one"), measured_on(document, "two")) == ("2026-11-26", "")

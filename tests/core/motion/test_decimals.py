"""Tables of decimals: the same numbers as ``float`` reads, and texts that read back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.motion.decimals import TableError, format_table, parse_table

words = st.one_of(
    st.from_regex(r"[+-]?[0-9]{1,9}(\.[0-9]{0,9})?", fullmatch=True),
    st.from_regex(r"[+-]?\.[0-9]{1,9}", fullmatch=True),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**20), 10**20).map(str),
)


@given(st.lists(words, min_size=1, max_size=40))
def test_numbers_are_those_that_float_reads(row: list[str]) -> None:
    expected = [[float(word) for word in row]] * 2
    text = (" ".join(row) + " \r\n\n\t" + "\t".join(row)).encode()
    np.testing.assert_array_equal(parse_table(text, len(row)), expected)


def test_long_tables_are_read_in_pieces_with_the_right_line_in_errors() -> None:
    lines = ["1.5 -2.25"] * 40_000
    assert parse_table("\n".join(lines).encode(), 2).shape == (40_000, 2)
    lines[31_234] = "1.5 -2.2x"
    with pytest.raises(TableError, match="'-2\\.2x' is not a finite number") as caught:
        parse_table("\n".join(lines).encode(), 2)
    assert caught.value.line == 31_234
    lines[31_234] = "1.5"
    with pytest.raises(TableError, match="1 numbers were found instead of 2") as caught:
        parse_table("\n".join(lines).encode(), 2)
    assert caught.value.line == 31_234


@given(st.lists(st.floats(-1e7, 1e7), min_size=1, max_size=30))
def test_what_is_written_reads_back_within_half_a_unit_of_the_last_place(row: list[float]) -> None:
    table = np.array([row, row])
    text = format_table(table, 6)
    assert text.count(b"\n") == 2
    assert b"-0.000000" not in text
    np.testing.assert_allclose(parse_table(text, len(row)), table, rtol=1e-15, atol=5.1e-7)

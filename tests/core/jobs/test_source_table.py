"""The table of a data set's sources."""

import json
from pathlib import Path

import pytest

from footfall.core.errors import FootfallError
from footfall.core.jobs.source_table import (
    TABLE_FILE_NAME,
    SkippedClip,
    SourceRow,
    read_table,
    tabulate_sources,
    write_table,
)

DOG = SkippedClip("dogs/trot.bvh", "Four legs.")


def test_a_row_has_its_clips_together_and_their_worst_residual():
    rows = tabulate_sources(
        [
            ("cmu", "CMU", 0.5, {"foot.L": 2.0, "thigh.R": 1.0}),
            ("cmu", "CMU", 0.25, {"foot.L": 3.5}),
            ("accad", "ACCAD", 1.0, {}),
        ],
        [("dogs", "Dogs", DOG)],
    )
    assert rows == (
        SourceRow("accad", "ACCAD", 1, 1.0),
        SourceRow("cmu", "CMU", 2, 0.75, 3.5, "foot.L"),
        SourceRow("dogs", "Dogs", left_out=(DOG,)),
    )


def test_a_table_is_read_as_it_was_written(tmp_path: Path):
    rows = (SourceRow("cmu", "CMU", 2, 0.75, 3.5, "foot.L", (DOG, DOG)),)
    write_table(tmp_path, rows)
    assert read_table(tmp_path) == rows


def test_a_data_set_that_is_not_built_yet_has_none(tmp_path: Path):
    assert read_table(tmp_path) == ()


@pytest.mark.parametrize("text", ["", "{", "3", "[3]", "[{}]", "[" * 100_000, json.dumps([{"left_out": 1}])])
def test_a_damaged_table_is_said_to_be_one(tmp_path: Path, text: str):
    (tmp_path / TABLE_FILE_NAME).write_text(text)
    with pytest.raises(FootfallError, match="train again"):
        read_table(tmp_path)

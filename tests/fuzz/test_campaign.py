"""The campaign itself: it finds what escapes, ends what hangs, and every reader withstands its crafted files."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.tests.fuzz import worker
from footfall.tests.fuzz.campaign import ESCAPES, problems, run_campaign, summary_table
from footfall.tests.fuzz.mutation import STRUCTURAL, mutate
from footfall.tests.fuzz.reader import Reader
from footfall.tests.fuzz.readers import all_readers, find_reader
from footfall.tests.fuzz.worker import Inputs, Result, try_input

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system can bound neither time nor memory")


def result_of(read: Callable[[Path], object], tmp_path: Path, **bounds: float) -> Result:
    (tmp_path / "file").write_bytes(b"content")
    return try_input(
        Reader("made", "file", "text", lambda _: [b"content"], read, **bounds), tmp_path / "file", 0, "valid"
    )


def refuse(template: str) -> Callable[[Path], object]:
    def read(path: Path) -> object:
        raise FootfallError(template)

    return read


def allocate(path: Path) -> object:
    return np.ones(1 << 28)


def wait_busily(path: Path) -> None:
    while True:
        pass


@pytest.mark.parametrize(
    ("read", "bounds", "outcome"),
    [
        (Path.read_bytes, {}, "read"),
        (refuse("It is damaged: make it again"), {}, "refused"),
        (refuse("It says \x1b[2J"), {}, "words"),
        (refuse("x" * 10_000), {}, "words"),
        (lambda path: int(path.read_text()), {}, "escaped"),
        (allocate, {"megabytes": 500}, "memory"),
        (wait_busily, {"seconds": 0.1}, "slow"),
    ],
)
def test_an_outcome(read: Callable[[Path], object], bounds: dict[str, float], outcome: str, tmp_path: Path) -> None:
    assert result_of(read, tmp_path, **bounds).outcome == outcome


def test_what_waits_without_work_is_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "HANG_SECONDS", 0.1)
    assert result_of(lambda path: time.sleep(3600), tmp_path).outcome == "slow"


def test_an_escape_is_told_with_its_place_and_kept_with_what_runs_it_again(tmp_path: Path) -> None:
    made = result_of(lambda path: {}["missing"], tmp_path)
    assert made.error.startswith("KeyError at ")
    worker.keep_input(tmp_path / "file", tmp_path / "kept", "made", made)
    assert (tmp_path / "kept" / "made-0").read_bytes() == b"content"
    assert "--reader made --input" in (tmp_path / "kept" / "made-0.txt").read_text()


@pytest.mark.parametrize("syntax", sorted(STRUCTURAL))
def test_a_seed_gives_the_same_damage_again_and_another_one_other(syntax: str, tmp_path: Path) -> None:
    reader = next((one for one in all_readers() if one.syntax == syntax and one.python == "dev"), None)
    valid = [b"a b\nc d\n"] if reader is None else [*Inputs(reader, tmp_path, 0).valid]
    drawn = [
        [mutate(valid[0], syntax, valid, np.random.default_rng([seed, n])) for n in range(20)] for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    assert sum(one != valid[0] for one in drawn[0]) > 15


def test_readers_have_names_and_files_of_their_own() -> None:
    readers = [*all_readers()]
    assert len({one.name for one in readers}) == len(readers) > 45
    assert all(one.name.replace("-", "").isalnum() for one in readers)
    with pytest.raises(SystemExit, match="there is no reader 'tarot'"):
        find_reader("tarot")


def test_a_table_has_a_line_for_each_reader(tmp_path: Path) -> None:
    summaries = run_campaign([find_reader("points"), find_reader("lock")], seconds=0, count=8)
    assert problems(summaries) == []
    lines = str(summary_table(summaries)).splitlines()
    assert [line.split(" | ")[0] for line in lines] == ["| reader", "| ---", "| points", "| lock", "| all"]
    assert lines[-1].split(" | ")[1] == "16"


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.all_only("each reader's own test has damaged files")
def test_crafted_files_are_read_or_refused() -> None:
    """All pipes, devices and bombs; mutations take their time in ``python build.py fuzz``."""
    readers = [one for one in all_readers() if one.python == "dev"]
    summaries = run_campaign(readers, seconds=0)
    assert problems(summaries) == []
    for summary in summaries:
        assert summary.why_not == "" and summary.inputs >= 15, summary.name
        assert sum(summary.counts[kind] for kind in ESCAPES) == 0, summary.errors

"""The commands under faults: nothing that was there is lost, and each failure is one sentence.

``python -m footfall.tests.faults`` tries every change and every byte; here are some of each kind.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from footfall.tests.faults.injection import FULL, KILL, READ_ONLY
from footfall.tests.faults.scenario import SCENARIOS
from footfall.tests.faults.small_disk import can_mount
from footfall.tests.faults.trial import spread, try_scenario

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="faults are injected on Linux alone")
QUICK = ("walk", "label", "make-patches", "release")
"""Commands that take about a second, and show every way in which files are replaced."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        one.name
        if one.name in QUICK
        else pytest.param(one.name, marks=pytest.mark.all_only("quick commands are tried"))
        for one in SCENARIOS
        if one.name != "make-interactions"  # it writes its data set as make-dataset does, and takes three minutes
    ],
)
def test_nothing_is_lost(name: str, tmp_path: Path) -> None:
    scenario = next(one for one in SCENARIOS if one.name == name)
    tally = try_scenario(scenario, tmp_path / "trial", 4 if name in QUICK else 2, can_mount())
    assert tally.problems == []
    assert {KILL, FULL, READ_ONLY, "link"} <= set(tally.counts)


INJECTED = """
import pathlib, sys
from footfall.tests.faults.injection import Fault, Injector
folder = pathlib.Path(sys.argv[1])
Injector(Fault(sys.argv[2], int(sys.argv[3])), folder)
(folder.parent / "elsewhere").write_text("free")
(folder / "file").write_text("new")
(folder / "made").mkdir()
(folder / "made").rmdir()
"""


@pytest.mark.parametrize(
    ("kind", "number", "code", "names", "content"),
    [
        ("none", 0, 0, {"file"}, "new"),
        (KILL, 0, -9, {"file"}, ""),
        (KILL, 1, -9, {"file"}, "new"),
        (KILL, 2, -9, {"file", "made"}, "new"),
        (FULL, 0, 1, {"file"}, "old"),
        (FULL, 1, 1, {"file"}, "new"),
        (FULL, 2, 0, {"file"}, "new"),
        (READ_ONLY, 2, 1, {"file", "made"}, "new"),
    ],
)
def test_a_fault_comes_at_its_change(
    kind: str, number: int, code: int, names: set[str], content: str, tmp_path: Path
) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    (folder / "file").write_text("old")
    command = [sys.executable, "-c", INJECTED, str(folder), kind, str(number)]
    assert subprocess.run(command, env=os.environ, capture_output=True).returncode == code
    assert {path.name for path in folder.iterdir()} == names and (folder / "file").read_text() == content
    assert (tmp_path / "elsewhere").read_text() == "free"


def test_numbers_are_spread_with_both_ends() -> None:
    assert spread(3, 5) == [0, 1, 2] and spread(101, 5) == [0, 25, 50, 75, 100] and spread(0, 4) == []

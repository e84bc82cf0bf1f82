"""The doctor on the command line."""

import json
import sys
from pathlib import Path


def test_a_python_that_trains(footfall, tmp_path: Path) -> None:
    result = footfall("doctor", "--runs", tmp_path, "--json")
    document = json.loads(result.stdout)
    assert {finding["level"] for finding in document["findings"]} <= {"fine", "note", "warning", "error"}
    assert any(str(sys.executable) in finding["text"] for finding in document["findings"])
    assert result.returncode == int(not document["can_train"])


def test_one_that_does_not(footfall, tmp_path: Path) -> None:
    result = footfall("doctor", "--python", tmp_path / "python", "--runs", tmp_path)
    assert result.returncode == 1
    first, remedy, *_, last = result.stdout.splitlines()
    assert (
        first.startswith("X ")
        and "could not be started" in first
        and remedy.startswith("    Press Install Environment")
    )
    assert last.startswith("Training cannot work yet")

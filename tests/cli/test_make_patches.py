"""``make-patches`` on the command line."""

import json
from pathlib import Path

import numpy as np
import pytest

from footfall.cli import main
from footfall.core.terrain.patches import PatchDatabase


def test_patches_are_cut_from_made_ground_and_from_a_heightmap(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hills = tmp_path / "hills.txt"
    np.savetxt(hills, np.random.default_rng(0).random((150, 150)), delimiter=",")
    out = tmp_path / "patches"
    arguments = [
        "make-patches",
        "--out",
        str(out),
        "--count",
        "18",
        "--heightmap",
        str(hills),
        "--height",
        "0.3",
        "--json",
    ]
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["patches"] == 18
    assert PatchDatabase.open(out).header["kinds"]["hills.txt"] == 2


def test_a_heightmap_that_is_not_there_is_one_clear_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["make-patches", "--out", str(tmp_path / "patches"), "--heightmap", str(tmp_path / "none.txt")]) == 1
    assert "none.txt' cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options", [("--count", str(2**64)), ("--seed", "-1"), ("--cell", "-1"), ("--cell", "nan"), ("--height", "inf")]
)
def test_impossible_values_are_refused(
    options: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["make-patches", "--out", str(tmp_path / "patches"), *options])
    assert refused.value.code == 2 and options[1] in capsys.readouterr().err

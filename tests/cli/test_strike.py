"""``strike``: from a table of targets to a motion whose strikes are on their frames, or to a sentence."""

import json
from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.measures.extremes import largest_moves
from footfall.cli import main
from footfall.core.motion.bvh import read_bvh

ROOT = Path(__file__).parents[2]
WALKER = ROOT / "presets" / "controllers" / "locomotion.safetensors"
TARGETS = ["420, 0, 0, 1.3, hand.R", "500, 0.1, 0.05, 1.35, hand.L"]


def table(folder: Path, *lines: str) -> Path:
    file = folder / "targets.csv"
    file.write_text("\n".join(["frame, x, y, z, effector", *lines]), encoding="utf-8")
    return file


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one sentence of a command that cannot be done."""
    assert main([*map(str, arguments)]) == 1
    (sentence,) = capsys.readouterr().err.splitlines()[-1:]
    return sentence


def test_each_strike_is_at_its_target_on_its_frame(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "fight.bvh"
    arguments = ["--start", "0", "-3", "--end", "2", "-4", "--out", str(out), "--json"]
    assert main(["strike", "--targets", str(table(tmp_path, *TARGETS)), *arguments]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["strikes"], result["walks"]) == (2, 2)
    clip = read_bvh(out)
    assert len(clip) == result["frames"]
    for line in TARGETS:
        frame, x, y, z, effector = line.split(", ")
        hand = clip.positions[int(frame), clip.skeleton.joint(effector)]
        assert np.linalg.norm(hand - [float(x), float(y), float(z)]) < 0.02
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    assert np.linalg.norm(hips[0, :2] - [0.0, -3.0]) < 0.2
    assert np.linalg.norm(hips[-1, :2] - [2.0, -4.0]) < 0.3
    assert np.linalg.norm(np.diff(hips, axis=0), axis=-1).max() < 0.06, "no seam"
    assert max(one.value for one in largest_moves(clip).values()) < 12.0, "centimeters a frame"


def test_what_cannot_be_met_is_told_and_nothing_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "fight.bvh"

    def refused(*lines: str) -> str:
        return said(capsys, "strike", "--targets", table(tmp_path, *lines), "--start", 0, -3, "--out", out)

    assert "The character cannot reach the target by frame 60" in refused("60, 0, 0, 1.3, hand.R")
    assert "cm short of its target" in refused("420, 0, 0, 3.5, hand.R")
    assert not out.exists()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("1, 2, 3", "line 2: expected five columns, not 3; write frame, x, y, z, effector on each line"),
        ("soon, 0, 0, 1, hand.R", "line 2: 'soon' is not a frame"),
        ("9, 0, nan, 1, hand.R", "line 2: 'nan' is not a number"),
        ("9, 0, 0, 1, tail", "'tail' is not a hand or foot"),
    ],
)
def test_wrong_lines_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, sentence: str) -> None:
    assert sentence in said(capsys, "strike", "--targets", table(tmp_path, line), "--out", tmp_path / "o.bvh")


def test_a_controller_that_walks_does_not_attack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = table(tmp_path, "420, 0, 0, 1.3, hand.R")
    sentence = said(capsys, "strike", "--targets", file, "--out", tmp_path / "o.bvh", "--controller", WALKER)
    assert "cannot attack" in sentence

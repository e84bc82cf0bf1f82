"""``dance`` and ``make-dance-figures``: from captured pairs to figures, and from a path to two motions."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.cli import main
from footfall.core.control.pair.dance_figures import DanceFigures
from footfall.core.models.model_file import load_model
from footfall.core.motion.bvh import read_bvh, write_bvh
from footfall.tests.support.walker import Walker

ROOT = Path(__file__).parents[2]
SALSA, WALKER = (ROOT / "presets" / name for name in ("dances/salsa.safetensors", "controllers/locomotion.safetensors"))


@pytest.fixture
def line(tmp_path: Path) -> Path:
    file = tmp_path / "line.csv"
    file.write_text("0, 0\n0, 0.4\n", encoding="utf-8")
    return file


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one sentence of a command that cannot be done."""
    assert main([*map(str, arguments)]) == 1
    (sentence,) = capsys.readouterr().err.splitlines()[-1:]
    return sentence


def test_a_dance_is_two_files_of_the_same_frames(
    line: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = [tmp_path / "leader.bvh", tmp_path / "follower.bvh"]
    assert main(["dance", "--path", str(line), "--speed", "0.2", "--out", *map(str, out), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    clips = [read_bvh(file) for file in out]
    assert [len(clip) for clip in clips] == [result["frames"]] * 2
    apart = np.linalg.norm((clips[0].root_positions - clips[1].root_positions)[:, :2], axis=-1)
    assert apart.min() > 0.15 and apart.max() < 2.5


def test_a_controller_that_walks_alone_is_one_sentence(
    line: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ("--out", tmp_path / "a.bvh", tmp_path / "b.bvh")
    assert "does not move with a partner" in said(capsys, "dance", "--path", line, *out, "--controller", WALKER)
    assert "contains no dance figures" in said(
        capsys, "dance", "--path", line, *out, "--figures", tmp_path / "none.npz"
    )
    assert "at 3 m/s" in said(capsys, "dance", "--path", line, *out, "--speed", 3)
    assert not (tmp_path / "a.bvh").exists()


def test_figures_are_taken_from_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = Walker(seconds=3.0).clip()
    write_bvh(tmp_path / "a.bvh", clip)
    write_bvh(tmp_path / "b.bvh", replace(clip, root_positions=clip.root_positions + np.array([0.6, 0.0, 0.0])))
    out = tmp_path / "walk.npz"
    command = ("make-dance-figures", tmp_path, "--controller", SALSA, "--out", out)
    assert "No two of the clips form a pair" in said(capsys, *command)
    (tmp_path / "PAIRS.csv").write_text("file_a,file_b\na.bvh,b.bvh\n", encoding="utf-8")
    assert main([*map(str, command)]) == 0
    (figure,) = DanceFigures.load(out).figures
    apart = np.linalg.norm(figure.positions[:, 1] - figure.positions[:, 0], axis=-1)
    scale = load_model(SALSA).skeleton.leg_length / clip.skeleton.leg_length
    np.testing.assert_allclose(apart, 0.6 * scale, rtol=0.02)

"""`answer`: a character that keeps a relation to another one's motion."""

import json
from pathlib import Path

import numpy as np
import pytest

from footfall.cli import main
from footfall.core.motion.bvh import read_bvh, write_bvh
from footfall.core.motion.root_frame import root_track
from footfall.tests.support.walker import Walker

SMALL = Path(__file__).parents[2] / "presets" / "controllers" / "locomotion_small.safetensors"
SALSA = Path(__file__).parents[2] / "presets" / "dances" / "salsa.safetensors"


@pytest.fixture
def leader(tmp_path: Path) -> Path:
    file = tmp_path / "leader.bvh"
    write_bvh(file, Walker(seconds=4.0).clip())
    return file


def answer(leader: Path, *options: str) -> int:
    return main(["answer", str(leader), "--out", str(leader.with_name("answer.bvh")), *options])


def test_the_answer_has_the_frames_of_the_other(leader: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(leader, "--relation", "follow", "--distance", "1.5", "--controller", str(SMALL), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    own, other = read_bvh(told["out"]), read_bvh(leader).resampled(60.0)
    assert told["frames"] == len(own) == len(other) and own.rate == pytest.approx(60.0)
    apart = np.linalg.norm(root_track(own).positions[0] - root_track(other).positions[0])
    assert apart == pytest.approx(1.5, abs=0.15)


def test_what_cannot_be_kept_is_a_sentence(leader: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options, said in (
        (("--relation", "defend"), "no goal to defend"),
        (("--relation", "face", "--distance", "0.2"), "distance to the other character cannot be"),
        (("--relation", "face", "--controller", str(SALSA)), "choose a walking controller"),
    ):
        assert answer(leader, *options) == 1
        assert said in capsys.readouterr().err

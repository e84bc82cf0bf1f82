"""``shot``: clips from files beside the scene, played among the other beats."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.core.motion.bvh import write_bvh
from footfall.core.motion.root_frame import root_track
from footfall.core.rig.clip_file import read_clip
from footfall.tests.cli.test_shot import bake
from footfall.tests.support.walker import Walker

ACT = {"action": "act", "clip": "clips/walk.bvh"}
BARE = {"ground": [], "objects": []}


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    """The folder of a scene, with a walk of three seconds beside it."""
    (tmp_path / "clips").mkdir()
    write_bvh(tmp_path / "clips" / "walk.bvh", Walker(seconds=3.0).clip())
    return tmp_path


def test_frames_of_a_clip_are_played_where_the_walk_ends(scene: Path) -> None:
    beats = [{"action": "walk", "target": [0, 1.5]}, ACT | {"first_frame": 10, "last_frame": 110}]
    assert bake(scene, {"name": "Ada", "beats": beats}, **BARE) == 0
    rows = [row.split(",") for row in (scene / "out" / "Ada.beats.csv").read_text("utf-8").splitlines()[1:]]
    assert [(row[1], row[4]) for row in rows] == [("walk", "1"), ("act", "1")]
    clip = read_clip(scene / "out" / "Ada.bvh")
    first, last = int(rows[1][2]), int(rows[1][3])
    places = root_track(clip).positions
    assert np.linalg.norm(places[first] - [0.0, 1.5]) < 0.25
    assert 1.0 < np.linalg.norm(places[last] - places[first]) < 2.5
    assert last == len(clip) - 1 and (last - first) / clip.rate < 6.0


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"clip": ""}, "'act' needs 'clip'"),
        ({"clip": "gone.bvh"}, "gone.bvh"),
        ({"first_frame": 50, "last_frame": 40}, "the frames are not between 0 and"),
        ({"last_frame": 9000}, "the frames are not between 0 and"),
        ({"last_frame": 20}, "too short to blend in and out"),
        ({"direction": 90}, "'direction' needs 'place'"),
        ({"object": "Stool"}, "unknown field 'object'"),
    ],
)
def test_an_act_that_cannot_be_played_is_told_before_the_bake(
    scene: Path, capsys: pytest.CaptureFixture[str], entry: dict[str, Any], sentence: str
) -> None:
    assert bake(scene, {"name": "Ada", "beats": [ACT | entry]}, **BARE) == 1
    told = capsys.readouterr().err
    assert sentence in told and "beat 1" in told
    assert not (scene / "out").exists(), "nothing is written"


def test_a_clip_without_legs_is_told_before_the_bake(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "\n".join(" ".join(["0"] * 6) for _ in range(90))
    joints = "OFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    text = f"HIERARCHY\nROOT Stick\n{{\n{joints}End Site\n{{\nOFFSET 0 1 0\n}}\n}}\n"
    text += f"MOTION\nFrames: 90\nFrame Time: 0.0333333\n{rows}\n"
    (scene / "clips" / "walk.bvh").write_text(text, encoding="utf-8")
    assert bake(scene, {"name": "Ada", "beats": [ACT]}, **BARE) == 1
    assert "beat 1" in capsys.readouterr().err

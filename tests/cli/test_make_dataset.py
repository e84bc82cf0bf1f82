"""Data sets from the command line: clips that cannot be used, and clips that may have been read wrongly, are told."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from footfall.core.motion import Clip
from footfall.core.motion.bvh import write_bvh
from footfall.core.motion.rotations import IDENTITY, from_axis_angle

Run = Callable[..., subprocess.CompletedProcess[str]]


def lying(clip: Clip) -> Clip:
    """The clip's body, straight on its back on the ground."""
    turn = from_axis_angle(np.array([1.0, 0.0, 0.0]), np.pi / 2)
    rotations = np.tile(IDENTITY, (*clip.rotations.shape[:2], 1))
    rotations[:, 0] = turn
    return replace(clip, root_positions=np.tile([0.0, 0.0, 0.1], (len(clip), 1)), rotations=rotations)


def test_what_is_left_out_and_what_is_in_doubt_is_told(
    footfall: Run, marching: Clip, marching_bvh: Path, tmp_path: Path
) -> None:
    folder = marching_bvh.parent
    (folder / "broken.bvh").write_text("HIERARCHY nonsense")
    write_bvh(folder / "lying.bvh", lying(marching))
    done = footfall(
        "make-dataset", folder, "--out", tmp_path / "dataset", "--jobs", 1, "--json", tmp_path / "said.json"
    )
    assert done.returncode == 1 and "broken.bvh" in done.stderr
    said = json.loads((tmp_path / "said.json").read_text())
    assert [Path(one["file"]).name for one in said["skipped"]] == ["broken.bvh"]
    assert [Path(one["file"]).name for one in said["questions"]] == ["lying.bvh"]
    assert said["questions"][0]["text"] in done.stderr and "lies on its side" in done.stderr
    assert (tmp_path / "dataset" / "manifest.json").is_file()
    again = footfall("make-dataset", folder, "--out", tmp_path / "dataset", "--jobs", 1, "--json")
    assert json.loads(again.stdout)["questions"] == said["questions"], "also from what is kept of the first build"

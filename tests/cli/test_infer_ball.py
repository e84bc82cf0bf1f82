"""The commands ball and learn-ball."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from footfall.core.ball.cue_model import load_cue_model

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_ball_is_written_and_a_clip_without_hands_is_named(
    footfall: Run, marching_bvh: Path, shared_data: Path, tmp_path: Path
) -> None:
    play = shared_data / "mocap" / "skillmimic_ballplay" / "basketball" / "007pickle_pick_016.bvh"
    result = footfall("infer-ball", play, marching_bvh, "--out", tmp_path, "--radius", "0.105", "--json")
    document = json.loads(result.stdout)
    (done,), (failed,) = document["balls"], document["failed"]
    assert done["ball"] == str(tmp_path / "007pickle_pick_016.ball.csv") and done["contacts"] == {"left": 1, "right": 1}
    assert len(Path(done["ball"]).read_text().splitlines()) == 192
    assert failed["clip"] == str(marching_bvh) and "but finding a ball requires both hands" in failed["error"]
    assert result.returncode == 1 and failed["error"] in result.stderr


def test_a_model_is_learned_from_captured_balls(footfall: Run, shared_data: Path, tmp_path: Path) -> None:
    clips = shared_data / "mocap" / "skillmimic_ballplay" / "basketball"
    names = ("018pickle_run_3", "022pickle_shot_6", "008pickle_catch_012")
    listed = [clips / f"{name}.bvh" for name in names]
    none = shared_data / "mocap" / "skillmimic_ballplay" / "run" / "008pickle_runOffBall_004.bvh"
    model = tmp_path / "ours.npz"
    result = footfall("learn-ball", *listed, none, "--radius", "0.105", "--out", model, "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == {"clips with a ball": 3, "clips without": 1, "model": str(model)}
    assert "018pickle_run_3.bvh" in load_cue_model(model).sources
    result = footfall("infer-ball", clips / "007pickle_pick_016.bvh", "--out", tmp_path, "--model", listed[0])
    assert (
        result.returncode == 1
        and "is not a model of ball play: make one with python -m footfall learn-ball" in result.stderr
    )


def test_a_model_needs_a_ball(footfall: Run, marching_bvh: Path, tmp_path: Path) -> None:
    result = footfall("learn-ball", marching_bvh, "--out", tmp_path / "none.npz")
    assert result.returncode == 1 and "None of the clips has a ball file" in result.stderr
    assert not (tmp_path / "none.npz").exists()

"""From clips to a walk, each command in its own process; the network is far too small to walk well."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.models.model_file import load_model
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh, write_bvh

Run = Callable[..., subprocess.CompletedProcess[str]]
TINY = ("--preset", "quick", "--set", "hidden=16", "--set", "epochs=1", "--set", "device=cpu", "--jobs", 1)


@pytest.fixture
def clips(marching: Clip, tmp_path: Path) -> Path:
    """Two short takes."""
    folder = tmp_path / "takes"
    folder.mkdir()
    write_bvh(folder / "first.bvh", marching)
    write_bvh(folder / "second.bvh", replace(marching, root_positions=marching.root_positions * np.array([1, 1.1, 1])))
    return folder


@pytest.mark.slow
def test_clips_become_a_controller_that_walks_a_path(footfall: Run, clips: Path, tmp_path: Path) -> None:
    trained = footfall("train", "--clips", clips, "--run", tmp_path / "run", "--json", *TINY)
    assert trained.returncode == 0, trained.stderr
    document = json.loads(trained.stdout)
    assert document["status"] == "finished"
    assert load_model(Path(document["controller"])).provenance["clips"] == 2

    exported = footfall("export", tmp_path / "run", "--out", tmp_path / "walker.safetensors", "--json")
    assert exported.returncode == 0, exported.stderr
    assert json.loads(exported.stdout)["bytes"] == (tmp_path / "walker.safetensors").stat().st_size

    (tmp_path / "points.csv").write_text("x, y\n0, 0\n2, 0\n2, 1\n")
    walk = ("walk", "--path", tmp_path / "points.csv", "--controller", tmp_path / "walker.safetensors", "--json")
    walked = footfall(*walk, "--out", tmp_path / "walk.bvh")
    assert walked.returncode == 0, walked.stderr
    document = json.loads(walked.stdout)
    clip = read_bvh(tmp_path / "walk.bvh")
    assert (len(clip), clip.rate) == (document["frames"], pytest.approx(60.0))

    assert footfall(*walk, "--out", tmp_path / "again.bvh").returncode == 0
    assert (tmp_path / "again.bvh").read_bytes() == (tmp_path / "walk.bvh").read_bytes()

    measured = footfall("evaluate", tmp_path / "walk.bvh", "--path", tmp_path / "points.csv", "--json")
    assert measured.returncode == 0, measured.stderr
    assert json.loads(measured.stdout)["cross_track_mean_cm"] >= 0


@pytest.mark.slow
@pytest.mark.all_only("one whole line always runs; styles are tested in tests/training/fine_tuning")
def test_a_controller_is_taught_a_style_and_walks_in_it(footfall: Run, clips: Path, tmp_path: Path) -> None:
    first, second, walker = tmp_path / "first", tmp_path / "second", tmp_path / "second" / "model.safetensors"
    assert footfall("train", "--clips", clips, "--run", first, *TINY).returncode == 0
    taught = ("train", "--base", first / "model.safetensors", "--style", "march", "--json", "--jobs", 1)
    short = ("--set", "epochs=1", "--set", "unroll_epochs=1", "--set", "replay_minutes=0.1", "--set", "device=cpu")
    trained = footfall(*taught, "--clips", clips, "--run", second, *short)
    assert trained.returncode == 0, trained.stderr
    assert load_model(walker).gaits[-1] == "march"
    assert load_model(walker).architecture == load_model(first / "model.safetensors").architecture

    (tmp_path / "points.csv").write_text("0, 0\n2, 0\n")
    walk = ("walk", "--path", tmp_path / "points.csv", "--out", tmp_path / "walk.bvh", "--controller", walker)
    walked = footfall(*walk, "--style", "march")
    assert walked.returncode == 0, walked.stderr
    refused = footfall(*walk, "--style", "limp")
    assert (refused.returncode, refused.stderr) == (
        1,
        "footfall: The controller has no style 'limp': choose one of crouch, march\n",
    )

    fitted = ("--base", first / "model.safetensors", "--style", "march", "--jobs", 1, "--json")
    assert footfall("make-dataset", clips, "--out", tmp_path / "dataset", *fitted).returncode == 0
    again = footfall(*taught, "--dataset", tmp_path / "dataset", "--run", tmp_path / "third", *short)
    assert again.returncode == 0, again.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["train", "--dataset", "nowhere", "--run", "run"], "no finished data set"),
        (["train", "--clips", "nowhere", "--run", "run"], "There is no clip or folder 'nowhere'"),
        (["train", "--resume", "nowhere"], "There is no training run in 'nowhere'"),
        (["train", "--dataset", "d", "--run", "run", "--set", "hiden=3"], "'hiden' in --set is not a training setting"),
        (["train", "--dataset", "d", "--run", "run", "--preset", "slow"], "There is no training preset 'slow'"),
        (["export", "nowhere", "--out", "walker.safetensors"], "There is no training run in 'nowhere'"),
        (["make-dataset", "nowhere", "--out", "d"], "There is no clip or folder 'nowhere'"),
        (["walk", "--path", "none.csv", "--out", "walk.bvh"], "'none.csv' cannot be read"),
    ],
)
def test_a_users_mistake_is_one_sentence(footfall: Run, tmp_path: Path, arguments: list[str], complaint: str) -> None:
    result = footfall(*arguments, "--json", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    assert complaint in result.stderr and len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--clips", "clips"],
        ["--resume", "run", "--run", "run"],
        ["--run", "run"],
        ["--clips", "clips", "--run", "run", "--style", "limp"],
        ["--clips", "clips", "--run", "run", "--replay", "dataset"],
        ["--resume", "run", "--base", "walker.safetensors"],
        ["--resume", "run", "--preset", "quick"],
    ],
)
def test_a_run_needs_one_folder_and_one_source(footfall: Run, arguments: list[str]) -> None:
    assert footfall("train", *arguments).returncode == 2


@pytest.mark.parametrize("command", ["label", "make-dataset", "evaluate", "walk"])
def test_only_train_and_export_load_torch(
    command: str, marching_bvh: Path, tmp_path: Path, shipped_controller: Path
) -> None:
    (tmp_path / "points.csv").write_text("0,0\n1,0\n")
    arguments = {
        "label": [marching_bvh, "--out", tmp_path],
        "make-dataset": [marching_bvh, "--out", tmp_path / "dataset", "--jobs", "1"],
        "evaluate": [marching_bvh],
        "walk": ["--path", tmp_path / "points.csv", "--out", tmp_path / "walk.bvh", "--controller", shipped_controller],
    }
    program = "\n".join(
        [
            "import sys",
            "from footfall.cli import main",
            f"code = main({[command, *map(str, arguments[command])]!r})",
            "print(code, sorted({'torch', 'bpy'} & set(sys.modules)))",
        ]
    )
    child = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=120)
    assert child.stdout.splitlines()[-1] == "0 []", child.stderr

"""``train-generator``, and walks that its file varies."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from footfall.cli.walk import SHIPPED_GENERATORS, find_generator
from footfall.core.models.generator_file import load_generator
from footfall.core.models.generator_kinds import DEFAULT_KIND, KINDS
from footfall.core.motion import Clip
from footfall.core.motion.bvh import write_bvh

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_generator_is_named_by_its_kind_or_its_file() -> None:
    assert find_generator("") == SHIPPED_GENERATORS / f"{DEFAULT_KIND}.safetensors"
    assert all(find_generator(kind).is_file() for kind in KINDS)
    assert find_generator("mine/one.safetensors") == Path("mine/one.safetensors")


@pytest.mark.slow
@pytest.mark.all_only("one whole line always runs")
def test_clips_become_a_generator_that_varies_a_walk(footfall: Run, marching: Clip, tmp_path: Path) -> None:
    write_bvh(tmp_path / "march.bvh", marching)
    made = tmp_path / "mine.safetensors"
    trained = footfall("train-generator", "--clips", tmp_path / "march.bvh", "--out", made, "--steps", 20, "--json")
    assert trained.returncode == 0, trained.stderr
    assert json.loads(trained.stdout)["kind"] == load_generator(made).kind == DEFAULT_KIND

    (tmp_path / "points.csv").write_text("x, y\n0, 0\n3, 0\n")
    walk = ("walk", "--path", tmp_path / "points.csv", "--performer-share", 0)
    for name, more in (
        ("plain", ("--seed", 3, "--variation", 0)),
        ("varied", ("--seed", 3, "--generator", made)),
        ("again", ("--seed", 3, "--generator", made)),
    ):
        walked = footfall(*walk, "--out", tmp_path / f"{name}.bvh", *more)
        assert walked.returncode == 0, walked.stderr
    files = {name: (tmp_path / f"{name}.bvh").read_bytes() for name in ("plain", "varied", "again")}
    assert files["varied"] == files["again"] != files["plain"]

    wrong = footfall(*walk, "--out", tmp_path / "no.bvh", "--seed", 3, "--generator", tmp_path / "march.bvh")
    assert wrong.returncode == 1 and "Generator file" in wrong.stderr and "Traceback" not in wrong.stderr

"""``footfall fit-terrain``: ground under a clip, from the command line."""

import json
from pathlib import Path

import numpy as np
import pytest

from footfall.cli import main
from footfall.core.motion.bvh import write_bvh
from footfall.core.terrain.patches import build_patches
from footfall.core.terrain.terrain_file import TerrainFile
from footfall.tests.support.grounds import procedural


@pytest.fixture(scope="module")
def patches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_patches(tmp_path_factory.mktemp("terrain") / "patches", count=40).folder


@pytest.fixture
def stairs(tmp_path: Path) -> Path:
    write_bvh(tmp_path / "stairs.bvh", procedural("stairs up")[0])
    return tmp_path / "stairs.bvh"


def test_the_grounds_are_written_and_told_of(
    stairs: Path, patches: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = tmp_path / "grounds.npz"
    assert (
        main(["fit-terrain", str(stairs), "--patches", str(patches), "--out", str(out), "--count", "3", "--json"]) == 0
    )
    document = json.loads(capsys.readouterr().out)
    file = TerrainFile.load(out)
    assert [[row["start"], row["stop"]] for row in document["parts"]] == file.frames.tolist()
    assert file.grids.shape[:2] == (len(document["parts"]), 4)
    for row, errors in zip(document["parts"], file.errors, strict=True):
        assert row["patches"][-1] == "original" and all(0 <= number < 40 for number in row["patches"][:-1])
        np.testing.assert_allclose(row["errors_mm"], 1e3 * np.sqrt(errors), atol=0.01)
        assert max(row["contacts_deformed_mm"]) <= 0.01 <= max(row["contacts_fitted_mm"])


def test_a_person_reads_a_line_for_each_part(
    stairs: Path, patches: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(stairs.parent)
    assert main(["fit-terrain", "stairs.bvh", "--patches", str(patches), "--terrain", "flat"]) == 0
    assert "0-541  level: contacts" in capsys.readouterr().out
    assert (stairs.parent / "stairs.terrain.npz").exists()


def test_without_patches_it_says_how_to_make_them(stairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["fit-terrain", str(stairs), "--patches", str(tmp_path / "none")]) == 1
    assert "make them with `python -m footfall make-patches`" in capsys.readouterr().err

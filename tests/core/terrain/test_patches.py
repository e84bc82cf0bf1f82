"""Patches of ground in a folder: cut, mapped, checked when they are opened."""

import os
from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.terrain.heightfield import Heightfield
from footfall.core.terrain.patches import (
    MAX_PATCH_HEIGHT_M,
    POINTS_PER_SIDE,
    PatchDatabase,
    build_patches,
)
from footfall.core.terrain.procedural import GROUND_KINDS


@pytest.fixture(scope="module")
def patches(tmp_path_factory: pytest.TempPathFactory) -> PatchDatabase:
    return build_patches(tmp_path_factory.mktemp("terrain") / "patches", 40, seed=5)


def test_patches_of_every_kind_are_side_by_side(patches: PatchDatabase) -> None:
    assert patches.heights.shape == (POINTS_PER_SIDE * POINTS_PER_SIDE, 40)
    assert set(patches.header["kinds"]) == set(GROUND_KINDS)
    assert sum(patches.header["kinds"].values()) == patches.count == 40


def test_a_patch_is_a_heightfield_whose_mean_height_is_taken_out(patches: PatchDatabase) -> None:
    patch = patches.patch(7)
    assert patch.grid.shape == (POINTS_PER_SIDE, POINTS_PER_SIDE)
    assert abs(patch.grid.mean()) < 1e-4
    assert np.abs(patch.grid).max() <= MAX_PATCH_HEIGHT_M
    np.testing.assert_allclose(patch.extent.mean(axis=0), 0.0, atol=1e-12)


def test_the_same_seed_cuts_the_same_patches(patches: PatchDatabase, tmp_path: Path) -> None:
    again = build_patches(tmp_path / "again", 40, seed=5)
    np.testing.assert_array_equal(again.heights, patches.heights)
    other = build_patches(tmp_path / "other", 40, seed=6)
    assert not np.array_equal(other.heights, patches.heights)


def test_heightmaps_are_cut_from_too(tmp_path: Path) -> None:
    slope = Heightfield.centred(np.tile(np.arange(200) * 0.01, (200, 1)), 0.05)
    made = build_patches(tmp_path / "patches", 18, heightmaps={"slope": slope})
    assert made.header["kinds"]["slope"] == 2
    steps = np.hypot(*np.gradient(made.patch(17).grid, made.cell_size))
    np.testing.assert_allclose(np.median(steps), 0.2, atol=0.01)


def test_who_cancels_leaves_the_old_patches(patches: PatchDatabase, tmp_path: Path) -> None:
    def cancel(done: int, total: int) -> None:
        raise KeyboardInterrupt

    build_patches(tmp_path / "patches", 8)
    with pytest.raises(KeyboardInterrupt):
        build_patches(tmp_path / "patches", 16, progress=cancel)
    assert PatchDatabase.open(tmp_path / "patches").count == 8
    assert [path.name for path in tmp_path.iterdir()] == ["patches"]


def test_a_folder_of_something_else_is_refused_and_kept(tmp_path: Path) -> None:
    thesis, part = tmp_path / "home" / "docs" / "thesis.txt", tmp_path / "home.partial" / "part.txt"
    for file in (thesis, part):
        file.parent.mkdir(parents=True)
        file.write_text("years of work")
    with pytest.raises(
        FootfallError, match=r"'.*home' contains files that are not terrain patches .*: give a new or empty"
    ):
        build_patches(tmp_path / "home", 8)
    with pytest.raises(FootfallError, match="is not a folder but a file, or lies inside one"):
        build_patches(thesis, 8)
    thesis.unlink()
    thesis.parent.rmdir()
    assert build_patches(tmp_path / "home", 8).count == 8
    assert part.read_text() == "years of work"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_who_is_killed_between_the_two_files_leaves_the_old_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = np.array(build_patches(tmp_path, 8, seed=1).heights)
    rename = Path.rename

    def die_after(path: Path, to: Path) -> None:
        rename(path, to)
        os._exit(9)

    child = os.fork()
    if child == 0:
        monkeypatch.setattr(Path, "rename", die_after)
        build_patches(tmp_path, 8, seed=2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    found = PatchDatabase.open(tmp_path)
    assert found.header["seed"] == 1 and np.array_equal(found.heights, old)
    assert build_patches(tmp_path, 8, seed=2).header["seed"] == 2


def test_replaced_by_halves_without_the_old_ones_is_told(tmp_path: Path) -> None:
    build_patches(tmp_path, 8)
    (tmp_path / "patches.json").write_text('{"format_version": 1}')
    with pytest.raises(FootfallError, match=r"are damaged \(partly overwritten\): make them again"):
        PatchDatabase.open(tmp_path)


def test_what_is_missing_or_damaged_is_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(FootfallError, match="There are no terrain patches"):
        PatchDatabase.open(tmp_path / "nowhere")
    build_patches(tmp_path / "patches", 8)
    (tmp_path / "patches" / "heights.npy").write_bytes(b"nothing")
    with pytest.raises(FootfallError, match="damaged"):
        PatchDatabase.open(tmp_path / "patches")
    (tmp_path / "patches" / "patches.json").write_text("{}")
    with pytest.raises(FootfallError, match="another version"):
        PatchDatabase.open(tmp_path / "patches")


def test_patches_of_a_slope_rise_in_every_direction_by_as_much(tmp_path: Path) -> None:
    slope = Heightfield.centred(np.tile(np.arange(200) * 0.01, (200, 1)), 0.05)
    made = build_patches(tmp_path / "patches", 108, heightmaps={"slope": slope})
    middle = POINTS_PER_SIDE // 2
    rises = np.array([np.array(np.gradient(made.patch(number).grid, made.cell_size))[:, middle, middle]
                      for number in range(96, 108)])  # fmt: skip
    np.testing.assert_allclose(np.hypot(*rises.T), 0.2, atol=0.005)
    assert {(bool(y > 0), bool(x > 0)) for y, x in rises} == {(a, b) for a in (False, True) for b in (False, True)}

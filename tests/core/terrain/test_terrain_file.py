"""Fitted grounds as a file that is looked at."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.terrain.clip_terrain import mesh_edit_clip_terrain
from footfall.core.terrain.terrain_file import TerrainFile
from footfall.tests.support.grounds import procedural

SOUND = TerrainFile(
    np.array([[0, 30]]),
    np.zeros((1, 2, 4, 4), np.float32),
    np.zeros((1, 2)),
    0.04,
    np.zeros((1, 2)),
    np.array([[3, -1]]),
)


@pytest.mark.parametrize("name", ["stairs up", "walk"])
def test_a_file_holds_the_heights_around_the_feet(name: str, tmp_path: Path):
    parts = mesh_edit_clip_terrain(*procedural(name))
    TerrainFile.of(parts).save(tmp_path / "walk.terrain.npz")
    file = TerrainFile.load(tmp_path / "walk.terrain.npz")
    assert file.frames.tolist() == [[part.start, part.stop] for part in parts]
    for number, part in enumerate(parts):
        ground = file.ground(number, 0)
        np.testing.assert_allclose(ground.extent.mean(axis=0), part.centre[:2], atol=file.cell_size)
        np.testing.assert_allclose(ground.grid, part.grounds[0].heights(ground.grid_points), atol=1e-5)


def test_another_file_is_refused_in_a_sentence(tmp_path: Path):
    (tmp_path / "a.npz").write_bytes(b"none")
    with pytest.raises(FootfallError, match=r"a\.npz' is not a file of fitted terrain .*: fit the terrain"):
        TerrainFile.load(tmp_path / "a.npz")


@pytest.mark.parametrize(
    "change",
    [
        {"grids": np.zeros((1, 2, 4, 5), np.float32)},
        {"grids": np.zeros((1, 2, 1, 1), np.float32)},
        {"grids": np.zeros(3, np.float32)},
        {"grids": np.full((1, 2, 4, 4), np.inf, np.float32)},
        {"cell_size": 0.0},
        {"cell_size": -1.0},
        {"cell_size": np.nan},
        {"origins": np.full((1, 2), np.nan)},
        {"errors": np.zeros((2, 2))},
        {"patch_indices": np.zeros((1, 1), int)},
        {"frames": np.array([[30, 30]])},
        {"frames": np.array([[-1, 30]])},
    ],
)
def test_grounds_that_cannot_be_are_refused(change: dict[str, Any], tmp_path: Path):
    SOUND.save(tmp_path / "a.npz")
    assert TerrainFile.load(tmp_path / "a.npz").patch_indices.tolist() == [[3, -1]]
    replace(SOUND, **change).save(tmp_path / "a.npz")
    with pytest.raises(FootfallError, match="is not a file of fitted terrain"):
        TerrainFile.load(tmp_path / "a.npz")

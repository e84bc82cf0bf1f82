"""Fitted grounds as a file that is looked at."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.terrain.clip_terrain import mesh_edit_clip_terrain
from footfall.core.terrain.terrain_file import TerrainFile
from footfall.tests.support.grounds import procedural


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
    with pytest.raises(FootfallError, match=r"a\.npz is not a file of fitted ground .*: fit the clip again"):
        TerrainFile.load(tmp_path / "a.npz")

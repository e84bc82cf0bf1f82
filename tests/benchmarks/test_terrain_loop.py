"""The plain loop that terrain fitting is compared with finds the same errors."""

import numpy as np
import pytest

from footfall.benchmarks.terrain_loop import compare, fit_one_by_one, frame_by_frame
from footfall.core.terrain.fitting import FitWeights, fit_patches
from footfall.core.terrain.foot_points import FootTracks
from footfall.tests.support.grounds import SomePatches, hills, procedural


@pytest.fixture(scope="module")
def patches() -> SomePatches:
    return SomePatches.of(hills(40), 0.16)


@pytest.mark.parametrize("once", [False, True])
def test_it_agrees_with_all_patches_at_once(patches: SomePatches, once: bool):
    points = frame_by_frame(FootTracks.of(*procedural("stairs up"))).points(150, 210)
    points.jumping[: len(points.jumping) // 2] = True
    weights = FitWeights(down=0.5, up=0.8, over=0.3)
    grids = patches.heights.T.reshape(-1, patches.points_per_side, patches.points_per_side)
    errors = fit_one_by_one(points, grids, patches.cell_size, weights, once)
    np.testing.assert_allclose(errors, fit_patches(points, patches, weights).errors, rtol=1e-3)


def test_every_frame_of_a_contact_stands_for_itself():
    feet = FootTracks.of(*procedural("walk"))
    apart = frame_by_frame(feet)
    assert len(apart.contact_points) == feet.down.sum()
    assert apart.points(150, 200).contact_weights.sum() == pytest.approx(feet.points(150, 200).contact_weights.sum())


def test_the_table_tells_all_ways_of_fitting(patches: SomePatches):
    text = compare([(FootTracks.of(*procedural("stairs up")), 150, 210)], patches)
    for row in ("one patch after the other |", "looked up once |", "all at once |", "its bound |"):
        assert row in text

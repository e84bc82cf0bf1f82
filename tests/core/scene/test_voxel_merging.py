"""Cuboids that hold the voxels and nothing else."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from footfall.core.scene.voxel_merging import CellBoxes, merge_voxels

grids = st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6)).flatmap(lambda shape: arrays(bool, shape))


def filled(boxes: CellBoxes, shape: tuple[int, ...]) -> np.ndarray:
    """How many boxes hold each cell."""
    counts = np.zeros(shape, dtype=int)
    for low, high in boxes:
        counts[low[0] : high[0], low[1] : high[1], low[2] : high[2]] += 1
    return counts


@given(grids)
def test_every_solid_cell_is_in_one_box_and_no_other_cell_is_in_any(solid: np.ndarray) -> None:
    np.testing.assert_array_equal(filled(merge_voxels(solid), solid.shape), solid.astype(int))


def test_a_block_is_one_box() -> None:
    np.testing.assert_array_equal(merge_voxels(np.ones((3, 4, 5), bool)), [[[0, 0, 0], [3, 4, 5]]])

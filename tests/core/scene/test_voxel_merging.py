"""Cuboids that hold the voxels and nothing else."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from footfall.core.scene.voxel_merging import CellBoxes, merge_voxels
from footfall.core.scene.voxels import voxelise

from ...support.meshes import chair

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


@given(grids)
def test_no_two_boxes_make_up_one(solid: np.ndarray) -> None:
    boxes = merge_voxels(solid)
    for first in range(len(boxes)):
        for second in range(first):
            low = np.minimum(boxes[first, 0], boxes[second, 0])
            high = np.maximum(boxes[first, 1], boxes[second, 1])
            volumes = [np.prod(boxes[one, 1] - boxes[one, 0]) for one in (first, second)]
            assert np.prod(high - low) != sum(volumes)


def test_a_block_is_one_box() -> None:
    np.testing.assert_array_equal(merge_voxels(np.ones((3, 4, 5), bool)), [[[0, 0, 0], [3, 4, 5]]])


def test_a_chair_is_its_six_parts() -> None:
    assert len(merge_voxels(voxelise(*chair(), 0.04).solid)) == 6


def test_nothing_has_no_boxes() -> None:
    assert merge_voxels(np.zeros((2, 2, 2), bool)).shape == (0, 2, 3)


def test_the_order_of_axes_with_the_fewest_boxes_is_taken() -> None:
    """Three rods along the first axis, each one cell to the side of the last: along other axes they are nine cells."""
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        rods = np.zeros((3, 5, 3), bool)
        for step in range(3):
            rods[:, 2 * step, step] = True
        assert len(merge_voxels(rods.transpose(order))) == 3

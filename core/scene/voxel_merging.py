"""Merging of voxels into cuboids (NSM section 4.3)."""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

CellBoxes = NDArray[np.intp]
"""Boxes (C, 2, 3) of cells: the first cell and the cell after the last along each axis."""


def merge_voxels(solid: NDArray[np.bool_]) -> CellBoxes:
    """Return boxes (C, 2, 3) that cover every solid cell of a grid (X, Y, Z) exactly once.

    Greedy meshing: runs of cells become rods, equal adjacent rods become plates, and equal adjacent plates boxes, in
    the order of axes that gives the fewest boxes. Pairs that form a box are then merged until none remain.
    """
    if not solid.any():
        return np.zeros((0, 2, 3), dtype=np.intp)
    found = [_merge_runs(solid.transpose(order))[:, :, np.argsort(order)] for order in permutations(range(3))]
    boxes = min(found, key=len)
    return _merge_until_stable(boxes[np.lexsort(boxes.reshape(len(boxes), 6).T[::-1])])


def _merge_runs(solid: NDArray[np.bool_]) -> CellBoxes:
    """Cover the solid cells with boxes, merged along the third axis first, then along the second and the first."""
    padded = np.pad(solid.astype(np.int8), ((0, 0), (0, 0), (1, 1)))
    steps = np.diff(padded, axis=2)
    starts, stops = np.argwhere(steps == 1), np.argwhere(steps == -1)
    boxes = np.stack([starts, np.column_stack([starts[:, :2] + 1, stops[:, 2]])], axis=1)
    for axis in (1, 0):
        boxes = _merge_along_axis(boxes, axis)
    return boxes


def _merge_along_axis(boxes: CellBoxes, axis: int) -> CellBoxes:
    """Merge boxes that are adjacent along an axis and equal across it."""
    others = [other for other in range(3) if other != axis]
    key = np.column_stack([boxes[:, :, others].reshape(len(boxes), 4), boxes[:, 0, axis]])
    boxes = boxes[np.lexsort(key.T[::-1])]
    alike = (boxes[1:][:, :, others] == boxes[:-1][:, :, others]).all(axis=(1, 2))
    follows = alike & (boxes[1:, 0, axis] == boxes[:-1, 1, axis])
    first = np.flatnonzero(np.append(True, ~follows))
    last = np.append(first[1:], len(boxes)) - 1
    result = boxes[first].copy()
    result[:, 1, axis] = boxes[last, 1, axis]
    return result


def _merge_until_stable(boxes: CellBoxes) -> CellBoxes:
    """Merge boxes along all axes until nothing changes any more."""
    while True:
        count = len(boxes)
        for axis in range(3):
            boxes = _merge_along_axis(boxes, axis)
        if len(boxes) == count:
            return boxes

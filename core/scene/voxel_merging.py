"""Voxels merged to cuboids: the same cubes in far fewer boxes, and nothing else (NSM section 4.3)."""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

CellBoxes = NDArray[np.intp]


def merge_voxels(solid: NDArray[np.bool_]) -> CellBoxes:
    """Boxes (C, 2, 3), first cell and the one after the last, that have every solid cell of a grid (X, Y, Z) once.

    Runs of cells become rods, like rods side by side plates, like plates boxes; in the order of axes that needs the
    fewest. At last any two that make up a box together are one, until none are.
    """
    if not solid.any():
        return np.zeros((0, 2, 3), dtype=np.intp)
    found = [_merge_runs(solid.transpose(order))[:, :, np.argsort(order)] for order in permutations(range(3))]
    boxes = min(found, key=len)
    return _merge_until_stable(boxes[np.lexsort(boxes.reshape(len(boxes), 6).T[::-1])])


def _merge_runs(solid: NDArray[np.bool_]) -> CellBoxes:
    padded = np.pad(solid.astype(np.int8), ((0, 0), (0, 0), (1, 1)))
    steps = np.diff(padded, axis=2)
    starts, stops = np.argwhere(steps == 1), np.argwhere(steps == -1)
    boxes = np.stack([starts, np.column_stack([starts[:, :2] + 1, stops[:, 2]])], axis=1)
    for axis in (1, 0):
        boxes = _merge_along_axis(boxes, axis)
    return boxes


def _merge_along_axis(boxes: CellBoxes, axis: int) -> CellBoxes:
    """Boxes with those made one that follow each other along an axis and are alike across it."""
    others = [one for one in range(3) if one != axis]
    key = np.column_stack([boxes[:, :, others].reshape(len(boxes), 4), boxes[:, 0, axis]])
    boxes = boxes[np.lexsort(key.T[::-1])]
    alike = (boxes[1:][:, :, others] == boxes[:-1][:, :, others]).all(axis=(1, 2))
    follows = alike & (boxes[1:, 0, axis] == boxes[:-1, 1, axis])
    first = np.flatnonzero(np.append(True, ~follows))[: len(boxes)]
    last = np.append(first[1:], len(boxes)) - 1
    result = boxes[first].copy()
    result[:, 1, axis] = boxes[last, 1, axis]
    return result


def _merge_until_stable(boxes: CellBoxes) -> CellBoxes:
    while True:
        count = len(boxes)
        for axis in range(3):
            boxes = _merge_along_axis(boxes, axis)
        if len(boxes) == count:
            return boxes

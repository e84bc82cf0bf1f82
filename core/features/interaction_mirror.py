"""Mirror images of the inputs and outputs of interaction networks: left and right are exchanged in the root's frame."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..motion.roles import mirror_pairs
from ..motion.rotations import Array, exp, inverse, log, multiply
from ..scene.environment_sensor import SPHERE_CENTRES_M
from ..scene.interaction_sensor import CELLS_PER_AXIS
from .interaction import CONTACT_JOINTS, ROTATION_GROUP
from .layout import Group, Layout

FLIP: Final = np.array([-1.0, 1.0, 1.0])
"""Factors of a point's coordinates in the root's frame that mirror it."""
TURN_FLIP: Final = np.array([1.0, -1.0, -1.0])
"""Factors of a rotation vector's coordinates in the root's frame that mirror it."""


class InteractionMirror:
    """Exchange of left and right in a controller's inputs and outputs.

    Args:
        inputs: layout of the inputs.
        outputs: layout of the outputs.
        pairs: (P) index of the mirror image of each pose joint.
        references: (P, 4) reference rotations of the pose joints, in the root's frame.
    """

    def __init__(self, inputs: Layout, outputs: Layout, pairs: Sequence[int], references: Array) -> None:
        self._layouts = inputs, outputs
        self._maps = tuple(_map_of(layout, pairs) for layout in self._layouts)
        self._pairs = list(pairs)
        self._between = multiply(inverse(references), references[self._pairs] * [1.0, *TURN_FLIP])

    def inputs(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return network inputs ``x`` (B, n), not normalized, with left and right exchanged."""
        return self._mirrored(x, 0)

    def outputs(self, y: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return network outputs ``y`` (B, m), not normalized, with left and right exchanged."""
        return self._mirrored(y, 1)

    def _mirrored(self, vectors: NDArray[np.float32], which: int) -> NDArray[np.float32]:
        """Return mirrored vectors of one of the two layouts."""
        layout, (index, signs) = self._layouts[which], self._maps[which]
        result = signs * np.take(vectors, index, axis=-1)
        if ROTATION_GROUP in layout.slices:
            # Reference rotations of left and right differ a little.
            turns = layout.view(vectors, ROTATION_GROUP)[..., self._pairs, :].astype(float) * TURN_FLIP
            layout.view(result, ROTATION_GROUP)[:] = log(multiply(self._between, exp(turns)))
        return result


def _map_of(layout: Layout, pairs: Sequence[int]) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Return the index (N) of the original value for each value of a mirrored vector, and its sign (N)."""
    index, signs = np.arange(layout.size), np.ones(layout.size, dtype=np.float32)
    for group in layout:
        place = layout.slices[group.name]
        order = np.arange(group.size).reshape(group.shape)
        index[place] = place.start + _reordered(group, order, pairs).ravel()
        signs[place] = np.broadcast_to(_signs_of(group), group.shape).ravel()
    return index, signs


def _reordered(group: Group, values: NDArray[np.intp], pairs: Sequence[int]) -> NDArray[np.intp]:
    """Return a group's values in the order of its mirror image."""
    if group.name == "environment.occupancy":
        return values[_mirrored_spheres()]
    if group.name == "interaction.voxel":
        cells = values.reshape(CELLS_PER_AXIS, -1, 4)
        return cells[::-1]
    if group.name == "contact":
        return values[mirror_pairs(CONTACT_JOINTS)]
    is_pose = group.name.partition(".")[0] in ("pose", "future_pose")
    return values[list(pairs)] if is_pose else values


def _signs_of(group: Group) -> Array:
    """Return the signs of the last axis of a group's mirror image."""
    kind = group.name.rpartition(".")[2]
    if group.name == ROTATION_GROUP:
        return TURN_FLIP
    if kind == "voxel":
        return np.append(FLIP, 1.0)
    if kind in ("position", "direction", "velocity"):
        return FLIP[: group.shape[-1]]
    return np.array(-1.0 if kind == "angular_velocity" else 1.0)


@lru_cache(maxsize=1)
def _mirrored_spheres() -> NDArray[np.intp]:
    """Return the index of the mirror image of each sphere of the environment sensor."""
    return np.asarray(scipy.spatial.KDTree(FLIP * SPHERE_CENTRES_M).query(SPHERE_CENTRES_M)[1], dtype=np.intp)

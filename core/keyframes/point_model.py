"""The body as a set of points carried by bones, whose locations and rotations are keyed."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import IDENTITY, Array, multiply, rotate

TWIST_POINT_OFFSET_RATIO = 0.5
"""Distance of the point beside a leaf bone's tail, which shows the bone's twist, relative to the bone's length."""


@dataclass(frozen=True, slots=True)
class KeyedBone:
    """One bone, or the armature object, with keyed location and rotation.

    Attributes:
        parent: index of the parent, which precedes the bone; -1 without one.
        rotation_parent: index of the bone whose rotation is inherited; -1 without one.
        offset: (3) offset from the parent at rest, meters, in the parent's axes at rest.
        rest_rotation: (4) rotation at rest in the axes of the rotation parent at rest.
        location_axes: (4) rotation from the axes of the location channels to the bone's axes at rest.
        location_unit_m: meters per unit of location.
        length: length along the bone's Y axis, meters; 0 if its tail needs no point.
    """

    parent: int
    rotation_parent: int
    offset: Array
    rest_rotation: Array
    location_axes: Array
    location_unit_m: float
    length: float


@dataclass(frozen=True, eq=False)
class PointModel:
    """Bones (B), parents before children, and their points (J).

    The points are all bone heads, the tails of leaf bones, a point beside each of these tails, and extra points.

    Attributes:
        bones: the bones.
        extra_points: extra points, each given by a bone and an offset (3) from its head in the bone's axes, meters.
    """

    bones: tuple[KeyedBone, ...]
    extra_points: tuple[tuple[int, Array], ...] = ()

    def __len__(self) -> int:
        """Return the number of points."""
        return len(self.bones) + 2 * len(self.leaf_bones) + len(self.extra_points)

    @cached_property
    def leaf_bones(self) -> NDArray[np.intp]:
        """Indices of bones without children whose length is above 0."""
        parents = {bone.parent for bone in self.bones} | {bone.rotation_parent for bone in self.bones}
        leaves = [index for index, bone in enumerate(self.bones) if bone.length > 0 and index not in parents]
        return np.array(leaves, dtype=np.intp)

    @cached_property
    def _levels(self) -> list[NDArray[np.intp]]:
        """The bones level by level, so that one step does a whole level."""
        depth: list[int] = []
        for bone in self.bones:
            depth.append(
                1 + max((depth[above] for above in (bone.parent, bone.rotation_parent) if above >= 0), default=-1)
            )
        return [np.flatnonzero(np.array(depth) == level) for level in range(max(depth, default=-1) + 1)]

    def positions(self, locations: Array, rotations: Array) -> Array:
        """Return the points (F, J, 3), meters, for locations (F, B, 3) and unit quaternions (F, B, 4)."""
        count, size = rotations.shape[:2]
        # The world follows all bones, so that index -1, for no parent, is the world.
        heads, turned = np.zeros((count, size + 1, 3)), np.tile(IDENTITY, (count, size + 1, 1))
        parents = np.array([own.parent for own in self.bones], dtype=np.intp)
        turners = np.array([own.rotation_parent for own in self.bones], dtype=np.intp)
        offsets = np.array([own.offset for own in self.bones]).reshape(size, 3)
        rests = np.array([own.rest_rotation for own in self.bones]).reshape(size, 4)
        axes = np.array([own.location_axes for own in self.bones]).reshape(size, 4)
        moved = rotate(
            multiply(rests, axes), locations * np.array([own.location_unit_m for own in self.bones])[:, None]
        )
        own_turns = multiply(rests, rotations)
        for level in self._levels:
            frame = turned[:, turners[level]]
            place = heads[:, parents[level]] + rotate(turned[:, parents[level]], offsets[level])
            heads[:, level] = place + rotate(frame, moved[:, level])
            turned[:, level] = multiply(frame, own_turns[:, level])
        lengths = np.array([self.bones[index].length for index in self.leaf_bones])[:, None]
        points = [heads[:, :size]]
        for arm in ((0.0, 1.0, 0.0), (TWIST_POINT_OFFSET_RATIO, 1.0, 0.0)):
            points.append(heads[:, self.leaf_bones] + rotate(turned[:, self.leaf_bones], lengths * arm))
        extra_bones = np.array([index for index, _ in self.extra_points], dtype=np.intp)
        offsets = np.array([offset for _, offset in self.extra_points]).reshape(-1, 3)
        points.append(heads[:, extra_bones] + rotate(turned[:, extra_bones], offsets))
        return np.concatenate(points, axis=1)

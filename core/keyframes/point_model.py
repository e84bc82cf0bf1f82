"""What carries what: bones with values of location and rotation, and the points of the body that go with them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import IDENTITY, Array, multiply, rotate

# A point beside the end of each last bone, by this share of its length, tells of its twist.
TWIST_POINT_OFFSET_RATIO = 0.5


@dataclass(frozen=True, slots=True)
class KeyedBone:
    """One bone, or the object that has them.

    Attributes:
        parent: the carrier that it hangs on, which comes before it; -1 for none.
        rotation_parent: the carrier whose rotation it inherits; -1 for none.
        offset: from the parent to it at rest (3), metres, in the parent's axes at rest.
        rest: its rotation at rest in the turner's axes at rest, a quaternion (4).
        axes: the axes of its location in its own axes at rest, a quaternion (4).
        unit: metres that a location of 1 is.
        length: metres, along its own Y axis; 0 where it has no end to be kept.
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
    """Carriers (B), parents before children.

    The points (J) are all heads; of those that carry no other the ends, and a point beside each end; and the marks.

    Attributes:
        bones: the carriers.
        marks: more points that carriers take along: the carrier, and from its head in its own axes (3), metres.
    """

    bones: tuple[KeyedBone, ...]
    extra_points: tuple[tuple[int, Array], ...] = ()

    def __len__(self) -> int:
        """How many points there are."""
        return len(self.bones) + 2 * len(self.leaf_bones) + len(self.extra_points)

    @cached_property
    def leaf_bones(self) -> NDArray[np.intp]:
        """Those that have an end and carry no other."""
        carrying = {carrier.parent for carrier in self.bones} | {carrier.rotation_parent for carrier in self.bones}
        kept = [index for index, own in enumerate(self.bones) if own.length > 0 and index not in carrying]
        return np.array(kept, dtype=np.intp)

    @cached_property
    def _levels(self) -> list[NDArray[np.intp]]:
        """The carriers level by level, so that one step does all of a level."""
        depth: list[int] = []
        for own in self.bones:
            depth.append(
                1 + max((depth[above] for above in (own.parent, own.rotation_parent) if above >= 0), default=-1)
            )
        return [np.flatnonzero(np.array(depth) == level) for level in range(max(depth, default=-1) + 1)]

    def positions(self, locations: Array, rotations: Array) -> Array:
        """Return the points (F, J, 3), metres, of locations (F, B, 3) and unit quaternions (F, B, 4)."""
        count, size = rotations.shape[:2]
        # The world comes after all carriers, so that what hangs on nothing hangs on the last.
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
        marked = np.array([index for index, _ in self.extra_points], dtype=np.intp)
        arms = np.array([arm for _, arm in self.extra_points]).reshape(-1, 3)
        points.append(heads[:, marked] + rotate(turned[:, marked], arms))
        return np.concatenate(points, axis=1)

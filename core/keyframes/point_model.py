"""What carries what: bones with values of location and rotation, and the points of the body that go with them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import IDENTITY, Array, multiply, rotate

# A point beside the end of each last bone, by this share of its length, tells of its twist.
BESIDE = 0.5


@dataclass(frozen=True, slots=True)
class Carrier:
    """One bone, or the object that has them.

    Attributes:
        parent: the carrier that it hangs on, which comes before it; -1 for none.
        turner: the carrier whose rotation it inherits; -1 for none.
        offset: from the parent to it at rest (3), metres, in the parent's axes at rest.
        rest: its rotation at rest in the turner's axes at rest, a quaternion (4).
        axes: the axes of its location in its own axes at rest, a quaternion (4).
        unit: metres that a location of 1 is.
        length: metres, along its own Y axis; 0 where it has no end to be kept.
    """

    parent: int
    turner: int
    offset: Array
    rest: Array
    axes: Array
    unit: float
    length: float


@dataclass(frozen=True, eq=False)
class Carriers:
    """Carriers (B), parents before children.

    The points (J) are all heads; of those that carry no other the ends, and a point beside each end; and the marks.

    Attributes:
        each: the carriers.
        marks: more points that carriers take along: the carrier, and from its head in its own axes (3), metres.
    """

    each: tuple[Carrier, ...]
    marks: tuple[tuple[int, Array], ...] = ()

    def __len__(self) -> int:
        """How many points there are."""
        return len(self.each) + 2 * len(self.last) + len(self.marks)

    @cached_property
    def last(self) -> NDArray[np.intp]:
        """Those that have an end and carry no other."""
        carrying = {carrier.parent for carrier in self.each} | {carrier.turner for carrier in self.each}
        kept = [index for index, own in enumerate(self.each) if own.length > 0 and index not in carrying]
        return np.array(kept, dtype=np.intp)

    @cached_property
    def _levels(self) -> list[NDArray[np.intp]]:
        """The carriers level by level, so that one step does all of a level."""
        depth: list[int] = []
        for own in self.each:
            depth.append(1 + max((depth[above] for above in (own.parent, own.turner) if above >= 0), default=-1))
        return [np.flatnonzero(np.array(depth) == level) for level in range(max(depth, default=-1) + 1)]

    def positions(self, locations: Array, rotations: Array) -> Array:
        """The points (F, J, 3), metres, of locations (F, B, 3) and unit quaternions (F, B, 4)."""
        count, size = rotations.shape[:2]
        # The world comes after all carriers, so that what hangs on nothing hangs on the last.
        heads, turned = np.zeros((count, size + 1, 3)), np.tile(IDENTITY, (count, size + 1, 1))
        parents = np.array([own.parent for own in self.each], dtype=np.intp)
        turners = np.array([own.turner for own in self.each], dtype=np.intp)
        offsets = np.array([own.offset for own in self.each]).reshape(size, 3)
        rests = np.array([own.rest for own in self.each]).reshape(size, 4)
        axes = np.array([own.axes for own in self.each]).reshape(size, 4)
        moved = rotate(multiply(rests, axes), locations * np.array([own.unit for own in self.each])[:, None])
        own_turns = multiply(rests, rotations)
        for level in self._levels:
            frame = turned[:, turners[level]]
            place = heads[:, parents[level]] + rotate(turned[:, parents[level]], offsets[level])
            heads[:, level] = place + rotate(frame, moved[:, level])
            turned[:, level] = multiply(frame, own_turns[:, level])
        lengths = np.array([self.each[index].length for index in self.last])[:, None]
        points = [heads[:, :size]]
        for arm in ((0.0, 1.0, 0.0), (BESIDE, 1.0, 0.0)):
            points.append(heads[:, self.last] + rotate(turned[:, self.last], lengths * arm))
        marked = np.array([index for index, _ in self.marks], dtype=np.intp)
        arms = np.array([arm for _, arm in self.marks]).reshape(-1, 3)
        points.append(heads[:, marked] + rotate(turned[:, marked], arms))
        return np.concatenate(points, axis=1)

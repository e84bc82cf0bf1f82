"""What carries what: bones with values of location and rotation, and the points of the body that go with them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array, multiply, rotate

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

    The points (J) are all heads, and of those that carry no other the ends, and a point beside each end.
    """

    each: tuple[Carrier, ...]

    @cached_property
    def last(self) -> NDArray[np.intp]:
        """Those that have an end and carry no other."""
        carrying = {carrier.parent for carrier in self.each} | {carrier.turner for carrier in self.each}
        kept = [index for index, own in enumerate(self.each) if own.length > 0 and index not in carrying]
        return np.array(kept, dtype=np.intp)

    def positions(self, locations: Array, rotations: Array) -> Array:
        """The points (F, J, 3), metres, of locations (F, B, 3) and unit quaternions (F, B, 4)."""
        heads = np.empty((*rotations.shape[:-1], 3))
        turned = np.empty(rotations.shape)
        for index, own in enumerate(self.each):
            place = np.broadcast_to(own.offset, heads[:, index].shape)
            frame = np.broadcast_to(own.rest, turned[:, index].shape)
            if own.parent >= 0:
                place = heads[:, own.parent] + rotate(turned[:, own.parent], place)
            if own.turner >= 0:
                frame = multiply(turned[:, own.turner], frame)
            heads[:, index] = place + rotate(frame, rotate(own.axes, locations[:, index] * own.unit))
            turned[:, index] = multiply(frame, rotations[:, index])
        lengths = np.array([self.each[index].length for index in self.last])[:, None]
        ends = [heads]
        for arm in ((0.0, 1.0, 0.0), (BESIDE, 1.0, 0.0)):
            ends.append(heads[:, self.last] + rotate(turned[:, self.last], (lengths * arm)[None]))
        return np.concatenate(ends, axis=1)

"""Objects that a sensor can touch: oriented boxes, static or animated."""

from dataclasses import dataclass

import numpy as np

from ...errors import FootfallError
from ...motion.rotations import Array, inverse, rotate


@dataclass(frozen=True, eq=False)
class ContactObject:
    """A box fitted to an object, static or moving with the clip.

    Attributes:
        positions: (F, 3) or (1, 3) centers of the box, meters, world.
        rotations: (F, 4) or (1, 4) rotations of the box, quaternions, world.
        size: (3) edge lengths, meters.
    """

    positions: Array
    rotations: Array
    size: Array

    def __post_init__(self) -> None:
        """Raise ``ValueError`` if the shapes do not match."""
        frames = {len(self.positions), len(self.rotations)} - {1}
        if self.positions.shape[1:] != (3,) or self.rotations.shape[1:] != (4,) or self.size.shape != (3,):
            raise ValueError("a contact target needs positions (F, 3), rotations (F, 4) and a size (3)")
        if len(frames) > 1:
            raise ValueError("the positions and rotations of a contact target have different numbers of frames")

    def to_local(self, points: Array) -> Array:
        """Convert points (F, 3), meters, world, to the box's axes, relative to its center.

        Raises:
            FootfallError: the box is animated over a different number of frames.
        """
        frames = max(len(self.positions), len(self.rotations))
        if frames not in (1, len(points)):
            raise FootfallError(
                "The object has {frames} frames, but the clip in which it is touched has {clip_frames}: give "
                "both the same length",
                frames=frames,
                clip_frames=len(points),
            )
        turns = np.broadcast_to(self.rotations, (len(points), 4))
        return rotate(inverse(turns), points - self.positions)

    def distance(self, points: Array) -> Array:
        """Return the distances (F) of world points (F, 3) from the box, meters; 0 inside."""
        outside = np.maximum(np.abs(self.to_local(points)) - self.size / 2, 0.0)
        return np.linalg.norm(outside, axis=-1)

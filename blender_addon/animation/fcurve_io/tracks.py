"""Values of whole properties, as computed by a bake before they become keys."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ....core.motion.rotations import Array


@dataclass(frozen=True, slots=True, eq=False)
class PropertyTrack:
    """All F-curves of one property, as one value per frame.

    Attributes:
        path: the data path from the object, such as ``pose.bones["hips"].location``.
        group: the group of the F-curves, which is the bone's name for a bone's properties.
        values: (F, n) values; each column is an F-curve with the column's array index. A column of NaN, for a locked
            channel, has no F-curve. A single row (1, n) is keyed only at the first frame, as for a switch.
        interpolation: ``"LINEAR"``, ``"BEZIER"`` or ``"CONSTANT"``.
    """

    path: str
    group: str
    values: Array
    interpolation: str

    def __post_init__(self) -> None:
        if self.values.ndim != 2:
            raise ValueError(f"the values of '{self.path}' are {self.values.shape}, not (frames, curves)")

    def columns(self) -> Iterator[tuple[int, Array]]:
        """Yield array index and values (F) of each F-curve to write."""
        for index, column in enumerate(self.values.T):
            if not np.isnan(column).any():
                yield index, column

"""Values of whole properties, as a bake computes them before they become keys."""

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
        values: (F, n): a column is one F-curve, its array index the column's. A column of NaN has no F-curve: the
            channel is locked. One row alone (1, n) is keyed at the first frame only, as a switch is.
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
        """Yield the F-curves to write: array index and values (F)."""
        for index, column in enumerate(self.values.T):
            if not np.isnan(column).any():
                yield index, column

"""What a bake writes, before it is keys: the values of whole properties."""

from dataclasses import dataclass

from ...core.motion.rotations import Array


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """All F-curves of one property, as one value per frame.

    Attributes:
        path: the data path from the object, such as ``pose.bones["hips"].location``.
        group: the group of the F-curves, which is the bone's name for a bone's properties.
        values: (F, n): a column is one F-curve, its array index the column's. One row alone (1, n) is a value to be
            keyed at the first frame only, as that of a switch.
        interpolation: ``"LINEAR"``, ``"BEZIER"`` or ``"CONSTANT"``.
    """

    path: str
    group: str
    values: Array
    interpolation: str

    def __post_init__(self) -> None:
        if self.values.ndim != 2:
            raise ValueError(f"the values of '{self.path}' are {self.values.shape}, not (frames, curves)")

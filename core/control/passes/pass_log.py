"""Pass log: the displacements of hips, hands and feet by each pass of a refinement."""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from ...motion import Clip
from ...motion.rotations import Array

PARTS: Final = {"hips": ("hips",), "hands": ("hand.L", "hand.R"), "feet": ("foot.L", "foot.R")}
"""Roles of the joints of each measured part."""


@dataclass(frozen=True, slots=True)
class PassMove:
    """The displacement of each measured part of a body by one pass of a refinement.

    Attributes:
        name: name of the pass.
        parts: mean and largest displacement of each part of :data:`PARTS` that the body has, in clip meters.
    """

    name: str
    parts: dict[str, tuple[float, float]]

    def to_json(self) -> dict[str, Any]:
        """Return the values for JSON: the pass's name, and each part's mean and largest displacement, centimeters."""
        return {"name": self.name} | {f"{part}_cm": [100 * one for one in both] for part, both in self.parts.items()}


@dataclass(slots=True)
class PassLog:
    """Log of the passes of a refinement that were applied to a clip.

    Attributes:
        moves: displacement by each pass, in order.
    """

    moves: list[PassMove] = field(default_factory=list)

    def add(self, name: str, before: Clip, after: Clip) -> Clip:
        """Log a pass with its displacements of the body between two clips of equal frames; return the second clip."""
        parts = dict[str, tuple[float, float]]()
        for part, roles in PARTS.items():
            joints = [after.skeleton.roles[role] for role in roles if role in after.skeleton.roles]
            if joints:
                moved = np.linalg.norm(_shift(before, after, joints), axis=-1)
                parts[part] = (float(moved.mean()), float(moved.max()))
        self.moves.append(PassMove(name, parts))
        return after


def _shift(before: Clip, after: Clip, joints: list[int]) -> Array:
    """Return the displacements (F, J, 3) of joints, meters, or (F, 1, 3) if all joints move alike."""
    if after.rotations is before.rotations:
        return (after.root_positions - before.root_positions)[:, None]
    return after.positions[:, joints] - before.positions[:, joints]

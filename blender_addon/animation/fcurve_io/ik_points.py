"""Knees and elbows of the limbs posed by IK in a rig map, as points moved by its controls."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.motion import rotations as rot
from ....core.motion.rotations import Array
from ....core.rig.rig_map import RigMap
from ....core.rig.rig_map import roles as rig_roles
from .rig import Rig

LIMB_PARTS: Final = {
    "foot": ("thigh", "shin", "hips"),
    "hand": ("upper_arm", "forearm", "shoulder"),
    "front_foot": ("front_thigh", "front_shin", "front_shoulder"),
}
"""The bones of an IK limb and its parent, by the limb's end."""
# Least bend of a limb, meters: the middle of a straighter limb has no definite position.
MIN_BEND_M: Final = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class IkLimbPoints:
    """A limb between two keyed bones.

    Attributes:
        parent_bone: name of the keyed bone that carries the limb's start.
        end_control: name of the control that the end of the limb follows.
        pole: name of the bone that the knee or elbow points at; ``None`` without one.
        start: (3) head of the limb's first bone at rest, world, meters.
        end: (3) head of the foot or hand at rest, world, meters.
        bone_lengths: lengths of the upper and the lower bone, meters.
    """

    parent_bone: str
    end_control: str
    pole: str | None
    start: Array
    end: Array
    bone_lengths: tuple[float, float]

    def middle_joint(self, start: Array, end: Array, pole: Array) -> Array:
        """Return the positions (F, 3) of the knee or elbow, given the positions (F, 3) of start, end and pole."""
        upper, lower = self.bone_lengths
        distance = np.linalg.norm(end - start, axis=-1, keepdims=True)
        along = (end - start) / np.maximum(distance, 1e-6)
        share = np.minimum((upper**2 + distance**2 - lower**2) / (2 * np.maximum(distance, 1e-6)), upper)
        aside = pole - start
        out = rot.normalize(aside - np.sum(aside * along, axis=-1, keepdims=True) * along)
        return start + along * share + out * np.sqrt(upper**2 - share**2 + MIN_BEND_M**2)


def find_ik_limb_points(rig_map: RigMap, rig: Rig) -> list[IkLimbPoints]:
    """Return the points of each limb that a rig map poses by IK, if the rig has the limb's bones."""
    spine = ("hips", *rig_map.chain("spine"))
    found = []
    for role, limb in rig_map.ik.items():
        part, _, side = rig_roles.split_role(role)
        first, middle, above = (rig_roles.join_role(name, 1, side) for name in LIMB_PARTS[part])
        carrying = "hips" if part == "foot" else above if above in rig_map.bones else spine[-1]
        if all(rig_map.bones.get(needed) in rig.index for needed in (role, first, middle, carrying)):
            socket, knee, end = (rig.heads[rig.index[rig_map.bones[name]]] for name in (first, middle, role))
            lengths = float(np.linalg.norm(knee - socket)), float(np.linalg.norm(end - knee))
            found.append(IkLimbPoints(rig_map.control(carrying), limb.control, limb.pole, socket, end, lengths))
    return found

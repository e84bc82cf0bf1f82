"""A person whose bones have the names and proportions of CMU's ASF skeletons."""

from typing import Final

import numpy as np

from footfall.core.motion import Skeleton

TRUNK: Final = (
    ("hips", "", (0.0, 0.0, 0.0)),
    ("lowerback", "hips", (0.0, 0.0, 0.0)),
    ("upperback", "lowerback", (0.0, 0.013, 0.116)),
    ("thorax", "upperback", (0.0, 0.0, 0.116)),
    ("lowerneck", "thorax", (0.0, -0.005, 0.116)),
    ("upperneck", "lowerneck", (0.0, -0.012, 0.094)),
    ("head", "upperneck", (0.0, 0.013, 0.094)),
)
"""Joints, their parents, and their offsets from these, meters; faces -Y."""
LIMBS: Final = (
    ("hipjoint", "hips", (0.0, 0.0, 0.0)),
    ("femur", "hipjoint", (0.087, -0.041, -0.1)),
    ("tibia", "femur", (0.138, 0.0, -0.379)),
    ("foot", "tibia", (0.149, 0.0, -0.41)),
    ("toes", "foot", (0.013, -0.123, -0.036)),
    ("clavicle", "thorax", (0.0, -0.005, 0.116)),
    ("humerus", "clavicle", (0.18, 0.023, 0.058)),
    ("radius", "humerus", (0.295, 0.0, 0.0)),
    ("wrist", "radius", (0.205, 0.0, 0.0)),
    ("hand", "wrist", (0.102, 0.0, 0.0)),
    ("fingers", "hand", (0.034, 0.0, 0.0)),
    ("thumb", "wrist", (0.102, 0.0, 0.0)),
)
"""The same of the left side, without the side."""
TIPS: Final = {
    "head": (0.0, 0.006, 0.097),
    "toes": (0.0, -0.064, 0.0),
    "fingers": (0.027, 0.0, 0.0),
    "thumb": (0.028, -0.028, 0.0),
}
"""Ends of the last bones, meters, from their joints."""
TRUNK_ROLES: Final = {
    "hips": "hips",
    "spine": "lowerback",
    "chest": "thorax",
    "neck": "lowerneck",
    "head": "head",
}
LIMB_ROLES: Final = {
    "shoulder": "clavicle",
    "upper_arm": "humerus",
    "forearm": "radius",
    "hand": "wrist",
    "thigh": "femur",
    "shin": "tibia",
    "foot": "foot",
    "toe": "toes",
}


def cmu_person() -> Skeleton:
    """Return the skeleton."""
    rows = [(name, parent, np.array(offset), np.array(TIPS.get(name, (0.0,) * 3))) for name, parent, offset in TRUNK]
    joints = {name for name, _, _ in LIMBS}
    for side, mirror in (("l", [1.0, 1.0, 1.0]), ("r", [-1.0, 1.0, 1.0])):
        for name, parent, offset in LIMBS:
            above = side + parent if parent in joints else parent
            rows.append((side + name, above, np.multiply(mirror, offset), np.multiply(mirror, TIPS.get(name, 0.0))))
    names = [name for name, *_ in rows]
    roles = {role: names.index(joint) for role, joint in TRUNK_ROLES.items()}
    for side in "LR":
        roles |= {f"{role}.{side}": names.index(side.lower() + joint) for role, joint in LIMB_ROLES.items()}
    parents = tuple(names.index(parent) if parent else -1 for _, parent, _, _ in rows)
    offsets, tips = (np.array([row[column] for row in rows]) for column in (2, 3))
    return Skeleton(tuple(names), parents, offsets, tips, roles)

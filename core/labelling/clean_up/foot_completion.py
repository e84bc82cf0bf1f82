"""Foot joints added to legs that end in the shin, at the shin's tip."""

from dataclasses import replace
from typing import Final

import numpy as np

from ...motion import Clip, Skeleton

FOOT_SHIN_ROLES: Final = (
    ("foot.L", "shin.L"),
    ("foot.R", "shin.R"),
    ("front_foot.L", "front_shin.L"),
    ("front_foot.R", "front_shin.R"),
)
"""Roles of each foot and of the shin that carries it."""


def add_missing_feet(clip: Clip) -> Clip:
    """Return the clip with a foot joint added at the end of each shin without one, as is common in animal skeletons.

    It is unchanged if every leg has a foot, or if the end of a shin is unknown.
    """
    skeleton = clip.skeleton
    missing = [
        (role, skeleton.roles[shin])
        for role, shin in FOOT_SHIN_ROLES
        if role not in skeleton.roles and shin in skeleton.roles and skeleton.bone_vectors[skeleton.roles[shin]].any()
    ]
    if not missing:
        return clip
    count = len(skeleton)
    roles = dict(skeleton.roles) | {role: count + number for number, (role, _) in enumerate(missing)}
    shins = [shin for _, shin in missing]
    longer = Skeleton(
        (*skeleton.names, *(f"{skeleton.names[shin]} end" for shin in shins)),
        (*skeleton.parents, *shins),
        np.concatenate([skeleton.offsets, skeleton.bone_vectors[shins]]),
        np.concatenate([skeleton.tips, np.zeros((len(shins), 3))]),
        roles,
    )
    still = np.tile([1.0, 0.0, 0.0, 0.0], (len(clip), len(shins), 1))
    return replace(clip, skeleton=longer, rotations=np.concatenate([clip.rotations, still], axis=1))

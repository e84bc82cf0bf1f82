"""Guesses of a motion file's unit and up axis, which the file itself does not state.

Both are read off the body. A person measures between 0.9 and 1.9 m along the bones from the ankle to the head joint,
whatever the pose, and the common units lie further apart than that; a head is above the feet for most of a clip, and so
are the upper ends of an animal's four legs, whose head is ahead of its hind feet more than above them.
"""

from collections.abc import Collection, Sequence
from typing import Final, Literal

import numpy as np

from .roles import is_quadruped
from .rotations import Array, normalize
from .skeleton import Skeleton

UpAxis = Literal["Y", "Z"]

CENTIMETER_M: Final = 0.01
UNIT_LENGTHS_M: Final = (CENTIMETER_M, 1.0, 0.001, 0.0254 / 0.45, 0.0254, 0.1)
"""Meters in one unit, the likeliest first: centimeter, meter, millimeter, CMU (inch / 0.45), inch, decimeter."""
ANKLE_TO_HEAD_RANGE_M: Final = (0.9, 1.9)
"""Plausible lengths along the bones from ankle over hips to head, from a child to a tall man."""
LONGEST_CHAIN_RANGE_M: Final = (0.2, 5.0)
"""Plausible lengths of the longest chain of bones of a body that is no known biped."""

_UPPER_ROLES: Final = ("head", "neck", "chest", "spine")
_LOWER_ROLES: Final = ("foot.L", "foot.R", "toe.L", "toe.R")
_LEG_TOP_ROLES: Final = ("thigh.L", "thigh.R", "front_thigh.L", "front_thigh.R")
_PAW_ROLES: Final = ("foot.L", "foot.R", "front_foot.L", "front_foot.R")


def find_unit(skeleton: Skeleton) -> float:
    """Return the meters in one unit of a skeleton's offsets; a centimeter if no known unit makes a plausible body."""
    lengths = np.linalg.norm(skeleton.offsets, axis=-1)
    lengths[0] = 0.0
    reach = np.zeros(len(skeleton))
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        reach[joint] = reach[parent] + lengths[joint]
    ends = [skeleton.roles[role] for role in ("foot.L", "foot.R", "head") if role in skeleton.roles]
    if len(ends) == 3 and "hips" in skeleton.roles and not is_quadruped(skeleton.roles):
        size, (low, high) = (
            float(reach[ends[:2]].mean() + reach[ends[2]] - 2 * reach[skeleton.roles["hips"]]),
            ANKLE_TO_HEAD_RANGE_M,
        )
    else:
        size, (low, high) = float(reach.max()), LONGEST_CHAIN_RANGE_M
    return next((unit for unit in UNIT_LENGTHS_M if low <= size * unit <= high), CENTIMETER_M)


def find_up_axis(skeleton: Skeleton, positions: Array) -> UpAxis:
    """Return the file's up axis: the one along which the head, or the tops of four legs, are above the feet.

    The motion counts more than the rest pose, because some rigs lie down at rest; the rest pose decides for a clip of
    lying throughout. In doubt it is Y. A body that lies still on a rig without an upright rest pose is not recognized:
    the caller has to give the axis.

    Args:
        skeleton: its rest offsets show the head above the hips.
        positions: world positions of the joints (F, J, 3), any unit.
    """
    roles = skeleton.roles
    if is_quadruped(roles):
        upper, lower = (_present(skeleton, part) for part in (_LEG_TOP_ROLES, _PAW_ROLES))
        above = -sum((_rest_vector(skeleton, paw, upper) for paw in lower), start=np.zeros(3))
    else:
        upper, lower = _present(skeleton, _UPPER_ROLES)[:1], _present(skeleton, _LOWER_ROLES)
        above = sum((_rest_vector(skeleton, top, [roles.get("hips", 0)]) for top in upper), start=np.zeros(3))
    if not upper or not lower:
        return "Y"
    moving = normalize(positions[:, upper].mean(axis=1) - positions[:, lower].mean(axis=1))
    score = np.maximum(moving, 0.0).mean(axis=0) + 0.8 * np.maximum(normalize(above), 0.0)
    return "Z" if score[2] > score[1] + 0.2 else "Y"


def _present(skeleton: Skeleton, roles: Sequence[str]) -> list[int]:
    """Return the joints of those roles that a skeleton has."""
    return [skeleton.roles[role] for role in roles if role in skeleton.roles]


def _rest_vector(skeleton: Skeleton, joint: int, ancestors: Collection[int]) -> Array:
    """Return where a joint is at rest (3), relative to the nearest of some joints above it, or to the root."""
    vector = np.zeros(3)
    while joint != 0 and joint not in ancestors:
        vector += skeleton.offsets[joint]
        joint = skeleton.parents[joint]
    return vector

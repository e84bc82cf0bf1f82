"""The roles of a rig map as a list for the user: their displayed names and their order."""

from collections.abc import Iterable
from typing import Final

from ...core.motion.roles import LOCOMOTION_ROLES
from ...core.rig.rig_map import roles as rig_roles

SIDE_NAMES: Final = {"L": "Left", "R": "Right"}
TRUNK_ROLES: Final = ("hips", "spine", "spine_2", "spine_3", "neck", "head")
QUADRUPED_REQUIRED_ROLES: Final = ("hips", *(f"{part}.{side}" for side in "LR" for part in ("thigh", "shin")))

_BODY_GROUPS: Final = (
    ("root", "hips", "spine", "neck", "head", "eye", "tail"),
    ("shoulder", "upper_arm", "upper_arm_twist", "forearm", "forearm_twist", "hand", *rig_roles.FINGER_PARTS, "weapon"),
    rig_roles.FRONT_LEG_PARTS,
    ("thigh", "thigh_twist", "shin", "shin_twist", "foot", "toe"),
)
_BODY_POSITIONS: Final = {
    part: (group, place) for group, parts in enumerate(_BODY_GROUPS) for place, part in enumerate(parts)
}


def title(role: str) -> str:
    """Return the name to display for a role.

    >>> title("upper_arm.L"), title("spine_2"), title("forearm_twist_2.R") ('Left Upper Arm', 'Spine 2', 'Right Forearm
    Twist 2')
    """
    part, number, side = rig_roles.split_role(role)
    words = [SIDE_NAMES.get(side, ""), part.replace("_", " ").title(), str(number) if number > 1 else ""]
    return " ".join(word for word in words if word)


def short_title(role: str) -> str:
    """Return a short name to display for a role, with the side as a letter as in Blender's bone names.

    >>> short_title("upper_arm.L"), short_title("spine_2") ('Upper Arm L', 'Spine 2')
    """
    part, number, side = rig_roles.split_role(role)
    return " ".join(word for word in (part.replace("_", " ").title(), str(number) if number > 1 else "", side) if word)


def sort_by_body(roles: Iterable[str]) -> list[str]:
    """Return the roles limb by limb: the trunk, then each arm and each leg from the body outward."""

    def key(role: str) -> tuple[int, str, int, int]:
        part, number, side = rig_roles.split_role(role)
        group, place = _BODY_POSITIONS.get(part, (len(_BODY_GROUPS), 0))
        return group, side, place, number

    return sorted(roles, key=key)


def is_animal(roles: Iterable[str]) -> bool:
    """Return whether the roles are those of a four-legged animal."""
    return any(role.startswith("front_") for role in roles)


def listed_roles(roles: Iterable[str]) -> list[str]:
    """Return the roles to list for a rig map: the roles it has, and those that every body has."""
    present = set(roles)
    limbs = (*(rig_roles.FRONT_LEG_PARTS if is_animal(present) else rig_roles.ARM_PARTS), *rig_roles.LEG_PARTS)
    return sort_by_body(present.union(TRUNK_ROLES, (f"{part}.{side}" for part in limbs for side in rig_roles.SIDES)))


def required_roles(roles: Iterable[str]) -> tuple[str, ...]:
    """Return the roles that a body with these roles needs for walking."""
    return QUADRUPED_REQUIRED_ROLES if is_animal(roles) else LOCOMOTION_ROLES


def addable_roles(roles: Iterable[str]) -> list[str]:
    """Return the roles that can be added: the next one in each chain or finger, twist bones, and missing roles."""
    present = set(roles)
    result: set[str] = {"root"}
    for part in rig_roles.CHAIN_PARTS:
        result.add(rig_roles.join_role(part, _next_in_chain(part, present, "")))
    for side in rig_roles.SIDES:
        result.update(
            rig_roles.join_role(part, _next_in_chain(part, present, side), side) for part in rig_roles.TWIST_PARTS
        )
        result.update(f"{part}.{side}" for part in rig_roles.SIDED_PARTS)
        fingers = (
            rig_roles.join_role(part, _next_in_chain(part, present, side), side) for part in rig_roles.FINGER_PARTS
        )
        result.update(role for role in fingers if rig_roles.is_role(role))
    return sort_by_body(result - present)


def _next_in_chain(part: str, present: set[str], side: str) -> int:
    numbers = (rig_roles.split_role(role)[1] for role in rig_roles.chain_roles(part, present, side))
    return min(max(numbers, default=0) + 1, rig_roles.MAX_CHAIN_LENGTH)

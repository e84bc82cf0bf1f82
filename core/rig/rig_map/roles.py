"""The roles that a rig map assigns to bones, and the hierarchy of roles, which is independent of the bones' parents."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from ...message import Message
from ...motion.roles import FINGER_ROLES, FINGER_WORDS

CENTRAL_PARTS: Final = ("root", "hips", "head")
"""Roles in the middle of the body that have a single bone."""
CHAIN_PARTS: Final = ("spine", "neck", "tail")
"""Roles that may be numbered chains, from the hips outward: ``spine``, ``spine_2``, ``spine_3``."""
ARM_PARTS: Final = ("shoulder", "upper_arm", "forearm", "hand")
"""Parts of an arm, downward."""
WEAPON_PART: Final = "weapon"
"""Bone of a weapon held by a hand."""
EYE_PART: Final = "eye"
"""Bone of an eye, which turns to the gaze target."""
LEG_PARTS: Final = ("thigh", "shin", "foot", "toe")
"""Parts of a leg, downward."""
FRONT_LEG_PARTS: Final = ("front_shoulder", "front_thigh", "front_shin", "front_foot", "front_toe")
"""Parts of a quadruped's front leg, downward."""
SIDED_PARTS: Final = (*ARM_PARTS, *LEG_PARTS, *FRONT_LEG_PARTS, WEAPON_PART, EYE_PART)
"""Parts with a side."""
FINGER_PARTS: Final = tuple(FINGER_WORDS)
"""Fingers, whose bones are numbered from the knuckle outward: ``index.L``, ``index_2.L``."""
TWISTED_PARTS: Final = ("upper_arm", "forearm", "thigh", "shin")
"""Limbs that can have twist bones: ``forearm_twist.L``, ``forearm_twist_2.L``."""
TWIST_PARTS: Final = tuple(f"{limb}_twist" for limb in TWISTED_PARTS)
"""Parts of twist bones."""
PARTS: Final = (*CENTRAL_PARTS, *CHAIN_PARTS, *SIDED_PARTS, *FINGER_PARTS, *TWIST_PARTS)
SIDES: Final = ("L", "R")
"""Suffixes of the left and the right side in roles."""
MAX_CHAIN_LENGTH: Final = 99
"""Largest number of bones in a chain."""

_ROLE_PATTERN: Final = re.compile(r"([a-z_]+?)(?:_([1-9][0-9]?))?(?:\.([LR]))?")


def split_role(role: str) -> tuple[str, int, str]:
    """Split a role into its part, its number in a chain (from 1), and its side (``""`` in the body's middle).

    >>> split_role("spine_2"), split_role("forearm_twist.L"), split_role("hips")
    (('spine', 2, ''), ('forearm_twist', 1, 'L'), ('hips', 1, ''))
    """
    match = _ROLE_PATTERN.fullmatch(role)
    if match is None:
        return role, 1, ""
    part, number, side = match.groups()
    return part, int(number or 1), side or ""


def join_role(part: str, number: int = 1, side: str = "") -> str:
    """Return the role of a body part, such as ``spine_2`` or ``hand.L``.

    Args:
        part: name of the part, such as ``"spine"``.
        number: position in a chain, from 1, which has no suffix.
        side: ``"L"``, ``"R"`` or ``""``.
    """
    return part + (f"_{number}" if number > 1 else "") + (f".{side}" if side else "")


def part_name(part: str) -> str:
    """Return the name of a body part in words, such as ``upper arm`` for ``upper_arm``."""
    return f"{part} finger" if part in ("index", "middle", "ring") else part.replace("_", " ")


def role_phrase(role: str, capital: bool = False) -> Message:
    """Return a role in words for a sentence; ``capital`` makes it fit the beginning of the sentence.

    >>> role_phrase("upper_arm.L"), role_phrase("spine_2", capital=True)
    ('the left upper arm', 'The spine 2')
    """
    part, number, side = split_role(role)
    name = Message(part_name(part))
    if number > 1:
        name = Message("{name} {number}", name=name, number=number)
    if side == "L":
        return Message("The left {name}" if capital else "the left {name}", name=name)
    if side == "R":
        return Message("The right {name}" if capital else "the right {name}", name=name)
    return Message("The {name}" if capital else "the {name}", name=name)


def number_roles(part: str, bones: Sequence[int]) -> dict[str, int]:
    """Return the bone indices of a chain by role, numbered in their order; further ones than 99 are omitted."""
    return {join_role(part, place + 1): bone for place, bone in enumerate(bones[:MAX_CHAIN_LENGTH])}


def is_role(text: str) -> bool:
    """Return whether a text is a role that a rig map may contain."""
    part, number, side = split_role(text)
    if text != join_role(part, number, side):
        return False
    if text in FINGER_ROLES:
        return True
    if side:
        return part in TWIST_PARTS or (part in SIDED_PARTS and number == 1)
    return part in CHAIN_PARTS or (part in CENTRAL_PARTS and number == 1)


def chain_roles(part: str, roles: Iterable[str], side: str = "") -> tuple[str, ...]:
    """Return those of ``roles`` that form the numbered chain of a part, from the hips outward.

    Args:
        part: name of the part, such as ``"spine"``.
        roles: roles of any parts.
        side: ``"L"``, ``"R"`` or ``""``.
    """
    found = [role for role in roles if split_role(role)[::2] == (part, side)]
    return tuple(sorted(found, key=lambda role: split_role(role)[1]))


def sort_roles(roles: Iterable[str]) -> tuple[str, ...]:
    """Return the roles sorted from the hips outward, each after its parent."""
    rank = {
        part: place
        for place, part in enumerate(
            ("root", "hips", "spine", "neck", "head", "tail", *SIDED_PARTS, *FINGER_PARTS, *TWIST_PARTS)
        )
    }

    def key(role: str) -> tuple[int, str, int, str]:
        """Return the key that sorts roles by depth in the hierarchy, then by part, number and side."""
        part, number, side = split_role(role)
        return rank.get(part, len(rank)), side, number, role

    return tuple(sorted(roles, key=key))


def parent_role(role: str, roles: Iterable[str]) -> str | None:
    """Return the nearest ancestor of a role that is among ``roles``; ``None`` for the hips.

    Nothing descends from ``root``.
    """
    present = set(roles)
    part, number, side = split_role(role)
    if part in ("root", "hips"):
        return None
    if part in TWIST_PARTS:
        return _first_present(
            [join_role(part.removesuffix("_twist"), 1, side), *_limb_parents(part.removesuffix("_twist"), side)],
            present,
        )
    if part in FINGER_PARTS:
        nearer = [join_role(part, earlier, side) for earlier in range(number - 1, 0, -1)]
        hand = join_role("hand", 1, side)
        return _first_present([*nearer, hand, *_limb_parents("hand", side)], present)
    if number > 1:
        before = [join_role(part, earlier) for earlier in range(number - 1, 0, -1)]
        return _first_present([*before, *_trunk_parents(part)], present)
    return _first_present(_limb_parents(part, side) if side else _trunk_parents(part), present)


_SPINE_ROLES: Final = [join_role("spine", number) for number in range(MAX_CHAIN_LENGTH, 0, -1)]
_NECK_ROLES: Final = [join_role("neck", number) for number in range(MAX_CHAIN_LENGTH, 0, -1)]


def _trunk_parents(part: str) -> list[str]:
    """Return the possible parents of a central part, the nearest first."""
    return [*{"head": [*_NECK_ROLES, *_SPINE_ROLES], "neck": _SPINE_ROLES}.get(part, []), "hips"]


def _limb_parents(part: str, side: str) -> list[str]:
    """Return the possible parents of a sided part, the nearest first."""
    if part == EYE_PART:
        return ["head", *_trunk_parents("head")]
    limb = next(limb for limb in ((*ARM_PARTS, WEAPON_PART), LEG_PARTS, FRONT_LEG_PARTS) if part in limb)
    nearer = [join_role(other, 1, side) for other in reversed(limb[: limb.index(part)])]
    return [*nearer, *([] if limb is LEG_PARTS else _SPINE_ROLES), "hips"]


def _first_present(candidates: list[str], present: set[str]) -> str | None:
    """Return the first candidate that is present; ``None`` if none is."""
    return next((role for role in candidates if role in present), None)

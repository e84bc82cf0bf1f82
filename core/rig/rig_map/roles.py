"""The roles that a rig map binds to bones, and how they hang together, whatever the bones' own parents are."""

import re
from collections.abc import Iterable
from typing import Final

CENTRAL_PARTS: Final = ("root", "hips", "head")
CHAIN_PARTS: Final = ("spine", "neck", "tail")
"""Roles of which there may be several in a row: ``spine``, ``spine_2``, ``spine_3`` ..., from the hips outwards."""
ARM_PARTS: Final = ("shoulder", "upper_arm", "forearm", "hand")
LEG_PARTS: Final = ("thigh", "shin", "foot", "toe")
FRONT_LEG_PARTS: Final = ("front_shoulder", "front_thigh", "front_shin", "front_foot", "front_toe")
SIDED_PARTS: Final = (*ARM_PARTS, *LEG_PARTS, *FRONT_LEG_PARTS)
TWISTED_PARTS: Final = ("upper_arm", "forearm", "thigh", "shin")
"""Limbs that may have bones which only take a share of their twist: ``forearm_twist.L``, ``forearm_twist_2.L`` ..."""
TWIST_PARTS: Final = tuple(f"{limb}_twist" for limb in TWISTED_PARTS)
SIDES: Final = ("L", "R")
MAX_CHAIN_LENGTH: Final = 99

_ROLE_PATTERN: Final = re.compile(r"([a-z_]+?)(?:_([1-9][0-9]?))?(?:\.([LR]))?")


def split_role(role: str) -> tuple[str, int, str]:
    """Return a role's part, which one of its chain it is, from 1, and its side, ``""`` in the body's middle.

    >>> split("spine_2"), split("forearm_twist.L"), split("hips")
    (('spine', 2, ''), ('forearm_twist', 1, 'L'), ('hips', 1, ''))
    """
    match = _ROLE_PATTERN.fullmatch(role)
    if match is None:
        return role, 1, ""
    part, number, side = match.groups()
    return part, int(number or 1), side or ""


def join_role(part: str, number: int = 1, side: str = "") -> str:
    """Return the role of a part: the inverse of :func:`split_role`."""
    return part + (f"_{number}" if number > 1 else "") + (f".{side}" if side else "")


def is_role(text: str) -> bool:
    """Whether a rig map may bind this."""
    part, number, side = split_role(text)
    if text != join_role(part, number, side):
        return False
    if side:
        return part in TWIST_PARTS or (part in SIDED_PARTS and number == 1)
    return part in CHAIN_PARTS or (part in CENTRAL_PARTS and number == 1)


def chain_roles(part: str, roles: Iterable[str], side: str = "") -> tuple[str, ...]:
    """Those of ``roles`` that make a chain, from the hips outwards."""
    found = [role for role in roles if split_role(role)[::2] == (part, side)]
    return tuple(sorted(found, key=lambda role: split_role(role)[1]))


def sort_roles(roles: Iterable[str]) -> tuple[str, ...]:
    """Return the roles from the hips outwards: every role after the one that it hangs on."""
    rank = {
        part: place
        for place, part in enumerate(("root", "hips", "spine", "neck", "head", "tail", *SIDED_PARTS, *TWIST_PARTS))
    }

    def key(role: str) -> tuple[int, str, int, str]:
        part, number, side = split_role(role)
        return rank.get(part, len(rank)), side, number, role

    return tuple(sorted(roles, key=key))


def parent_role(role: str, roles: Iterable[str]) -> str | None:
    """Return the one of ``roles`` that a role hangs on; roles that are missing are skipped over, and ``root`` carries
    none.
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
    if number > 1:
        before = [join_role(part, earlier) for earlier in range(number - 1, 0, -1)]
        return _first_present([*before, *_trunk_parents(part)], present)
    return _first_present(_limb_parents(part, side) if side else _trunk_parents(part), present)


_SPINE_ROLES: Final = [join_role("spine", number) for number in range(MAX_CHAIN_LENGTH, 0, -1)]
_NECK_ROLES: Final = [join_role("neck", number) for number in range(MAX_CHAIN_LENGTH, 0, -1)]


def _trunk_parents(part: str) -> list[str]:
    """What a centred part hangs on, the nearest first."""
    return [*{"head": [*_NECK_ROLES, *_SPINE_ROLES], "neck": _SPINE_ROLES}.get(part, []), "hips"]


def _limb_parents(part: str, side: str) -> list[str]:
    """What a sided part hangs on, the nearest first."""
    limb = next(limb for limb in (ARM_PARTS, LEG_PARTS, FRONT_LEG_PARTS) if part in limb)
    nearer = [join_role(other, 1, side) for other in reversed(limb[: limb.index(part)])]
    return [*nearer, *([] if limb is LEG_PARTS else _SPINE_ROLES), "hips"]


def _first_present(candidates: list[str], present: set[str]) -> str | None:
    return next((role for role in candidates if role in present), None)

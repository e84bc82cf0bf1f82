"""The roles that a rig map binds to bones, and how they hang together, whatever the bones' own parents are."""

import re
from collections.abc import Iterable
from typing import Final

CENTRED: Final = ("root", "hips", "head")
CHAINS: Final = ("spine", "neck", "tail")
"""Roles of which there may be several in a row: ``spine``, ``spine_2``, ``spine_3`` ..., from the hips outwards."""
ARM: Final = ("shoulder", "upper_arm", "forearm", "hand")
LEG: Final = ("thigh", "shin", "foot", "toe")
FRONT_LEG: Final = ("front_shoulder", "front_thigh", "front_shin", "front_foot", "front_toe")
SIDED: Final = (*ARM, *LEG, *FRONT_LEG)
TWISTED: Final = ("upper_arm", "forearm", "thigh", "shin")
"""Limbs that may have bones which only take a share of their twist: ``forearm_twist.L``, ``forearm_twist_2.L`` ..."""
TWISTS: Final = tuple(f"{limb}_twist" for limb in TWISTED)
SIDES: Final = ("L", "R")
LONGEST_CHAIN: Final = 99

_ROLE: Final = re.compile(r"([a-z_]+?)(?:_([1-9][0-9]?))?(?:\.([LR]))?")


def split(role: str) -> tuple[str, int, str]:
    """A role's part, which one of its chain it is, from 1, and its side, ``""`` in the body's middle.

    >>> split("spine_2"), split("forearm_twist.L"), split("hips")
    (('spine', 2, ''), ('forearm_twist', 1, 'L'), ('hips', 1, ''))
    """
    match = _ROLE.fullmatch(role)
    if match is None:
        return role, 1, ""
    part, number, side = match.groups()
    return part, int(number or 1), side or ""


def join(part: str, number: int = 1, side: str = "") -> str:
    """The role of a part: the inverse of :func:`split`."""
    return part + (f"_{number}" if number > 1 else "") + (f".{side}" if side else "")


def is_role(text: str) -> bool:
    """Whether a rig map may bind this."""
    part, number, side = split(text)
    if text != join(part, number, side):
        return False
    if side:
        return part in TWISTS or (part in SIDED and number == 1)
    return part in CHAINS or (part in CENTRED and number == 1)


def chain(part: str, roles: Iterable[str], side: str = "") -> tuple[str, ...]:
    """Those of ``roles`` that make a chain, from the hips outwards."""
    found = [role for role in roles if split(role)[::2] == (part, side)]
    return tuple(sorted(found, key=lambda role: split(role)[1]))


def ordered(roles: Iterable[str]) -> tuple[str, ...]:
    """The roles from the hips outwards: every role after the one that it hangs on."""
    rank = {
        part: place for place, part in enumerate(("root", "hips", "spine", "neck", "head", "tail", *SIDED, *TWISTS))
    }

    def key(role: str) -> tuple[int, str, int, str]:
        part, number, side = split(role)
        return rank.get(part, len(rank)), side, number, role

    return tuple(sorted(roles, key=key))


def above(role: str, roles: Iterable[str]) -> str | None:
    """The one of ``roles`` that a role hangs on; roles that are missing are skipped over, and ``root`` carries none."""
    present = set(roles)
    part, number, side = split(role)
    if part in ("root", "hips"):
        return None
    if part in TWISTS:
        return _first(
            [join(part.removesuffix("_twist"), 1, side), *_limb_above(part.removesuffix("_twist"), side)], present
        )
    if number > 1:
        before = [join(part, earlier) for earlier in range(number - 1, 0, -1)]
        return _first([*before, *_trunk_above(part)], present)
    return _first(_limb_above(part, side) if side else _trunk_above(part), present)


_SPINE: Final = [join("spine", number) for number in range(LONGEST_CHAIN, 0, -1)]
_NECK: Final = [join("neck", number) for number in range(LONGEST_CHAIN, 0, -1)]


def _trunk_above(part: str) -> list[str]:
    """What a centred part hangs on, the nearest first."""
    return [*{"head": [*_NECK, *_SPINE], "neck": _SPINE}.get(part, []), "hips"]


def _limb_above(part: str, side: str) -> list[str]:
    """What a sided part hangs on, the nearest first."""
    limb = next(limb for limb in (ARM, LEG, FRONT_LEG) if part in limb)
    nearer = [join(other, 1, side) for other in reversed(limb[: limb.index(part)])]
    return [*nearer, *([] if limb is LEG else _SPINE), "hips"]


def _first(candidates: list[str], present: set[str]) -> str | None:
    return next((role for role in candidates if role in present), None)

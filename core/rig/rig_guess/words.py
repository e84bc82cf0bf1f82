"""Roles by the words in bones' names: ``LeftUpperLeg``, ``Bip01 R Calf``, ``upperarm.r``."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..rig_map import roles as rig_roles
from ..rig_map.bone_names import plain
from .body_tree import BodyTree
from .twists import read_twists
from .vocabulary import CENTRED, CHAINED, FRONT, HIND, JOINTS, LEFT, NOISE, OTHER, RIGHT, SIDED

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_WORDS: Final = frozenset(word for words in (*SIDED.values(), *CENTRED.values(), *CHAINED.values()) for word in words)

FRONT_PARTS: Final = {
    **{part: f"front_{part}" for part in ("shoulder", "thigh", "shin", "foot", "toe")},
    "upper_arm": "front_thigh",
    "forearm": "front_shin",
    "hand": "front_foot",
}
"""What a part is called at the front leg."""


@dataclass(frozen=True, slots=True)
class Name:
    """What a bone's name says.

    Attributes:
        side: ``"L"``, ``"R"`` or ``""``.
        word: the part, in lower case.
        end: ``"front"``, ``"hind"`` or ``""``.
    """

    side: str
    word: str
    end: str = ""


def read_name(name: str) -> Name | None:
    """What a bone's name says; ``None`` where it names no part of a body's frame.

    >>> read_name("mixamorig:LeftUpLeg"), read_name("lfemur"), read_name("hand_ik.L")
    (Name(side='L', word='upleg', end=''), Name(side='L', word='femur', end=''), None)
    """
    words = [word.lower() for word in _WORD.findall(plain(name)) if not word.isdigit()]
    words = list(_sides_apart(words))
    if OTHER & set(words):
        return None
    sides = {"L" if word in LEFT else "R" for word in words if word in LEFT | RIGHT}
    if len(sides) > 1:
        return None
    rest = [word for word in words if word not in LEFT | RIGHT | NOISE]
    ends = [word for word in rest if word in FRONT | HIND] if len(rest) > 1 else []
    word = "".join(word for word in rest if word not in ends)
    side = sides.pop() if sides else ""
    whole = "".join(rest)
    if whole in _WORDS:
        return Name(side, whole)
    return Name(side, word, "front" if FRONT & set(ends) else "hind") if ends and word in _WORDS else None


def _sides_apart(words: Sequence[str]) -> Iterator[str]:
    """Words, with ``lfemur`` and ``左足`` as two."""
    for word in words:
        if word not in _WORDS and word[:1] in LEFT | RIGHT and word[1:] in _WORDS:
            yield from (word[0], word[1:])
        else:
            yield word


def read_words(tree: BodyTree, shape: Mapping[str, int]) -> dict[str, int]:
    """Roles that names tell, to bones: of several, the one that the shape tells too, else the one of the clearest word.

    Args:
        tree: the bones that carry the body; what is called by a part's name and carries none is a control.
        shape: the roles that the shape tells.
    """
    names = {bone: name for bone in tree.kept if (name := read_name(tree.rig.names[bone]))}
    front = {name.side for name in names.values() if name.end == "front"} >= {"L", "R"}
    roles: dict[str, int] = {}
    for part in SIDED:
        for side in rig_roles.SIDES:
            for end in ("", "front") if front else ("",):
                role = FRONT_PARTS.get(part, part) if end else part
                said = [bone for bone in _said(names, part, side, end) if bone not in roles.values()]
                if said and not (end and part in ("thigh", "shin", "shoulder") and role in roles):
                    roles[f"{role}.{side}"] = _chosen(said, shape.get(f"{role}.{side}"))
    if "front_thigh.L" in shape:
        roles = {role if _on_four_legs(role) in roles else _on_four_legs(role): bone for role, bone in roles.items()}
    heads = _centred(names, CENTRED["head"])
    if heads:
        roles["head"] = _chosen(heads, shape.get("head"))
    hips = [bone for bone in _centred(names, CENTRED["hips"]) if _carries_all(tree, bone, roles)]
    if hips:
        roles["hips"] = _chosen(hips, shape.get("hips"))
    elif "hips" in shape and shape["hips"] not in roles.values():
        roles["hips"] = shape["hips"]
    roles |= _trunk(tree, names, roles)
    return roles | read_twists(tree, roles)


def _said(names: Mapping[int, Name], part: str, side: str, end: str) -> list[int]:
    """The bones whose names say a sided part, the clearest first."""
    words = _words_for(names, part)
    found = [
        (words.index(name.word), bone)
        for bone, name in names.items()
        if name.side == side and name.word in words and (name.end == "front") == (end == "front")
    ]
    return [bone for _, bone in sorted(found)]


def _words_for(names: Mapping[int, Name], part: str) -> tuple[str, ...]:
    """The words for a sided part in this armature, the clearest first."""
    spoken = {name.word for name in names.values() if name.side}
    words = SIDED[part]
    if {"elbow", "knee"} <= spoken:
        # Shoulders and hips are joints then, not the bones before them; they are the clearest words for their limbs.
        joints = tuple(word for word, means in JOINTS.items() if means == part)
        words = joints + tuple(word for word in words if word not in JOINTS)
    if part in ("thigh", "shin") and not spoken & set(SIDED["thigh"]):
        return ("leg",) if part == "thigh" else tuple(word for word in words if word != "leg")
    return words


def _chosen(bones: Sequence[int], seen: int | None) -> int:
    return seen if seen is not None and seen in bones else bones[0]


def _on_four_legs(role: str) -> str:
    """Arms are front legs where the shape says so."""
    part, _, side = role.partition(".")
    return f"{FRONT_PARTS[part]}.{side}" if part in ("shoulder", "upper_arm", "forearm", "hand") else role


def _centred(names: Mapping[int, Name], words: Sequence[str]) -> list[int]:
    """The bones in the body's middle whose names say one of some words, the clearest first."""
    found = [(words.index(name.word), bone) for bone, name in names.items() if not name.side and name.word in words]
    return [bone for _, bone in sorted(found)]


def _carries_all(tree: BodyTree, bone: int, roles: Mapping[str, int]) -> bool:
    """Whether a bone carries legs and head, as hips do; a pelvis beside the spine does not."""
    carried = [roles[role] for role in ("thigh.L", "thigh.R", "head") if role in roles]
    return all(bone in tree.path_up(one) for one in carried)


def _trunk(tree: BodyTree, names: Mapping[int, Name], roles: Mapping[str, int]) -> dict[str, int]:
    """Spine, neck and tail: what lies between hips, shoulders and head; else what is called so."""
    found: dict[str, int] = {}
    used = set(roles.values())
    top = _top(tree, roles)
    hips = roles.get("hips")
    if top is not None and hips is not None and hips in tree.path_up(top):
        # Shoulders may hang on the neck, as in 3ds Max.
        while top in names and names[top].word in CHAINED["neck"] and tree.parents[top] != hips:
            top = tree.parents[top]
        up = tree.path_up(top)
        found |= _numbered("spine", [bone for bone in reversed(up[: up.index(hips)]) if bone not in used])
        head = tree.path_up(roles["head"]) if "head" in roles else []
        if top in head:
            found |= _numbered("neck", [bone for bone in reversed(head[1 : head.index(top)]) if bone not in used])
    for part, words in CHAINED.items():
        if part not in found:
            called = [bone for bone in _centred(names, words) if bone not in {*used, *found.values()}]
            called.sort(key=lambda bone: (len(tree.path_up(bone)), tree.rig.names[bone]))
            found |= _numbered(part, called)
    return found


def _top(tree: BodyTree, roles: Mapping[str, int]) -> int | None:
    """The bone that carries both arms, or front legs."""
    for part in ("shoulder", "upper_arm", "front_shoulder", "front_thigh"):
        if {f"{part}.L", f"{part}.R"} <= set(roles):
            other = set(tree.path_up(roles[f"{part}.R"])[1:])
            return next((bone for bone in tree.path_up(roles[f"{part}.L"])[1:] if bone in other), None)
    return None


def _numbered(part: str, bones: Sequence[int]) -> dict[str, int]:
    return {rig_roles.join(part, place + 1): bone for place, bone in enumerate(bones[: rig_roles.LONGEST_CHAIN])}

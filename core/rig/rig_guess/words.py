"""Roles from the words in bones' names: ``LeftUpperLeg``, ``Bip01 R Calf``, ``upperarm.r``."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...motion.roles import HELPER_PREFIX
from ..rig_map import roles as rig_roles
from ..rig_map.bone_names import strip_namespace
from .body_tree import BodyTree
from .twists import read_twists
from .vocabulary import (
    CENTER_WORDS,
    CENTRAL_PART_WORDS,
    CHAIN_PART_WORDS,
    EXCLUDING_WORDS,
    FRONT_WORDS,
    HIND_WORDS,
    JOINT_WORDS,
    LEFT_WORDS,
    NOISE_WORDS,
    RIGHT_WORDS,
    SIDED_PART_WORDS,
)

_WORD_PATTERN: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_PART_WORDS: Final = frozenset(
    word
    for words in (*SIDED_PART_WORDS.values(), *CENTRAL_PART_WORDS.values(), *CHAIN_PART_WORDS.values())
    for word in words
)

FRONT_LEG_PARTS: Final = {
    **{part: f"front_{part}" for part in ("shoulder", "thigh", "shin", "foot", "toe")},
    "upper_arm": "front_thigh",
    "forearm": "front_shin",
    "hand": "front_foot",
}
"""Role of each part of a front leg, by the role of the arm or leg part with the same words."""


@dataclass(frozen=True, slots=True)
class ParsedName:
    """A bone's name, parsed.

    Attributes:
        side: ``"L"``, ``"R"`` or ``""``.
        word: the word for the body part, in lower case.
        end: ``"front"`` or ``"hind"`` for legs so named, else ``""``.
    """

    side: str
    word: str
    end: str = ""


def parse_name(name: str) -> ParsedName | None:
    """Return the side and the body part that a bone's name tells; ``None`` if it is not the name of a body part.

    >>> parse_name("mixamorig:LeftUpLeg"), parse_name("hand_ik.L")
    (ParsedName(side='L', word='upleg', end=''), None)
    """
    bare = strip_namespace(name)
    if bare.startswith(HELPER_PREFIX):
        return None
    words = [word.lower() for word in _WORD_PATTERN.findall(bare) if not word.isdigit()]
    words = list(_split_side_prefix(words))
    if EXCLUDING_WORDS & set(words):
        return None
    sides = {"L" if word in LEFT_WORDS else "R" for word in words if word in LEFT_WORDS | RIGHT_WORDS}
    if len(sides) > 1:
        return None
    rest = [word for word in words if word not in LEFT_WORDS | RIGHT_WORDS | NOISE_WORDS]
    ends = [word for word in rest if word in FRONT_WORDS | HIND_WORDS] if len(rest) > 1 else []
    word = "".join(word for word in rest if word not in ends)
    side = sides.pop() if sides else ""
    whole = "".join(rest)
    if whole in _PART_WORDS:
        return ParsedName(side, whole)
    return (
        ParsedName(side, word, "front" if FRONT_WORDS & set(ends) else "hind") if ends and word in _PART_WORDS else None
    )


def _split_side_prefix(words: Sequence[str]) -> Iterator[str]:
    """Yield the words, splitting a word with a side prefix, such as ``lfemur`` or ``左足``, in two."""
    for word in words:
        if word not in _PART_WORDS and word[:1] in LEFT_WORDS | RIGHT_WORDS and word[1:] in _PART_WORDS:
            yield from (word[0], word[1:])
        else:
            yield word


def read_names(tree: BodyTree, shape: Mapping[str, int]) -> dict[str, int]:
    """Return the indices of bones by role, found by the words in their names.

    Of several candidates, the one that shape confirms is chosen, or else the one with the clearest word.

    Args:
        tree: the bones that deform the body; other bones named like parts are controls.
        shape: indices of bones by role, as found by shape.
    """
    names = {bone: name for bone in tree.bones if (name := parse_name(tree.rig.names[bone]))}
    front = {name.side for name in names.values() if name.end == "front"} >= {"L", "R"}
    roles: dict[str, int] = {}
    for part in SIDED_PART_WORDS:
        for side in rig_roles.SIDES:
            for end in ("", "front") if front else ("",):
                role = FRONT_LEG_PARTS.get(part, part) if end else part
                named = [bone for bone in _bones_named(names, part, side, end) if bone not in roles.values()]
                if named and not (end and part in ("thigh", "shin", "shoulder") and role in roles):
                    roles[f"{role}.{side}"] = _choose_bone(named, shape.get(f"{role}.{side}"))
    if "front_thigh.L" in shape:
        roles = {
            role if _front_leg_role(role) in roles else _front_leg_role(role): bone for role, bone in roles.items()
        }
    heads = _central_bones(names, CENTRAL_PART_WORDS["head"])
    if heads:
        roles["head"] = _choose_bone(heads, shape.get("head"))
    hips = _hips_bones(tree, names, roles)
    if hips:
        roles["hips"] = _choose_bone(hips, shape.get("hips"))
    elif "hips" in shape and shape["hips"] not in roles.values():
        roles["hips"] = shape["hips"]
    roles |= _trunk_roles(tree, names, roles)
    return roles | read_twists(tree, roles)


def _bones_named(names: Mapping[int, ParsedName], part: str, side: str, end: str) -> list[int]:
    """Return the bones with the name of a sided part, the clearest first."""
    words = _part_words(names, part)
    found = [
        (words.index(name.word), bone)
        for bone, name in names.items()
        if name.side == side and name.word in words and (name.end == "front") == (end == "front")
    ]
    return [bone for _, bone in sorted(found)]


def _part_words(names: Mapping[int, ParsedName], part: str) -> tuple[str, ...]:
    """Return the words that mean a sided part in this armature, the clearest first."""
    sided_words = {name.word for name in names.values() if name.side}
    words = SIDED_PART_WORDS[part]
    if {"elbow", "knee"} <= sided_words:
        # Then "shoulder" and "hip" name joints, not the bones that end there, and are the clearest words of their limb.
        joints = {
            word: limb
            for word, limb in JOINT_WORDS.items()
            if not sided_words & {other for other in SIDED_PART_WORDS[limb] if other not in JOINT_WORDS}
        }
        first = tuple(word for word, limb in joints.items() if limb == part)
        words = first + tuple(word for word in words if word not in joints)
    if part in ("thigh", "shin") and not sided_words & set(SIDED_PART_WORDS["thigh"]):
        return ("leg",) if part == "thigh" else tuple(word for word in words if word != "leg")
    return words


def _choose_bone(bones: Sequence[int], shape_bone: int | None) -> int:
    """Return the bone found by shape if it is one of ``bones``, otherwise the first of these."""
    return shape_bone if shape_bone is not None and shape_bone in bones else bones[0]


def _front_leg_role(role: str) -> str:
    """Convert an arm's role to that of a front leg; other roles are returned unchanged."""
    part, _, side = role.partition(".")
    return f"{FRONT_LEG_PARTS[part]}.{side}" if part in ("shoulder", "upper_arm", "forearm", "hand") else role


def _central_bones(names: Mapping[int, ParsedName], words: Sequence[str]) -> list[int]:
    """Return the bones without a side whose names contain one of the words, the clearest first."""
    found = [(words.index(name.word), bone) for bone, name in names.items() if not name.side and name.word in words]
    return [bone for _, bone in sorted(found)]


def _hips_bones(tree: BodyTree, names: Mapping[int, ParsedName], roles: Mapping[str, int]) -> list[int]:
    """Return the bones named as hips, the likeliest first.

    The hips are an ancestor of both thighs; a sibling pelvis is not. They need not be an ancestor of the spine: in some
    rigs both are children of a bone that only moves the body.
    """
    thighs = [roles[role] for role in ("thigh.L", "thigh.R") if role in roles]
    named = _central_bones(names, CENTRAL_PART_WORDS["hips"])
    if not thighs or not all(f"thigh.{side}" in roles for side in rig_roles.SIDES):
        thighs += [roles["head"]] if "head" in roles else []
    carrying = [bone for bone in named if all(bone in tree.path_to_root(end) for end in thighs)]
    return [bone for bone in carrying if names[bone].word not in CENTER_WORDS] or carrying


def _trunk_roles(tree: BodyTree, names: Mapping[int, ParsedName], roles: Mapping[str, int]) -> dict[str, int]:
    """Return the bones of spine, neck and tail: those between hips, shoulders and head, or else those so named."""
    found: dict[str, int] = {}
    used = set(roles.values())
    top = _limb_carrier(tree, roles)
    hips = roles.get("hips")
    if top is not None and hips is not None and top != hips:
        # The neck may be the parent of the shoulders, as in 3ds Max.
        while top in names and names[top].word in CHAIN_PART_WORDS["neck"] and tree.parents[top] not in (hips, -1):
            top = tree.parents[top]
        spine = _spine_chain(tree, names, hips, top)
        found |= rig_roles.number_roles("spine", [bone for bone in spine if bone not in used])
        head = tree.path_to_root(roles["head"]) if "head" in roles else []
        if top in head:
            neck = [bone for bone in reversed(head[1 : head.index(top)]) if bone not in used]
            found |= rig_roles.number_roles("neck", neck)
    for part, words in CHAIN_PART_WORDS.items():
        if part not in found:
            named = [bone for bone in _central_bones(names, words) if bone not in {*used, *found.values()}]
            named.sort(key=lambda bone: (len(tree.path_to_root(bone)), tree.rig.names[bone]))
            found |= rig_roles.number_roles(part, named)
    return found


def _spine_chain(tree: BodyTree, names: Mapping[int, ParsedName], hips: int, top: int) -> list[int]:
    """Return the bones from the hips, or from the parent that hips and spine share, to the arms' common ancestor."""
    below = set(tree.path_to_root(hips))
    chain = [bone for bone in reversed(tree.path_to_root(top)) if bone not in below]
    if tree.parents[chain[0]] == hips:
        return chain
    # Between that bone and the spine, others may move the body; only names distinguish them from the spine.
    words = (*CHAIN_PART_WORDS["spine"], *CHAIN_PART_WORDS["neck"])
    first = next((place for place, bone in enumerate(chain) if bone in names and names[bone].word in words), 0)
    return chain[first:]


def _limb_carrier(tree: BodyTree, roles: Mapping[str, int]) -> int | None:
    """Return the nearest common ancestor of both arms or both front legs."""
    for part in ("shoulder", "upper_arm", "front_shoulder", "front_thigh"):
        if {f"{part}.L", f"{part}.R"} <= set(roles):
            other = set(tree.path_to_root(roles[f"{part}.R"])[1:])
            return next((bone for bone in tree.path_to_root(roles[f"{part}.L"])[1:] if bone in other), None)
    return None

"""Roles: which body part a joint is, whatever its name. Code uses roles, never names.

``guess_roles`` knows the joint names of CMU (ASF/AMC and cgspeed), ACCAD, Mixamo, LaFAN, XSens and the like, by
reducing every name to a side and a plain word; full rig maps are in ``core/rig``.

Quadrupeds have ``thigh``, ``shin``, ``foot`` and ``toe`` at the hind legs, ``front_shoulder``, ``front_thigh``,
``front_shin``, ``front_foot`` and ``front_toe`` at the front ones, and no arms. A leg that ends in a bone without a
joint at the paw has no ``foot``: the paw is the tip of its shin.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

SIDED_ROLE_WORDS: Final = {
    # Before "shoulder": in skeletons that name joints and not bones, the upper arm begins at the joint called shoulder.
    "upper_arm": ("humerus", "arm", "upperarm", "shldr", "uparm", "shoulder"),
    "shoulder": ("clavicle", "collar", "shoulder"),
    "forearm": ("radius", "forearm", "lowerarm", "lowarm", "elbow"),
    "hand": ("wrist", "hand"),
    "thigh": ("femur", "upleg", "thigh", "upperleg", "hip", "upleg1"),
    "shin": ("tibia", "leg", "shin", "lowerleg", "calf", "lowleg", "knee"),
    "foot": ("foot", "ankle"),
    "toe": ("toes", "toebase", "toe", "toe0", "ball"),
}
"""Words in joint names by role, for roles with a side; the first word found decides."""
CENTRAL_ROLE_WORDS: Final = {
    "hips": ("hips", "hip", "pelvis", "root"),
    "spine": ("lowerback", "spine", "abdomen", "tospine", "waist", "spine01", "spine1", "l5"),
    "chest": ("thorax", "chest", "upperchest", "spine3", "spine03", "spine2", "spine02", "spine1", "t8"),
    "neck": ("lowerneck", "neck", "neck1", "neck01", "necktwist01"),
    "head": ("head",),
}
"""Words in joint names by role, for roles without a side; the first word found decides."""
_FRONT_WORDS: Final = ("front", "fore")
_HIND_WORDS: Final = ("back", "hind", "rear")
_LEG_PART_WORDS: Final = {
    "thigh": ("thigh", "upperleg", "upleg", "legupper", "leg"),
    "shin": ("shin", "lowerleg", "lowleg", "leglower", "calf"),
    "foot": ("foot", "paw", "hoof", "ankle"),
    "toe": ("toe", "toes"),
}
FRONT_LEG_WORDS: Final = {
    **{
        f"front_{part}": tuple(at + word for word in words for at in _FRONT_WORDS)
        for part, words in _LEG_PART_WORDS.items()
    },
    "front_shoulder": ("frontshoulder", "frontscapula", "frontclavicle", "scapula", "shoulder", "clavicle"),
}
"""Words in joint names by role, for the front legs of quadrupeds."""
HIND_LEG_WORDS: Final = {
    part: (*SIDED_ROLE_WORDS[part], *(at + word for word in words for at in _HIND_WORDS))
    for part, words in _LEG_PART_WORDS.items()
}
"""Words in joint names by role, for the hind legs of quadrupeds."""
HELPER_PREFIX: Final = "__"
"""Beginning of the names of joints that only carry another one, such as MakeHuman's ``__UpLeg_L``."""
LEG_PARTS: Final = ("thigh", "shin", "foot", "toe")
"""Parts of a leg, downward."""
WEAPON_ROLES: Final = {f"hand.{side}": f"weapon.{side}" for side in "LR"}
"""Role of the weapon bone by role of the hand that holds it."""
WEAPON_WORDS: Final = (
    *("weapon", "sword", "blade", "katana", "saber", "sabre", "rapier", "dagger", "knife", "axe", "mace", "hammer"),
    *("spear", "staff", "stick", "prop"),
)
"""Words in the names of bones of weapons."""
FINGER_WORDS: Final = {
    "thumb": ("thumb",),
    "index": ("index",),
    "middle": ("middle", "mid"),
    "ring": ("ring",),
    "pinky": ("pinky", "little"),
    "fingers": ("fingers",),
}
"""Words in the names of bones of fingers, by part; *fingers* is one bone for all but the thumb."""
FINGER_BONES: Final = 3
"""Largest number of a finger's bones, from the knuckle outward."""
FINGER_ROLES: Final = {
    f"{part}{number}.{side}": f"hand.{side}"
    for side in "LR"
    for part in FINGER_WORDS
    for number in ("", *(f"_{place}" for place in range(2, FINGER_BONES + 1) if part != "fingers"))
}
"""Role of the hand by role of each finger bone, such as ``index_2.L`` for the second bone, ordered from the hand
outward. Skeletons get these roles only from :mod:`.fingers`."""
_NO_FINGER_WORDS: Final = ("palm", "carpal", "base", "end", "tip", "nub")
"""Words in the names of palm bones and end markers, which are not finger bones."""
EYE_WORDS: Final = frozenset(("eye", "eyeball", "faceeye"))
"""Names of bones of eyes, without side and prefixes."""
LOCOMOTION_ROLES: Final = ("hips", *(f"{part}.{side}" for side in "LR" for part in ("thigh", "shin", "foot")))
"""Roles that locomotion requires."""


_NAMESPACE_PREFIX: Final = re.compile(r"^(.*[:|]|mixamorig\d*_|CC_Base_|Bip\d*[ _])", re.IGNORECASE)


def split_joint_name(name: str) -> tuple[str, str]:
    """Split a joint's name into its side, ``"L"``, ``"R"`` or ``""``, and the remaining plain lower-case word.

    >>> split_joint_name("mixamorig:LeftUpLeg"), split_joint_name("rfemur"), split_joint_name("thigh_l")
    (('L', 'upleg'), ('R', 'femur'), ('L', 'thigh'))
    """
    bare = _NAMESPACE_PREFIX.sub("", name)
    for pattern in (
        r"^(left|right)[_. ]?(.+)$",
        r"^(.+?)[_. ]?(left|right)$",
        r"^(.+)[_. -](l|r)$",
        r"^(l|r)[_. -](.+)$",
    ):
        match = re.match(pattern, bare, re.IGNORECASE)
        if match:
            first, second = match.groups()
            side, word = (
                (first, second) if len(first) < 6 and first.lower() in ("left", "right", "l", "r") else (second, first)
            )
            return side[0].upper(), re.sub(r"[^a-z0-9]", "", word.lower())
    if re.match(r"^[lr][A-Z]", bare) or (re.match(r"^[lr]", bare) and bare[1:].lower() in _WORDS_AFTER_SIDE_LETTER):
        return bare[0].upper(), re.sub(r"[^a-z0-9]", "", bare[1:].lower())
    if re.match(r"^[LR][A-Z][a-z]", bare):
        return bare[0], re.sub(r"[^a-z0-9]", "", bare[1:].lower())
    return "", re.sub(r"[^a-z0-9]", "", bare.lower())


_WORDS_AFTER_SIDE_LETTER: Final = frozenset(word for words in SIDED_ROLE_WORDS.values() for word in words) | {
    "hipjoint",
    "fingers",
    "thumb",
}


def guess_roles(names: Sequence[str]) -> dict[str, int]:
    """Return the joint index by role, such as ``"hips"`` and ``"thigh.L"``, guessed from names.

    Roles without a joint are left out.
    """
    split = [split_joint_name(name) if not name.startswith(HELPER_PREFIX) else ("", "") for name in names]
    sided, central = SIDED_ROLE_WORDS, CENTRAL_ROLE_WORDS
    if _has_front_legs(split):
        sided, central = (
            HIND_LEG_WORDS | FRONT_LEG_WORDS,
            CENTRAL_ROLE_WORDS | {"hips": (*CENTRAL_ROLE_WORDS["hips"], "body")},
        )
    roles: dict[str, int] = {}
    for role, words in central.items():
        _bind_role(roles, role, split, "", words)
    for role, words in sided.items():
        for side in "LR":
            _bind_role(roles, f"{role}.{side}", split, side, words)
    for side in "LR":
        # If ankles have a joint and balls have none by name, the joint called foot is the ball, as in SMPL.
        ankle = next((joint for joint, found in enumerate(split) if found == (side, "ankle")), None)
        foot, toe = f"foot.{side}", f"toe.{side}"
        if ankle is not None and toe not in roles and roles.get(foot, ankle) != ankle:
            roles[toe], roles[foot] = roles[foot], ankle
    return roles


def guess_weapons(names: Sequence[str], parents: Sequence[int], hands: Mapping[str, int]) -> dict[str, int]:
    """Return the indices of weapon bones by role: each hand's first descendant with a weapon's word in its name.

    Args:
        names: names of the bones.
        parents: index of each bone's parent; parents come before children.
        hands: bone index by role; only the hands are used.
    """
    found: dict[str, int] = {}
    for hand, weapon in WEAPON_ROLES.items():
        for bone in _bones_below(parents, hands[hand]) if hand in hands else ():
            if any(word in names[bone].lower() for word in WEAPON_WORDS):
                found.setdefault(weapon, bone)
    return found


def finger_part(name: str) -> str | None:
    """Return the key of :data:`FINGER_WORDS` that a bone's name matches; ``None`` for palm bones and end markers.

    >>> finger_part("mixamorig:LeftHandIndex1"), finger_part("f_pinky.02.R"), finger_part("palm.01.L")
    ('index', 'pinky', None)
    """
    word = _NAMESPACE_PREFIX.sub("", name).lower()
    if any(other in word for other in _NO_FINGER_WORDS):
        return None
    return next((part for part, words in FINGER_WORDS.items() if any(own in word for own in words)), None)


def guess_fingers(names: Sequence[str], parents: Sequence[int], hands: Mapping[str, int]) -> dict[str, int]:
    """Return the indices of the finger bones below each hand, by role, guessed from their names and order.

    Args:
        names: names of the bones.
        parents: index of each bone's parent; parents come before children.
        hands: bone index by role; only the hands are used.
    """
    found: dict[str, int] = {}
    weapons = guess_weapons(names, parents, hands).values()
    for side in "LR":
        above = {hands[f"hand.{side}"]: ("", 0)} if f"hand.{side}" in hands else {}
        for bone, parent in enumerate(parents):
            if parent in above and bone not in weapons:
                (before, number), part = above[parent], finger_part(names[bone])
                number = 0 if part is None else number + 1 if part == before else 1
                above[bone] = (part or "", number)
                role = f"{part}_{number}.{side}" if number > 1 else f"{part}.{side}"
                if role in FINGER_ROLES:
                    found.setdefault(role, bone)
    return found


def guess_eyes(names: Sequence[str], parents: Sequence[int], head: int) -> dict[str, int]:
    """Return the indices of eye bones by role: each side's first descendant of the head with an eye's name.

    Args:
        names: names of the bones.
        parents: index of each bone's parent; parents come before children.
        head: index of the head bone.
    """
    found: dict[str, int] = {}
    for bone in _bones_below(parents, head):
        side, word = split_joint_name(names[bone].removeprefix("J_Adj_"))
        if side and word in EYE_WORDS:
            found.setdefault(f"eye.{side}", bone)
    return found


def _bones_below(parents: Sequence[int], top: int) -> list[int]:
    """Return the bones below a bone, in order; every bone's parent must come before the bone itself."""
    below = [top]
    for bone, parent in enumerate(parents):
        if parent in below:
            below.append(bone)
    return below[1:]


def is_quadruped(roles: Collection[str]) -> bool:
    """Return whether a skeleton with these roles has four legs."""
    return all(f"front_{part}.{side}" in roles for part in ("thigh", "shin") for side in "LR")


def has_front_legs(roles: Iterable[str]) -> bool:
    """Return whether a skeleton with these roles has at least one front leg, and so belongs to a quadruped."""
    return any(role.startswith("front_thigh") for role in roles)


def _has_front_legs(split: Sequence[tuple[str, str]]) -> bool:
    """Return whether both sides have an upper and a lower front leg; a person's forefoot does not make a front leg."""
    return all(
        any((side, word) in split for word in FRONT_LEG_WORDS[f"front_{part}"])
        for side in "LR"
        for part in ("thigh", "shin")
    )


def _bind_role(
    roles: dict[str, int], role: str, split: Sequence[tuple[str, str]], side: str, words: Sequence[str]
) -> None:
    """Bind a role to the first free joint of a side with one of the words."""
    taken = set(roles.values())
    for word in words:
        for joint, found in enumerate(split):
            if found == (side, word) and joint not in taken:
                roles[role] = joint
                return


def mirror_pairs(names: Sequence[str]) -> list[int]:
    """Return the index of each joint's counterpart, equally named on the other side, or its own index."""
    split = [split_joint_name(name) for name in names]
    index = {found: joint for joint, found in enumerate(split)}
    other = {"L": "R", "R": "L"}
    return [index.get((other[side], word), joint) if side else joint for joint, (side, word) in enumerate(split)]


FOOT_CONTACTS: Final = ("foot.L", "toe.L", "foot.R", "toe.R")
"""Foot contacts of a biped's controller: heels (named after the foot joint) and balls (toe joint)."""
PAW_CONTACTS: Final = ("foot.L", "front_foot.L", "foot.R", "front_foot.R")
"""Contacts of a quadruped's controller: the four paws, left ones first."""


def contact_names(roles: Collection[str]) -> tuple[str, ...]:
    """Return the names of a body's foot contacts, heels and balls or paws, given its joint roles or sensor names."""
    return PAW_CONTACTS if {"front_foot.L", "front_thigh.L"} & set(roles) else FOOT_CONTACTS


def contact_roles(roles: Collection[str]) -> tuple[str, ...]:
    """Return the role of the joint of each foot contact, in the order of :func:`contact_names`.

    A paw's contact belongs to the lowest joint of its leg.
    """
    if contact_names(roles) == FOOT_CONTACTS:
        return FOOT_CONTACTS
    toes = tuple(name.replace("foot", "toe") for name in PAW_CONTACTS)
    return tuple(toe if toe in roles else foot for toe, foot in zip(toes, PAW_CONTACTS, strict=True))

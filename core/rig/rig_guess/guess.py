"""Guess of a rig map: from shipped maps and words in bone names if these are meaningful, else from the body's shape."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ...errors import FootfallError
from ...motion.roles import WEAPON_ROLES, guess_eyes, guess_weapons
from ..rig_map import RigMap, bind_rig_map, match_share, shipped_rig_maps
from ..rig_map import roles as rig_roles
from .body_tree import build_body_tree
from .carrier import with_carrier
from .rig_tree import RigTree, topological_order
from .shape import BodyShape, read_shape
from .words import read_names

MIN_MATCH_SHARE: Final = 0.7
"""Least share of a shipped map's bones in an armature for the map to apply."""
REQUIRED_ROLES: Final = ("hips", "thigh.L", "thigh.R", "shin.L", "shin.R")
"""Roles without which there is no guess."""
AGREED_CONFIDENCE: Final = 0.97
"""Confidence of a role on which name and shape agree."""
NAME_ONLY_CONFIDENCE: Final = 0.75
"""Confidence of a role from its name alone."""
CLEAR_SHAPE_CONFIDENCE: Final = 0.6
"""Least confidence of a role found by shape that can contradict the name."""
DISPUTED_CONFIDENCE: Final = 0.5
"""Confidence of a role whose name and position disagree, so that the user should check it."""
SHAPE_ONLY_CONFIDENCE_RATIO: Final = 0.6
"""Factor on the confidence of roles found only by shape in an armature with meaningful names."""


@dataclass(frozen=True, eq=False)
class RigGuess:
    """A guessed rig map with confidences.

    Attributes:
        rig_map: roles and bones, with the armature's bone names.
        confidence: confidence by role, 0 to 1; the user should check roles below 0.6.
        preset: key of the known map that was used; ``None`` if roles were found by words and shape.
    """

    rig_map: RigMap
    confidence: Mapping[str, float]
    preset: str | None = None


def guess_map(tree: RigTree, maps: Mapping[str, RigMap] | None = None) -> RigGuess:
    """Guess which bone of an armature has each role.

    If the armature has the bones of a known map, that map is used, with its controls. Otherwise roles are found by the
    words in the bones' names, and by the body's shape: legs and arms are the long mirrored branches, divided by typical
    proportions. Unit, axes and bone order do not matter. Roles on which names and shape agree are certain; where they
    differ, the names win with a low confidence.

    Args:
        tree: the armature.
        maps: known maps by key, such as ``mixamo``; the shipped ones by default.

    Raises:
        FootfallError: no part of the armature looks like a body with two legs.
    """
    body = build_body_tree(tree)
    shape = read_shape(body)
    words = read_names(body, shape.bones)
    known = shipped_rig_maps() if maps is None else maps
    stem = _best_preset(known, tree.names, shape)
    if stem is not None:
        preset, share = bind_rig_map(known[stem], tree.names), match_share(known[stem], tree.names)
        guess = _complete_preset(tree, preset.bones, share, words, known[stem].bones)
        guess |= {
            role: (bone, AGREED_CONFIDENCE)
            for role, (bone, trust) in guess.items()
            if trust < AGREED_CONFIDENCE and _shape_agrees(tree, shape, role, bone)
        }
        if set(REQUIRED_ROLES) <= set(guess):
            bones = {role: bone for role, (bone, _) in guess.items()}
            confidence = {role: trust for role, (_, trust) in guess.items()}
            return _with_named(tree, RigGuess(replace(preset, bones=bones), confidence, stem))
    names_suffice = set(REQUIRED_ROLES) <= set(words)
    guess = dict(_roles_from_names(tree, words, shape)) if names_suffice else {}
    guess |= dict(_roles_from_shape(tree, guess, shape))
    if not set(REQUIRED_ROLES) <= set(guess):
        raise FootfallError("No body with hips and two legs was found in this armature: choose its bones by hand")
    bones = {role: bone for role, (bone, _) in guess.items()}
    guessed = RigMap("Guessed", bones), {role: trust for role, (_, trust) in guess.items()}
    return _with_named(tree, RigGuess(*guessed))


def _with_named(tree: RigTree, guess: RigGuess) -> RigGuess:
    """Add the bone that moves the body, weapons found by name below the hands, and eyes below the head, to a guess."""
    order = topological_order(tree.parents)
    place = {bone: number for number, bone in enumerate(order)}
    names, parents = [tree.names[bone] for bone in order], [place.get(tree.parents[bone], -1) for bone in order]
    hands = {role: names.index(bone) for role, bone in guess.rig_map.bones.items() if role in WEAPON_ROLES}
    named = guess_weapons(names, parents, hands)
    if "head" in guess.rig_map.bones:
        named |= guess_eyes(names, parents, names.index(guess.rig_map.bones["head"]))
    found = {role: names[bone] for role, bone in named.items()}
    found = {role: bone for role, bone in found.items() if bone not in guess.rig_map.bones.values()}
    bones = {**found, **guess.rig_map.bones}
    confidence = {**dict.fromkeys(found, NAME_ONLY_CONFIDENCE), **guess.confidence}
    rig_map = with_carrier(replace(guess.rig_map, bones=bones), tree)
    return replace(guess, rig_map=rig_map, confidence=confidence)


RoleGuesses = dict[str, tuple[str, float]]
"""Bone name and confidence by role."""


def _complete_preset(
    tree: RigTree, bones: Mapping[str, str], share: float, words: Mapping[str, int], wanted_roles: Collection[str]
) -> RoleGuesses:
    """Return the bones of a known map, completed by bones with other names that are found by their words."""
    found = {role: (bone, share) for role, bone in bones.items()}
    for role, bone in words.items():
        name = tree.names[bone]
        if role in wanted_roles and role not in found and name not in bones.values():
            found[role] = name, NAME_ONLY_CONFIDENCE
    return found


def _roles_from_names(
    tree: RigTree, words: Mapping[str, int], shape: BodyShape
) -> Iterator[tuple[str, tuple[str, float]]]:
    """Yield the role, bone and confidence of roles found by names; the confidence is higher if the shape agrees."""
    by_names = _trunk_roles_by_names(tree, words, shape)
    for role, bone in words.items():
        if shape.bones.get(role) == bone:
            trust = AGREED_CONFIDENCE
        elif role in by_names or shape.confidence.get(role, 0.0) < CLEAR_SHAPE_CONFIDENCE:
            trust = NAME_ONLY_CONFIDENCE
        else:
            trust = DISPUTED_CONFIDENCE
        yield role, (tree.names[bone], trust)


def _trunk_roles_by_names(tree: RigTree, words: Mapping[str, int], shape: BodyShape) -> set[str]:
    """Return the trunk's roles that must be determined by names alone.

    The hips found by shape can be the parent of the named hips, which then carry only the legs; or their child, as in
    3ds Max, where the legs are children of the first spine bone.
    """
    named, shown = words["hips"], shape.bones.get("hips")
    if shown is None or shown == named:
        return set()
    if shown in tree.path_to_root(named):
        return {"hips"}
    return {"hips", *rig_roles.chain_roles("spine", words)} if tree.parents[shown] == named else set()


def _roles_from_shape(
    tree: RigTree, named_roles: RoleGuesses, shape: BodyShape
) -> Iterator[tuple[str, tuple[str, float]]]:
    """Yield the role, bone and confidence of roles found only by shape, adding no bones to chains found by names."""
    taken = {bone for bone, _ in named_roles.values()}
    chains = {rig_roles.split_role(role)[0] for role in named_roles} & {*rig_roles.CHAIN_PARTS, *rig_roles.TWIST_PARTS}
    others = {role for role, (name, _) in named_roles.items() if not _shape_agrees(tree, shape, role, name)}
    for role, bone in shape.bones.items():
        part, _, side = rig_roles.split_role(role)
        if rig_roles.join_role(part.removesuffix("_twist"), 1, side) in others:
            continue  # A twist of a bone that, by its name, is another limb.
        if role not in named_roles and tree.names[bone] not in taken and part not in chains:
            yield (
                role,
                (
                    tree.names[bone],
                    shape.confidence[role] * (SHAPE_ONLY_CONFIDENCE_RATIO if named_roles and role != "root" else 1.0),
                ),
            )


def _shape_agrees(tree: RigTree, shape: BodyShape, role: str, bone: str) -> bool:
    """Return whether the shape assigns a role to the same bone as the name does."""
    return role in shape.bones and tree.names[shape.bones[role]] == bone


def _best_preset(presets: Mapping[str, RigMap], names: tuple[str, ...], shape: BodyShape) -> str | None:
    """Return the key of the map that fits an armature best; of equally good maps, that with the most entries.

    Dog rigs often have human bone names, so a quadruped needs a map with front legs, or one that fits completely.
    """
    ranked = []
    four_legged = "front_thigh.L" in shape.bones
    for stem, rig_map in presets.items():
        share = match_share(rig_map, names)
        fits = share == 1.0 or not four_legged or "front_thigh.L" in rig_map.bones
        if share >= MIN_MATCH_SHARE and fits:
            there = bind_rig_map(rig_map, names)
            ranked.append((share, len(there.bones) + len(there.controls) + len(there.ik), stem))
    return max(ranked)[2] if ranked else None

"""The guess: shipped maps and words where the bones have names that mean something, else the body's shape."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ...errors import FootfallError
from ..rig_map import RigMap, bind_rig_map, match_share, shipped_rig_maps
from ..rig_map import roles as rig_roles
from .body_tree import build_body_tree
from .rig_tree import RigTree
from .shape import BodyShape, read_shape
from .words import read_names

MIN_MATCH_SHARE: Final = 0.7
"""Share of a shipped map's bones that an armature must have for the map to be its own."""
REQUIRED_ROLES: Final = ("hips", "thigh.L", "thigh.R", "shin.L", "shin.R")
AGREED_CONFIDENCE: Final = 0.97
NAME_ONLY_CONFIDENCE: Final = 0.75
CLEAR_SHAPE_CONFIDENCE: Final = 0.6
DISPUTED_CONFIDENCE: Final = 0.5
"""How sure a role is whose name says one thing and whose place another: the user should look."""
SHAPE_ONLY_CONFIDENCE_RATIO: Final = 0.6
"""By how much less sure a role is that the shape tells of an armature whose names tell the others."""


@dataclass(frozen=True, eq=False)
class RigGuess:
    """What an armature's bones seem to be.

    Attributes:
        map: the bones, called as the armature's are.
        confidence: role to how sure it is, 0 to 1: below 0.6 the user should look.
        preset: the known map that it was taken from, by the name of a shipped one's file without ending; ``None`` where
            it was found by words and shape.
    """

    rig_map: RigMap
    confidence: Mapping[str, float]
    preset: str | None = None


def guess_map(tree: RigTree, maps: Mapping[str, RigMap] | None = None) -> RigGuess:
    """Which bone of an armature plays which role.

    A known map whose bones the armature has is taken as it is, with its controls. Otherwise roles are found by the
    words in the bones' names, and by the body's shape: legs and arms are the long mirrored branches, their joints
    lie where joints lie in bodies, whatever the unit, the axes and the order of the bones. What names and shape agree
    on is sure; where they differ, the names win and the doubt is shown.

    Args:
        tree: the armature.
        maps: the maps that may be its own, by what :attr:`RigGuess.preset` shall say; the shipped ones where not given.

    Raises:
        FootfallError: nothing in the armature looks like a body with two legs.
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
            return RigGuess(replace(preset, bones=bones), confidence, stem)
    spoken = set(REQUIRED_ROLES) <= set(words)
    guess = dict(_roles_from_names(tree, words, shape)) if spoken else {}
    guess |= dict(_roles_from_shape(tree, guess, shape))
    if not set(REQUIRED_ROLES) <= set(guess):
        raise FootfallError(
            "No body with hips and two legs was found in this armature: choose the bones of its roles by hand."
        )
    bones = {role: bone for role, (bone, _) in guess.items()}
    return RigGuess(RigMap("Guessed", bones), {role: trust for role, (_, trust) in guess.items()})


RoleGuesses = dict[str, tuple[str, float]]
"""Role to bone and confidence."""


def _complete_preset(
    tree: RigTree, bones: Mapping[str, str], share: float, words: Mapping[str, int], wanted_roles: Collection[str]
) -> RoleGuesses:
    """Return a known map's bones, and what words tell of those that the armature calls otherwise."""
    found = {role: (bone, share) for role, bone in bones.items()}
    for role, bone in words.items():
        name = tree.names[bone]
        if role in wanted_roles and role not in found and name not in bones.values():
            found[role] = name, NAME_ONLY_CONFIDENCE
    return found


def _roles_from_names(
    tree: RigTree, words: Mapping[str, int], shape: BodyShape
) -> Iterator[tuple[str, tuple[str, float]]]:
    """Return the roles that names tell, surer where the shape agrees."""
    for role, bone in words.items():
        if shape.bones.get(role) == bone:
            trust = AGREED_CONFIDENCE
        else:
            trust = (
                DISPUTED_CONFIDENCE
                if shape.confidence.get(role, 0.0) >= CLEAR_SHAPE_CONFIDENCE
                else NAME_ONLY_CONFIDENCE
            )
        yield role, (tree.names[bone], trust)


def _roles_from_shape(
    tree: RigTree, named_roles: RoleGuesses, shape: BodyShape
) -> Iterator[tuple[str, tuple[str, float]]]:
    """Return the roles that only the shape tells; where names tell roles too, it adds no bones to their chains."""
    taken = {bone for bone, _ in named_roles.values()}
    chains = {rig_roles.split_role(role)[0] for role in named_roles} & {*rig_roles.CHAIN_PARTS, *rig_roles.TWIST_PARTS}
    for role, bone in shape.bones.items():
        if role not in named_roles and tree.names[bone] not in taken and rig_roles.split_role(role)[0] not in chains:
            yield (
                role,
                (
                    tree.names[bone],
                    shape.confidence[role] * (SHAPE_ONLY_CONFIDENCE_RATIO if named_roles and role != "root" else 1.0),
                ),
            )


def _shape_agrees(tree: RigTree, shape: BodyShape, role: str, bone: str) -> bool:
    return role in shape.bones and tree.names[shape.bones[role]] == bone


def _best_preset(presets: Mapping[str, RigMap], names: tuple[str, ...], shape: BodyShape) -> str | None:
    """Return the map that an armature fits best; of several that it fits equally, the one that says most.

    Dogs are often named as people are: who stands on four legs has a map with front legs, or one that fits wholly.
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

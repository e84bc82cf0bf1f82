"""The guess: shipped maps and words where the bones have names that mean something, else the body's shape."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ...errors import FootfallError
from ..rig_map import RigMap, bound, matches, shipped
from ..rig_map import roles as rig_roles
from .body_tree import body_tree
from .rig_tree import RigTree
from .shape import Shape, read_shape
from .words import read_words

ENOUGH: Final = 0.7
"""Share of a shipped map's bones that an armature must have for the map to be its own."""
NEEDED: Final = ("hips", "thigh.L", "thigh.R", "shin.L", "shin.R")
AGREED: Final = 0.97
BY_NAME: Final = 0.75
CLEAR: Final = 0.6
DISPUTED: Final = 0.5
"""How sure a role is whose name says one thing and whose place another: the user should look."""
ALONE: Final = 0.6
"""By how much less sure a role is that the shape tells of an armature whose names tell the others."""


@dataclass(frozen=True, eq=False)
class Guess:
    """What an armature's bones seem to be.

    Attributes:
        map: the bones, called as the armature's are.
        confidence: role to how sure it is, 0 to 1: below 0.6 the user should look.
        preset: the known map that it was taken from, by the name of a shipped one's file without ending; ``None`` where
            it was found by words and shape.
    """

    map: RigMap
    confidence: Mapping[str, float]
    preset: str | None = None


def guess_map(tree: RigTree, maps: Mapping[str, RigMap] | None = None) -> Guess:
    """Which bone of an armature plays which role.

    A known map whose bones the armature has is taken as it is, with its controls. Otherwise roles are found by the
    words in the bones' names, and by the body's shape: legs and arms are the long mirrored branches, their joints
    lie where joints lie in bodies, whatever the unit, the axes and the order of the bones. What names and shape agree
    on is sure; where they differ, the names win and the doubt is shown.

    Args:
        tree: the armature.
        maps: the maps that may be its own, by what :attr:`Guess.preset` shall say; the shipped ones where not given.

    Raises:
        FootfallError: nothing in the armature looks like a body with two legs.
    """
    body = body_tree(tree)
    shape = read_shape(body)
    words = read_words(body, shape.bones)
    known = shipped() if maps is None else maps
    stem = _best_preset(known, tree.names, shape)
    if stem is not None:
        preset, share = bound(known[stem], tree.names), matches(known[stem], tree.names)
        guess = _completed(tree, preset.bones, share, words, known[stem].bones)
        guess |= {
            role: (bone, AGREED)
            for role, (bone, trust) in guess.items()
            if trust < AGREED and _agrees(tree, shape, role, bone)
        }
        if set(NEEDED) <= set(guess):
            bones = {role: bone for role, (bone, _) in guess.items()}
            confidence = {role: trust for role, (_, trust) in guess.items()}
            return Guess(replace(preset, bones=bones), confidence, stem)
    spoken = set(NEEDED) <= set(words)
    guess = dict(_told(tree, words, shape)) if spoken else {}
    guess |= dict(_seen(tree, guess, shape))
    if not set(NEEDED) <= set(guess):
        raise FootfallError(
            "No body with hips and two legs was found in this armature: choose the bones of its roles by hand."
        )
    bones = {role: bone for role, (bone, _) in guess.items()}
    return Guess(RigMap("Guessed", bones), {role: trust for role, (_, trust) in guess.items()})


Found = dict[str, tuple[str, float]]
"""Role to bone and confidence."""


def _completed(
    tree: RigTree, bones: Mapping[str, str], share: float, words: Mapping[str, int], wanted: Collection[str]
) -> Found:
    """A known map's bones, and what words tell of those that the armature calls otherwise."""
    found = {role: (bone, share) for role, bone in bones.items()}
    for role, bone in words.items():
        name = tree.names[bone]
        if role in wanted and role not in found and name not in bones.values():
            found[role] = name, BY_NAME
    return found


def _told(tree: RigTree, words: Mapping[str, int], shape: Shape) -> Iterator[tuple[str, tuple[str, float]]]:
    """The roles that names tell, surer where the shape agrees."""
    for role, bone in words.items():
        if shape.bones.get(role) == bone:
            trust = AGREED
        else:
            trust = DISPUTED if shape.confidence.get(role, 0.0) >= CLEAR else BY_NAME
        yield role, (tree.names[bone], trust)


def _seen(tree: RigTree, told: Found, shape: Shape) -> Iterator[tuple[str, tuple[str, float]]]:
    """The roles that only the shape tells; where names tell roles too, it adds no bones to their chains."""
    taken = {bone for bone, _ in told.values()}
    chains = {rig_roles.split(role)[0] for role in told} & {*rig_roles.CHAINS, *rig_roles.TWISTS}
    for role, bone in shape.bones.items():
        if role not in told and tree.names[bone] not in taken and rig_roles.split(role)[0] not in chains:
            yield role, (tree.names[bone], shape.confidence[role] * (ALONE if told and role != "root" else 1.0))


def _agrees(tree: RigTree, shape: Shape, role: str, bone: str) -> bool:
    return role in shape.bones and tree.names[shape.bones[role]] == bone


def _best_preset(known: Mapping[str, RigMap], names: tuple[str, ...], shape: Shape) -> str | None:
    """The map that an armature fits best; of several that it fits equally, the one that says most.

    Dogs are often named as people are: who stands on four legs has a map with front legs, or one that fits wholly.
    """
    ranked = []
    four_legged = "front_thigh.L" in shape.bones
    for stem, rig_map in known.items():
        share = matches(rig_map, names)
        fits = share == 1.0 or not four_legged or "front_thigh.L" in rig_map.bones
        if share >= ENOUGH and fits:
            there = bound(rig_map, names)
            ranked.append((share, len(there.bones) + len(there.controls) + len(there.ik), stem))
    return max(ranked)[2] if ranked else None

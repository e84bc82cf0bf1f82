"""The guess: shipped maps and words where the bones have names that mean something, else the body's shape."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ...errors import FootfallError
from ..rig_map import RigMap, bound, matches, shipped
from .body_tree import body_tree
from .rig_tree import RigTree
from .shape import read_shape
from .words import read_words

ENOUGH: Final = 0.8
"""Share of a shipped map's bones that an armature must have for the map to be its own."""
NEEDED: Final = ("hips", "thigh.L", "thigh.R", "shin.L", "shin.R")
AGREED: Final = 0.97
BY_NAME: Final = 0.75
DISPUTED: Final = 0.5
"""How sure a role is whose name says one thing and whose place another: the user should look."""


@dataclass(frozen=True, eq=False)
class Guess:
    """What an armature's bones seem to be.

    Attributes:
        map: the bones, called as the armature's are.
        confidence: role to how sure it is, 0 to 1: below 0.6 the user should look.
        preset: the shipped map that it was taken from, by the name of its file without ending; ``None`` where it was
            found by words and shape.
    """

    map: RigMap
    confidence: Mapping[str, float]
    preset: str | None = None


def guess_map(tree: RigTree) -> Guess:
    """Which bone of an armature plays which role.

    A shipped map whose bones the armature has is taken as it is, with its controls. Otherwise roles are found by the
    words in the bones' names, and by the body's shape: legs and arms are the long mirrored branches, their joints
    lie where joints lie in bodies, whatever the unit, the axes and the order of the bones. What names and shape agree
    on is sure; where they differ, the names win and the doubt is shown.

    Raises:
        FootfallError: nothing in the armature looks like a body with two legs.
    """
    stem = _best_preset(tree.names)
    shape = read_shape(body_tree(tree))
    by_shape = {role: tree.names[bone] for role, bone in shape.bones.items()}
    if stem is not None:
        preset = bound(shipped()[stem], tree.names)
        if set(NEEDED) <= set(preset.bones):
            confidence = dict.fromkeys(preset.bones, matches(shipped()[stem], tree.names))
            return Guess(preset, confidence, stem)
    by_words = read_words(tree)
    if not set(NEEDED) <= set(by_words):
        by_words = {}
    bones: dict[str, str] = {}
    confidence: dict[str, float] = {}
    for role, bone in by_words.items():
        bones[role] = bone
        known = by_shape.get(role)
        confidence[role] = AGREED if known == bone else BY_NAME if known is None or not by_shape else DISPUTED
    for role, bone in by_shape.items():
        if role not in bones and bone not in bones.values() and _fits(role, by_words):
            bones[role] = bone
            confidence[role] = shape.confidence[role] * (DISPUTED if by_words else 1.0)
    if not set(NEEDED) <= set(bones):
        raise FootfallError(
            "No body with hips and two legs was found in this armature: choose the bones of its roles by hand."
        )
    return Guess(RigMap("Guessed", bones), confidence)


def _best_preset(names: tuple[str, ...]) -> str | None:
    """The shipped map that an armature fits best; of several that it fits equally, the one that says most."""
    ranked = []
    for stem, rig_map in shipped().items():
        share = matches(rig_map, names)
        if share >= ENOUGH:
            there = bound(rig_map, names)
            ranked.append((share, len(there.bones) + len(there.controls) + len(there.ik), stem))
    return max(ranked)[2] if ranked else None


def _fits(role: str, by_words: Mapping[str, str]) -> bool:
    """Whether the shape may add a role to those that the words tell: not to chains, whose bones have names in a row."""
    part = role.partition("_")[0].partition(".")[0]
    return not by_words or part not in ("spine", "neck", "tail")

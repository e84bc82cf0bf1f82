"""The middle of a body: hips, spine, neck, head and tail of small rigs, and the bone on the ground."""

import numpy as np
import pytest

from footfall.core.rig.rig_guess.pairs import mirrored_pairs
from footfall.core.rig.rig_guess.trunk import find_ground_bone, is_head_unclear, read_trunk
from footfall.tests.support.small_rigs import Bone, Point, body_tree, bone, both_sides, chain, limbs_of

LEG = both_sides("leg", "hips", (1, 0, 10), (1, 0, 5), (1, 0, 0))
ARM = both_sides("arm", "chest", (1, 0, 16), (5, 0, 16), (9, 0, 16))
TRUNK: list[Bone] = [
    ("hips", "", (0, 0, 10), (0, 0, 12)),
    ("waist", "hips", (0, 0, 12), (0, 0, 14)),
    ("chest", "waist", (0, 0, 14), (0, 0, 16)),
]
HEAD = chain("neck", "chest", (0, 0, 16), (0, 0, 17), (0, 0, 19))


def trunk_of(bones: list[Bone], arms: str | None = "arm") -> dict[str, str]:
    """Return the names of the bones in the body's middle by role."""
    tree = body_tree(bones)
    found = read_trunk(limbs_of(tree, arms=arms), mirrored_pairs(tree))
    return {role: tree.rig.names[one] for role, one in found.items()}


def head_of_three(top: Point, end: Point = (0, 0, 19)) -> str:
    """Return the name of the head: there is a neck of a meter, a bone above it, and one that begins at a point."""
    marker: list[Bone] = [("top", "neck2", top, (top[0], top[1], top[2] + 0.5))]
    bones = [*TRUNK, *LEG, *ARM, HEAD[0], ("neck2", "neck1", (0, 0, 17), end), *marker]
    return trunk_of(bones)["head"]


def test_a_bone_at_the_top_of_the_head_is_no_head() -> None:
    """It is farther from the head than this is long before it: by more than 1.3 times."""
    assert head_of_three((0, 0, 18.29), (0, 0, 18.29)) == "top"
    assert head_of_three((0, 0, 18.31), (0, 0, 18.31)) == "neck2"


def test_a_bone_that_begins_far_from_the_head_s_end_is_a_jaw() -> None:
    """Farther than three tenths of the skull, which is a meter long here."""
    assert head_of_three((0, 0.29, 18.0), (0, 0, 18.0)) == "top"
    assert head_of_three((0, 0.31, 18.0), (0, 0, 18.0)) == "neck2"


def test_bones_of_a_face_end_the_neck() -> None:
    face: list[Bone] = [("jaw", "neck2", (0, -1, 17), (0, -2, 17)), ("brow", "neck2", (0, -1, 19), (0, -2, 19))]
    assert trunk_of([*TRUNK, *LEG, *ARM, *HEAD, *face])["head"] == "neck2"


def test_without_arms_the_last_two_bones_are_neck_and_head() -> None:
    spine = chain("back", "hips", (0, 0, 12), (0, 0, 14), (0, 0, 16), (0, 0, 17), (0, 0, 18))
    found = trunk_of([TRUNK[0], *LEG, *spine], arms=None)
    assert found == {"hips": "hips", "spine": "back1", "spine_2": "back2", "neck": "back3", "head": "back4"}


def animal(*tail: Point) -> list[Bone]:
    """A body on four legs that looks to -Y, with a tail."""
    trunk: list[Bone] = [
        ("hips", "", (0, 0, 10), (0, -4, 10)),
        ("back", "hips", (0, -4, 10), (0, -8, 10)),
        ("chest", "back", (0, -8, 10), (0, -12, 10)),
    ]
    front = both_sides("arm", "chest", (1, -12, 10), (1, -12, 5), (1, -12, 0))
    head = chain("neck", "chest", (0, -12, 10), (0, -13, 12), (0, -15, 13))
    return [*trunk, *LEG, *front, *head, *chain("tail", "hips", *tail)]


def test_an_animal_has_a_tail_behind_its_hips() -> None:
    found = trunk_of(animal((0, 1, 10), (0, 3, 10), (0, 5, 9), (0, 6, 9)))
    assert [found[role] for role in ("tail", "tail_2", "tail_3")] == ["tail1", "tail2", "tail3"]
    assert found["head"] == "neck2"


@pytest.mark.parametrize("tail", [((0, 1, 10), (0, 1.5, 10), (0, 1.9, 10)), ((0, -1, 9), (0, -3, 8), (0, -5, 8))])
def test_a_stump_or_what_leads_to_the_head_is_no_tail(tail: tuple[Point, ...]) -> None:
    assert "tail" not in trunk_of(animal(*tail))


@pytest.mark.parametrize(("length", "unclear"), [(1.3, True), (1.9, True), (1.95, False), (0.9, True), (0.85, False)])
def test_a_head_is_hard_to_tell_by_a_length_like_that_of_a_marker(length: float, unclear: bool) -> None:
    """The last bone is about 1.3 times as far from the one before as that is from its own parent."""
    spine = chain("neck", "chest", (0, 0, 16), (0, 0, 17), (0, 0, 17 + length), (0, 0, 21))
    tree = body_tree([*TRUNK, *LEG, *ARM, *spine])
    limbs = limbs_of(tree)
    assert is_head_unclear(limbs, bone(tree, "neck2")) == unclear
    assert is_head_unclear(limbs, bone(tree, "neck3")) == unclear, "whichever of both is taken for the head"
    assert not is_head_unclear(limbs, bone(tree, "neck1")), "a bone with two more above it is no head"


def test_a_head_with_a_face_is_clear() -> None:
    face: list[Bone] = [("jaw", "neck2", (0, -1, 17), (0, -2, 17)), ("brow", "neck2", (0, -1, 19), (0, -2, 19))]
    tree = body_tree([*TRUNK, *LEG, *ARM, *HEAD, *face])
    assert not is_head_unclear(limbs_of(tree), bone(tree, "neck2"))


def grounded(*roots: tuple[str, Point]) -> list[Bone]:
    """A person below bones at some places."""
    above = [("", (0.0, 0.0, 0.0)), *roots]
    bones: list[Bone] = [(name, above[n][0], at, (at[0], at[1], at[2] + 1)) for n, (name, at) in enumerate(roots)]
    hips: Bone = ("hips", roots[-1][0], (0, 0, 10), (0, 0, 12))
    return [*bones, hips, *TRUNK[1:], *LEG, *ARM, *HEAD]


def test_the_lowest_bone_of_the_hierarchy_on_the_ground_is_taken() -> None:
    tree = body_tree(grounded(("world", (0, 0, 0)), ("root", (0, 0, 0.5)), ("lift", (0, 0, 5))))
    assert find_ground_bone(tree, limbs_of(tree), bone(tree, "hips")) == bone(tree, "root")
    assert np.isfinite(tree.bone_ends).all()

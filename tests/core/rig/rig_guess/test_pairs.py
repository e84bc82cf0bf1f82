"""Mirrored pairs of branches: which branches are mirror images of each other, and how alike."""

from footfall.core.rig.rig_guess.pairs import mirrored_pairs
from footfall.tests.support.small_rigs import Bone, body_tree, both_sides, names_of

TRUNK: list[Bone] = [("trunk", "", (0, 0, 0), (0, 0, 1))]
LIMB = both_sides("limb", "trunk", (1, 0, 0), (3, 0, 0), (3, 0, -2))


def test_two_branches_that_mirror_each_other_are_a_pair() -> None:
    tree = body_tree([*TRUNK, *LIMB])
    (pair,) = mirrored_pairs(tree)
    assert names_of(tree, [pair.parent, pair.first, pair.second]) == ["trunk", "limb.R1", "limb.L1"]
    assert [names_of(tree, path) for path in pair.paths] == [["limb.R1", "limb.R2"], ["limb.L1", "limb.L2"]]


def test_the_first_branch_is_the_one_that_begins_nearer_to_minus_x_whatever_the_order_of_the_bones() -> None:
    tree = body_tree([*TRUNK, *reversed(LIMB)])
    (pair,) = mirrored_pairs(tree)
    assert names_of(tree, [pair.first, pair.second]) == ["limb.R1", "limb.L1"]


def test_each_bone_has_pairs_of_its_own() -> None:
    fingers = [
        *both_sides("in", "trunk", (3, 1, -2), (3, 1, -3)),
        *both_sides("out", "trunk", (3, -1, -2), (3, -1, -3)),
    ]
    on_limbs = [(name, f"limb.{name[-2]}2", head, tail) for name, _, head, tail in fingers]
    tree = body_tree([*TRUNK, *LIMB, *on_limbs])
    assert [tree.rig.names[pair.parent] for pair in mirrored_pairs(tree)] == ["trunk", "limb.L2", "limb.R2"]

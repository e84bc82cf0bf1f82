"""Mirrored pairs of branches: which branches are mirror images of each other, and how alike."""

import numpy as np
import pytest

from footfall.core.rig.rig_guess.body_tree import BodyTree
from footfall.core.rig.rig_guess.pairs import MAX_DISSIMILARITY, dissimilarity, mirrored_pairs
from footfall.tests.support.small_rigs import Bone, body_tree, bone, both_sides, chain, names_of

TRUNK: list[Bone] = [("trunk", "", (0, 0, 0), (0, 0, 1))]
LIMB = both_sides("limb", "trunk", (1, 0, 0), (3, 0, 0), (3, 0, -2))


def between(tree: BodyTree, first: str, second: str) -> float:
    return dissimilarity(tree, bone(tree, first), bone(tree, second))


def test_two_branches_that_mirror_each_other_are_a_pair() -> None:
    tree = body_tree([*TRUNK, *LIMB])
    (pair,) = mirrored_pairs(tree)
    assert names_of(tree, [pair.parent, pair.first, pair.second]) == ["trunk", "limb.R1", "limb.L1"]
    assert [names_of(tree, path) for path in pair.paths] == [["limb.R1", "limb.R2"], ["limb.L1", "limb.L2"]]


def test_the_first_branch_is_the_one_that_begins_nearer_to_minus_x_whatever_the_order_of_the_bones() -> None:
    tree = body_tree([*TRUNK, *reversed(LIMB)])
    (pair,) = mirrored_pairs(tree)
    assert names_of(tree, [pair.first, pair.second]) == ["limb.R1", "limb.L1"]


def test_a_mirror_image_is_not_dissimilar_at_all() -> None:
    assert between(body_tree([*TRUNK, *LIMB]), "limb.L1", "limb.R1") == pytest.approx(0.0, abs=1e-12)


def test_the_image_of_half_a_turn_is_less_alike_than_a_mirror_image() -> None:
    # In a mirror image the lines between counterparts are parallel; here they cross.
    def turned(height: float) -> float:
        """Return the dissimilarity of a branch upward on one side and one downward on the other."""
        up = chain("up", "trunk", (1, 0, 0), (1, 0, height), (1, 0, 2 * height))
        down = chain("down", "trunk", (-1, 0, 0), (-1, 0, -height), (-1, 0, -2 * height))
        return between(body_tree([*TRUNK, *up, *down]), "up1", "down1")

    def slant(height: float) -> float:
        """Return the largest distance of the lines (2, 0, 2 * n * height) from their mean, relative to the longest."""
        return 2 * height / np.sqrt(1 + height**2) / np.sqrt(4 + (4 * height) ** 2)

    assert 0.0 < turned(0.1) < turned(1.0) < MAX_DISSIMILARITY
    assert turned(1.0) / turned(0.1) == pytest.approx(slant(1.0) / slant(0.1))


def test_both_directions_give_the_same() -> None:
    tree = body_tree([*TRUNK, *chain("a", "trunk", (1, 0, 0), (1, 0, 2)), *chain("b", "trunk", (-1, 0, 0), (-1, 1, 2))])
    assert between(tree, "a1", "b1") == pytest.approx(between(tree, "b1", "a1"))


@pytest.mark.parametrize(("length", "alike"), [(4.0, False), (4.01, True)])
def test_a_branch_of_half_the_reach_is_no_mirror_image(length: float, alike: bool) -> None:
    # Both begin 1 m from the trunk's start: 1 + 9 = 10 and 1 + 4 = 5.
    limbs = [
        *chain("a", "trunk", (1, 0, 0), (6, 0, 0), (10, 0, 0)),
        *chain("b", "trunk", (-1, 0, 0), (-3, 0, 0), (-1 - length, 0, 0)),
    ]
    assert np.isfinite(between(body_tree([*TRUNK, *limbs]), "a1", "b1")) == alike


def test_a_twig_more_makes_a_branch_less_alike() -> None:
    limbs = both_sides("limb", "trunk", (1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0), (5, 0, 0))
    tree = body_tree([*TRUNK, *limbs, ("twig", "limb.L1", (2, 0, 0), (2, 1, 0))])
    assert 0.0 < between(tree, "limb.L1", "limb.R1") < 1.0


@pytest.mark.parametrize(("more", "alike"), [(2, False), (1, True)])
def test_a_branch_of_half_the_bones_is_no_mirror_image(more: int, alike: bool) -> None:
    twigs: list[Bone] = [(f"twig{n}", "limb.L1", (3, n, 0), (3, n + 1, 0)) for n in range(more)]
    tree = body_tree([*TRUNK, *LIMB, *twigs])
    assert np.isfinite(between(tree, "limb.L1", "limb.R1")) == alike


def test_every_bone_that_one_branch_has_more_makes_them_less_alike() -> None:
    limbs = [
        *chain("a", "trunk", (1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0), (5, 0, 0)),
        *chain("b", "trunk", (-1, 0, 0), (-2, 0, 0), (-3, 0, 0), (-5, 0, 0)),
        *chain("c", "trunk", (-1, 0, 0), (-2, 0, 0), (-3, 0, 0), (-4, 0, 0), (-5, 0, 0)),
    ]
    tree = body_tree([*TRUNK, *limbs])
    assert between(tree, "a1", "c1") == pytest.approx(0.0, abs=1e-12)
    assert between(tree, "a1", "b1") > 1.0


@pytest.mark.parametrize(("apart", "alike"), [(0.019, False), (0.021, True)])
def test_branches_in_one_place_are_no_mirror_images(apart: float, alike: bool) -> None:
    # Both reach 1 m from the trunk's start, but for the sixth digit.
    limbs: list[Bone] = [
        (side, "trunk", (sign * apart / 2, 0, 0), (sign * apart / 2, 0, -1)) for side, sign in (("a", 1), ("b", -1))
    ]
    tree = body_tree([("trunk", "", (0, 0, 0), (apart / 2, 0, 0)), *limbs])
    reach = tree.branch_reach[bone(tree, "a")] + tree.distance_from_parent(bone(tree, "a"))
    assert np.isfinite(between(tree, "a", "b")) == (apart >= 0.02 * reach) == alike


def test_the_paths_of_a_pair_are_cut_to_the_same_number_of_bones() -> None:
    limbs = [
        *chain("a", "trunk", (1, 0, 0), (2, 0, 0), (3, 0, 0), (5, 0, 0)),
        *chain("b", "trunk", (-1, 0, 0), (-2, 0, 0), (-3, 0, 0), (-4, 0, 0), (-5, 0, 0)),
    ]
    tree = body_tree([*TRUNK, *limbs])
    (pair,) = mirrored_pairs(tree)
    assert [names_of(tree, path) for path in pair.paths] == [["b1", "b2", "b3"], ["a1", "a2", "a3"]]


def test_the_most_similar_branches_are_paired_first_and_each_only_once() -> None:
    longer = chain("longer", "trunk", (2, 0, 0), (4, 0, 0), (4, 0, -2.2))
    tree = body_tree([*TRUNK, *longer, *LIMB])
    (pair,) = mirrored_pairs(tree)
    assert set(names_of(tree, [pair.first, pair.second])) == {"limb.L1", "limb.R1"}


def test_branches_on_different_bones_are_no_pair() -> None:
    tree = body_tree(
        [
            *TRUNK,
            ("chest", "trunk", (0, 0, 1), (0, 0, 2)),
            *chain("a", "trunk", (1, 0, 1), (3, 0, 1)),
            *chain("b", "chest", (-1, 0, 1), (-3, 0, 1)),
        ]
    )
    assert mirrored_pairs(tree) == []


def test_each_bone_has_pairs_of_its_own() -> None:
    fingers = [
        *both_sides("in", "trunk", (3, 1, -2), (3, 1, -3)),
        *both_sides("out", "trunk", (3, -1, -2), (3, -1, -3)),
    ]
    on_limbs = [(name, f"limb.{name[-2]}2", head, tail) for name, _, head, tail in fingers]
    tree = body_tree([*TRUNK, *LIMB, *on_limbs])
    assert [tree.rig.names[pair.parent] for pair in mirrored_pairs(tree)] == ["trunk", "limb.L2", "limb.R2"]

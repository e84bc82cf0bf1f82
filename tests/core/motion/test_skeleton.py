"""The skeleton: a tree that knows its measures."""

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.motion.skeleton import Skeleton

from .conftest import person


def test_measures_of_a_known_person() -> None:
    skeleton = person()
    assert len(skeleton) == 10
    assert skeleton.leg_length == pytest.approx(0.8)
    assert skeleton.scaled(1.5).leg_length == pytest.approx(1.2)
    assert skeleton.children[0] == (1, 4, 7)
    assert skeleton.mirror_pairs == (0, 4, 5, 6, 1, 2, 3, 7, 8, 9)


def test_bones_aim_at_their_children_or_their_tips() -> None:
    aims = person().bone_vectors
    np.testing.assert_allclose(aims[1], [0.0, 0.0, -0.4])
    np.testing.assert_allclose(aims[3], [0.0, -0.15, -0.05])
    np.testing.assert_allclose(aims[0], [0.0, 0.0, 0.0], atol=1e-12)


def test_missing_roles_are_named_together() -> None:
    skeleton = Skeleton(("hips", "lfemur"), (-1, 0), np.zeros((2, 3)), np.zeros((2, 3)))
    with pytest.raises(FootfallError, match=r"shin\.L, foot\.L, thigh\.R"):
        skeleton.require_roles(("hips", "thigh.L", "shin.L", "foot.L", "thigh.R"))
    with pytest.raises(FootfallError, match="'head'"):
        skeleton.joint("head")


@pytest.mark.parametrize("parents", [(-1, 2, 0), (0, 0, 0), (-1, -1, 0), (-1, 1, 0)])
def test_only_trees_with_parents_first_are_skeletons(parents: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="parents come before"):
        Skeleton(("a", "b", "c"), parents, np.zeros((3, 3)), np.zeros((3, 3)))


def test_skeletons_match_by_names_and_tree_not_by_lengths() -> None:
    assert person().matches(person(2.0))
    assert not person().matches(Skeleton(("hips",), (-1,), np.zeros((1, 3)), np.zeros((1, 3))))

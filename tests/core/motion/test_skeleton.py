"""The skeleton: a tree that knows its measures."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.motion.skeleton import Skeleton
from footfall.tests.support.dog import dog

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


@pytest.mark.parametrize(
    ("names", "parents", "offsets", "tips"),
    [((), (), 0, 0), (("a",), (-1, 0), 1, 1), (("a",), (-1,), 2, 1), (("a",), (-1,), 1, 2)],
    ids=["no joint", "parents", "offsets", "tips"],
)
def test_arrays_that_do_not_fit_are_refused(names: tuple, parents: tuple, offsets: int, tips: int) -> None:
    with pytest.raises(
        ValueError, match="a skeleton needs at least one joint, and one parent, offset and tip per name"
    ):
        Skeleton(names, parents, np.zeros((offsets, 3)), np.zeros((tips, 3)))


def hand(tip: float, *fingers: tuple[str, float]) -> Skeleton:
    """A hand with a tip, or none, and bones below it at places along X."""
    roles = {"hand.L": 0} | {role: number for number, (role, _) in enumerate(fingers, start=1)}
    offsets = np.zeros((1 + len(fingers), 3))
    offsets[1:, 0] = [place for _, place in fingers]
    tips = np.zeros_like(offsets)
    tips[0, 0] = tip
    names = ("hand", *(role for role, _ in fingers))
    return Skeleton(names, (-1, *[0] * len(fingers)), offsets, tips, roles)


@pytest.mark.parametrize(
    ("skeleton", "aim"),
    [
        (hand(0.0, ("index.L", 0.1), ("ring.L", 0.3)), 0.2),
        (hand(0.5, ("index.L", 0.1)), 0.5),
        (hand(0.5, ("weapon.L", 0.9)), 0.5),
        (hand(0.0, ("weapon.L", 0.9)), 0.9),
        (hand(0.0, ("weapon.L", 0.9), ("index.L", 0.1)), 0.1),
        (hand(0.5, ("weapon.L", 0.9), ("index.L", 0.1)), 0.5),
        (hand(0.5, ("other", 0.2), ("index.L", 0.1)), 0.2),
        (hand(0.0), 0.0),
    ],
    ids=["fingers", "tip", "tip, armed", "armed", "fingers, armed", "all", "another bone", "nothing"],
)
def test_a_hand_aims_along_its_bones_its_tip_or_its_fingers_before_its_weapon(skeleton: Skeleton, aim: float) -> None:
    np.testing.assert_allclose(skeleton.bone_vectors[0], [aim, 0.0, 0.0])


def test_the_hind_leg_of_an_animal_is_from_hip_to_paw_as_it_stands() -> None:
    skeleton = dog()
    assert skeleton.leg_length == pytest.approx(np.hypot(0.0 - 0.08 + 0.1 - 0.02, 0.17 + 0.14 + 0.12))
    straight = skeleton.offsets.copy()
    for side in "LR":
        for part, length in (("shin", 0.2), ("foot", 0.15), ("toe", 0.15)):
            straight[skeleton.roles[f"{part}.{side}"]] = [0.0, 0.0, -length]
    assert replace(skeleton, offsets=straight).leg_length == pytest.approx(0.9 * 0.5), "it stands with bent legs"


def test_scaling_takes_tips_and_roles_along() -> None:
    twice = person().scaled(2.0)
    np.testing.assert_allclose(twice.tips, 2 * person().tips)
    assert twice.roles == person().roles
    other = Skeleton(person().names, (-1, *[0] * 9), person().offsets, person().tips)
    assert not person().matches(other)

"""Legs and arms: what they say about a body, which pairs they are, and how they lie."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.rig.rig_guess.body_tree import BodyTree
from footfall.core.rig.rig_guess.limbs import (
    Limbs,
    find_limbs,
    finger_bone_place,
    is_natural_pose,
    lateral_vector,
    limb_chains,
)
from footfall.core.rig.rig_guess.pairs import MirroredPair
from footfall.tests.support.small_rigs import (
    Bone,
    Point,
    body_tree,
    both_sides,
    chain,
    limbs_of,
    names_of,
    pair_of,
)

TRUNK: list[Bone] = [("hips", "", (0, 0, 4), (0, 0, 6)), ("chest", "hips", (0, 0, 6), (0, 0, 8))]
LEG = both_sides("leg", "hips", (1, 0, 4), (1, 0, 2), (1, 0, 0))
ARM = both_sides("arm", "chest", (1, 0, 8), (3, 0, 8), (5, 0, 8))
PERSON = [*TRUNK, *LEG, *ARM]


def animal(*, paws: float = 0.0, chest: Point = (0, -6, 4)) -> list[Bone]:
    """Return a body whose trunk leads to a chest, and whose front legs end at a height; its hind legs are 4 m long."""
    _, y, z = chest
    trunk: list[Bone] = [("hips", "", (0, 0, 4), chest), ("chest", "hips", chest, (0, y - 1, z))]
    return [*trunk, *LEG, *both_sides("arm", "chest", (1, y, z), (1, y, z / 2), (1, y, paws))]


def test_the_leg_length_is_the_mean_reach_of_both_legs() -> None:
    left = chain("leg.L", "hips", (1, 0, 4), (1, 0, 2), (1, 0, 0))
    right = chain("leg.R", "hips", (-1, 0, 4), (-1, 0, 2), (-1, 0, -1))
    limbs = limbs_of(body_tree([*TRUNK, *left, *right]), arms=None)
    assert limbs.leg_length == (4 + 5) / 2


def test_legs_lead_downward_and_the_trunk_from_the_legs_to_the_arms() -> None:
    limbs = limbs_of(body_tree(PERSON))
    np.testing.assert_allclose(limbs.down_direction, (0, 0, -1), atol=1e-12)
    np.testing.assert_allclose(limbs.trunk_vector, (0, 0, 4), atol=1e-12)


def test_legs_that_stand_apart_lead_down_between_them() -> None:
    spread = both_sides("leg", "hips", (1, 0, 4), (2, 0, 2), (3, 0, 0))
    np.testing.assert_allclose(limbs_of(body_tree([*TRUNK, *spread]), arms=None).down_direction, (0, 0, -1), atol=1e-12)


def test_the_trunk_runs_from_the_legs_parent_up_and_on_to_the_arms_parent() -> None:
    # Hips above a pelvis that the legs hang on: up to them, and outward along the spine.
    trunk: list[Bone] = [
        ("hips", "", (0, 0, 5), (0, 0, 4)),
        ("pelvis", "hips", (0, 0, 4), (0, 0, 3)),
        ("waist", "hips", (0, 0, 5), (0, 0, 6)),
        ("chest", "waist", (0, 0, 6), (0, 0, 8)),
    ]
    legs = [(name, "pelvis" if parent == "hips" else parent, head, tail) for name, parent, head, tail in LEG]
    limbs = limbs_of(body_tree([*trunk, *legs, *ARM]))
    up, outward = limbs.trunk_paths
    assert names_of(limbs.tree, up) == ["pelvis", "hips"]
    assert names_of(limbs.tree, outward) == ["waist", "chest"]


def test_a_trunk_of_one_bone_leads_nowhere() -> None:
    arms = [(name, "hips" if parent == "chest" else parent, head, tail) for name, parent, head, tail in ARM]
    limbs = limbs_of(body_tree([*TRUNK, *LEG, *arms]))
    assert limbs.trunk_paths == ((limbs.legs.parent,), ())


def test_without_arms_the_trunk_is_the_bone_with_the_legs() -> None:
    limbs = limbs_of(body_tree(PERSON), arms=None)
    assert limbs.trunk_paths == ((limbs.legs.parent,), ())


def test_a_body_on_four_legs_is_a_quadruped_and_one_on_two_is_none() -> None:
    assert limbs_of(body_tree(animal())).is_quadruped
    assert not limbs_of(body_tree(PERSON)).is_quadruped
    assert not limbs_of(body_tree(animal()), arms=None).is_quadruped


def with_arms(ahead: float) -> Limbs:
    """Return a person whose straight arms hang down, and ahead by the sine of an angle."""
    down = float(np.sqrt(1 - ahead**2))
    arms = both_sides("arm", "chest", (1, 0, 8), (1, -2 * ahead, 8 - 2 * down), (1, -4 * ahead, 8 - 4 * down))
    return limbs_of(body_tree([*TRUNK, *LEG, *arms]))


@pytest.mark.parametrize(("ahead", "natural"), [(0.0, True), (0.59, True), (0.61, False), (1.0, False)])
def test_arms_that_reach_far_ahead_are_no_standing_pose(ahead: float, natural: bool) -> None:
    limbs = with_arms(ahead)
    assert not limbs.is_quadruped
    assert is_natural_pose(limbs) == natural


def test_arms_out_to_both_sides_are_a_standing_pose() -> None:
    assert is_natural_pose(limbs_of(body_tree(PERSON)))


@pytest.mark.parametrize(("cosine", "natural"), [(-1.0, True), (-0.55, True), (-0.45, False), (0.5, False)])
def test_a_trunk_that_does_not_rise_over_the_legs_is_no_standing_pose(cosine: float, natural: bool) -> None:
    # Arms out to the sides, 10 m from the hips: as far up as the legs lead down, times the cosine.
    sine = float(np.sqrt(1 - cosine**2))
    chest: Point = (0.0, 10 * sine, 4 - 10 * cosine)
    trunk: list[Bone] = [("hips", "", (0, 0, 4), chest), ("chest", "hips", chest, (0.0, chest[1], chest[2] + 1))]
    arms = both_sides("arm", "chest", (1, chest[1], chest[2]), (3, chest[1], chest[2]), (5, chest[1], chest[2]))
    limbs = limbs_of(body_tree([*trunk, *LEG, *arms]))
    assert not limbs.is_quadruped
    assert is_natural_pose(limbs) == natural


def test_an_animal_and_legs_alone_are_in_a_natural_pose() -> None:
    assert is_natural_pose(limbs_of(body_tree(animal())))
    assert is_natural_pose(limbs_of(body_tree(PERSON), arms=None))


def roots(limbs: Limbs | None) -> tuple[str, str | None]:
    """Return the names of a choice's legs and arms."""
    assert limbs is not None
    names = limbs.tree.rig.names
    return names[limbs.legs.first][:-2], names[limbs.arms.first][:-2] if limbs.arms else None


def choose(tree: BodyTree, *names: str) -> Limbs | None:
    """Return the choice among the pairs of some names."""
    return find_limbs(tree, [pair_of(tree, name) for name in names])


def test_without_pairs_there_are_no_limbs() -> None:
    assert find_limbs(body_tree(PERSON), []) is None


def test_chains_of_one_bone_are_no_limbs() -> None:
    ears = both_sides("ear", "chest", (1, 0, 8), (1, 0, 12))
    assert choose(body_tree([*TRUNK, *ears]), "ear") is None


def test_legs_alone_are_limbs_without_arms() -> None:
    assert roots(choose(body_tree([*TRUNK, *LEG]), "leg")) == ("leg.", None)


def spider(count: int) -> Limbs | None:
    """Return the choice among pairs of equal legs on one bone."""
    legs = [
        leg
        for n in range(count)
        for leg in both_sides(f"leg{n}", "trunk", (1, 3 * n, 1), (2, 3 * n, 1), (3, 3 * n, -1))
    ]
    return choose(body_tree([("trunk", "", (0, 0, 1), (0, 0, 2)), *legs]), *(f"leg{n}" for n in range(count)))


def test_two_equal_pairs_on_one_bone_may_be_limbs_and_three_are_none() -> None:
    assert spider(2) is not None
    assert spider(3) is None


# Two pairs on one bone, the one the mirror image of the other: nothing but fingers tells hands from feet.
STAR: list[Bone] = [
    ("trunk", "", (0, 0, 0), (0, 0, 1)),
    *both_sides("upper", "trunk", (1, 0, 2), (2, 0, 4), (2, 0, 6)),
    *both_sides("lower", "trunk", (1, 0, -2), (2, 0, -4), (2, 0, -6)),
]


def fingers(limb: str, z: float, count: int = 3, bones: int = 2, sides: str = "LR") -> list[Bone]:
    """Return chains of fingers at the ends of a pair of limbs of two bones."""
    found: list[Bone] = []
    for side in sides:
        x = 2.0 if side == "L" else -2.0
        for n in range(count):
            points = [(x, 0.1 * n, z + np.sign(z) * 0.1 * place) for place in range(bones + 1)]
            found += chain(f"{limb}{n}.{side}", f"{limb}.{side}2", *points)
    return found


@pytest.mark.parametrize(("hands", "z", "feet"), [("upper", 6.0, "lower"), ("lower", -6.0, "upper")])
def test_the_limbs_with_fingers_are_the_arms(hands: str, z: float, feet: str) -> None:
    tree = body_tree([*STAR, *fingers(hands, z)])
    assert roots(choose(tree, "upper", "lower")) == (f"{feet}.", f"{hands}.")


def test_arms_on_a_bone_of_their_own_come_before_arms_on_the_legs_bone() -> None:
    # Two pairs of arms in one place, one on the hips and one on the chest, which has a head, as the hips have a chest.
    trunk: list[Bone] = [
        ("hips", "", (0, 0, 4), (0, 0, 6)),
        ("chest", "hips", (0, 0, 6), (0, 0, 8)),
        ("head", "chest", (0, 0, 8), (0, 0, 10)),
    ]
    places: tuple[Point, ...] = ((1, 0, 8), (3, 0, 8), (5, 0, 8))
    tree = body_tree([*trunk, *LEG, *both_sides("low", "hips", *places), *both_sides("high", "chest", *places)])
    for order in (("leg", "low", "high"), ("high", "low", "leg")):
        assert roots(choose(tree, *order)) == ("leg.", "high.")


@pytest.mark.parametrize(("near", "far"), [("upper", "lower"), ("lower", "upper")])
def test_of_two_equal_pairs_the_legs_hang_on_the_bone_that_carries_the_other(near: str, far: str) -> None:
    trunk, *limbs = STAR
    carried: Bone = ("carried", "trunk", (0, 0, 0), (0, 0, 1))
    hung = [(name, "carried" if name in (f"{far}.L1", f"{far}.R1") else parent, *ends) for name, parent, *ends in limbs]
    tree = body_tree([trunk, carried, *((name, parent, ends[0], ends[1]) for name, parent, *ends in hung)])
    assert roots(choose(tree, "upper", "lower")) == (f"{near}.", f"{far}.")


def test_long_ears_farther_out_than_the_arms_are_no_arms() -> None:
    trunk: list[Bone] = [*TRUNK, ("head", "chest", (0, 0, 8), (0, 0, 10))]
    ears = both_sides("ear", "head", (1, 0, 10), (3, 0, 10), (5.5, 0, 10))
    tree = body_tree([*trunk, *LEG, *ARM, *ears])
    for order in (("leg", "arm", "ear"), ("ear", "arm", "leg")):
        assert roots(choose(tree, *order)) == ("leg.", "arm.")


def test_limbs_of_two_armatures_are_not_one_body() -> None:
    other: list[Bone] = [("other", "", (0, 1, 6), (0, 1, 8))]
    arms = [(name, "other" if parent == "chest" else parent, head, tail) for name, parent, head, tail in ARM]
    limbs = choose(body_tree([*TRUNK, *LEG, *other, *arms]), "leg", "arm")
    assert limbs is not None and limbs.arms is None


def test_what_hangs_on_a_leg_is_no_arm() -> None:
    trunk: list[Bone] = [("hips", "", (0, 0, 8), (0, 0, 9))]
    legs = both_sides("leg", "hips", (1, 0, 8), (1, 0, 4), (1, 0, 0))
    tree = body_tree(
        [
            *trunk,
            *legs,
            *chain("a.L", "leg.L2", (2, 0, 0), (4, 0, 0), (6, 0, 0)),
            *chain("a.R", "leg.L2", (0, 0, 0), (-2, 0, 0), (-4, 0, 0)),
        ]
    )
    limbs = choose(tree, "leg", "a")
    assert limbs is not None and limbs.arms is None


@pytest.mark.parametrize(("count", "bones", "found"), [(3, 2, True), (2, 2, False), (3, 1, False)])
def test_a_hand_has_three_fingers_of_two_bones(count: int, bones: int, found: bool) -> None:
    tree = body_tree([*STAR, *fingers("upper", 6.0, count, bones)])
    assert finger_bone_place(tree, pair_of_two(tree)) == (1 if found else None)


def pair_of_two(tree: BodyTree) -> MirroredPair:
    """Return the upper pair's chains without the fingers."""
    pair = pair_of(tree, "upper")
    return replace(pair, paths=(pair.paths[0][:2], pair.paths[1][:2]))


def test_fingers_on_one_side_alone_make_no_hands() -> None:
    tree = body_tree([*STAR, *fingers("upper", 6.0, sides="L")])
    assert finger_bone_place(tree, pair_of_two(tree)) is None


def test_a_chain_has_the_starts_of_its_bones_and_the_end_of_the_last() -> None:
    tree = body_tree(PERSON)
    left, right = limb_chains(tree, pair_of(tree, "leg"))
    np.testing.assert_array_equal(left.points, [(1, 0, 4), (1, 0, 2), (1, 0, 0)])
    np.testing.assert_array_equal(right.points, [(-1, 0, 4), (-1, 0, 2), (-1, 0, 0)])
    assert (left.has_tip, left.finger_bone, left.count) == (True, None, 2)


def test_a_chain_of_bones_without_meaningful_ends_has_no_tip() -> None:
    aside = [(name, parent, head, (head[0], 9.0, head[2])) for name, parent, head, _ in PERSON]
    tree = body_tree(aside)
    left, _ = limb_chains(tree, pair_of(tree, "leg"))
    assert not left.has_tip
    np.testing.assert_array_equal(left.points, [(1, 0, 4), (1, 0, 2), (1, 0, 2)])


def test_a_chain_knows_the_bone_with_the_fingers() -> None:
    tree = body_tree([*STAR, *fingers("upper", 6.0)])
    assert [one.finger_bone for one in limb_chains(tree, pair_of(tree, "upper"))] == [1, 1]


def test_of_joints_that_are_all_near_the_sum_tells_the_sides() -> None:
    legs = both_sides("leg", "hips", (0.01, 0, 4), (0.02, 0, 2), (0.02, 0, 0))
    tree = body_tree([*TRUNK, *legs])
    np.testing.assert_allclose(lateral_vector(tree, pair_of(tree, "leg")), (0.02 + 0.04, 0, 0))


def test_the_score_of_a_person_is_the_sum_of_its_signs() -> None:
    """Both limbs of full reach, of two bones each; legs that carry the arms; and a trunk opposite to straight legs."""
    person = 1.0 + 1.0 - 0.4 - 0.4 + 0.5 + 0.6
    head: list[Bone] = [("head", "chest", (0, 0, 8), (0, 0, 10))]
    for bones, more in ((PERSON, 0.0), ([*PERSON, *head], 0.5)):
        tree = body_tree(bones)
        limbs = find_limbs(tree, [pair_of(tree, "leg"), pair_of(tree, "arm")])
        assert limbs is not None and limbs.score == pytest.approx(person + more)

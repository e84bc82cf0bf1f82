"""Twist bones: bones on the line of a limb, numbered along it, on both sides or on none."""

import pytest

from footfall.core.rig.rig_guess.twists import read_twists
from footfall.core.rig.rig_map.roles import SIDES
from footfall.tests.support.small_rigs import Bone, Point, body_tree, bone, both_sides

TRUNK: list[Bone] = [("hips", "", (0, 0, 10), (0, 0, 12))]
LEG = both_sides("leg", "hips", (1, 0, 10), (1, 0, 0), (1, 0, -10), (1, -1, -10))
ROLES = {"thigh": 1, "shin": 2, "foot": 3}


def beside(name: str, parent: int, head: Point, tail: Point, sides: str = "LR") -> list[Bone]:
    """Return a bone at each leg, on the leg's bone of a number."""
    found: list[Bone] = []
    for side in sides:
        sign = 1.0 if side == "L" else -1.0
        ends: list[Point] = [(sign * x, y, z) for x, y, z in (head, tail)]
        found.append((f"{name}.{side}", f"leg.{side}{parent}", ends[0], ends[1]))
    return found


def at(name: str, share: float, *, x: float = 1.0, parent: int = 1, sides: str = "LR") -> list[Bone]:
    """Return twist bones of the thighs, or of the shins, at a share of the way from hip to knee."""
    z = 10 - 10 * share
    return beside(name, parent, (x, 0, z), (x, 0, z - 1), sides)


def twists(*bones: list[Bone], roles: dict[str, int] = ROLES, left_only: bool = False) -> dict[str, str]:
    """Return the names of the bones with the role of a twist."""
    tree = body_tree([*TRUNK, *LEG, *(one for some in bones for one in some)])
    sides = "L" if left_only else SIDES
    mapped = {f"{part}.{side}": bone(tree, f"leg.{side}{n}") for part, n in roles.items() for side in sides}
    return {role: tree.rig.names[found] for role, found in read_twists(tree, mapped).items()}


def test_a_leg_without_further_bones_has_no_twists() -> None:
    assert twists() == {}


def test_a_bone_on_the_line_from_hip_to_knee_twists_the_thigh() -> None:
    assert twists(at("one", 0.5)) == {"thigh_twist.L": "one.L", "thigh_twist.R": "one.R"}


def test_twists_are_numbered_along_the_limb_whatever_their_order() -> None:
    found = twists(at("far", 0.3), at("middle", 0.2), at("near", 0.1))
    assert found == {
        **{f"thigh_twist.{side}": f"near.{side}" for side in SIDES},
        **{f"thigh_twist_2.{side}": f"middle.{side}" for side in SIDES},
        **{f"thigh_twist_3.{side}": f"far.{side}" for side in SIDES},
    }


def test_each_limb_has_twists_of_its_own() -> None:
    shin = beside("low", 2, (1, 0, -5), (1, 0, -6))
    found = twists(at("high", 0.5), shin)
    assert found == {
        **{f"thigh_twist.{side}": f"high.{side}" for side in SIDES},
        **{f"shin_twist.{side}": f"low.{side}" for side in SIDES},
    }


@pytest.mark.parametrize("part", ["thigh", "shin"])
def test_a_limb_without_its_lower_or_its_upper_part_has_no_twists(part: str) -> None:
    assert twists(at("one", 0.5), roles={part: ROLES[part]}) == {}


def test_a_limb_that_only_one_side_has_has_no_twists() -> None:
    assert twists(at("one", 0.5), left_only=True) == {}


def test_twists_that_only_one_side_has_are_none() -> None:
    assert twists(at("one", 0.5, sides="L")) == {}
    assert twists(at("one", 0.25), at("other", 0.75, sides="R")) == {}


@pytest.mark.parametrize(
    ("share", "found"), [(-0.03, False), (-0.01, True), (0.0, True), (0.94, True), (0.96, False), (1.0, False)]
)
def test_a_bone_beside_the_limb_lies_between_its_joints(share: float, found: bool) -> None:
    assert bool(twists(at("one", share))) == found


def in_chain(*shares: float) -> dict[str, str]:
    """Return the twists of thighs with bones in the chain at some shares of the way to the knee."""
    points: list[Point] = [(1, 0, 10), *((1.0, 0.0, 10 - 10 * share) for share in shares), (1, 0, 0), (1, 0, -10)]
    legs = both_sides("leg", "hips", *points)
    tree = body_tree([*TRUNK, *legs])
    shin = len(points) - 1
    roles = {
        f"{part}.{side}": bone(tree, f"leg.{side}{n}") for part, n in (("thigh", 1), ("shin", shin)) for side in SIDES
    }
    return {role: tree.rig.names[found] for role, found in read_twists(tree, roles).items()}


def test_a_bone_in_the_chain_twists_the_limb() -> None:
    assert in_chain(0.5) == {"thigh_twist.L": "leg.L2", "thigh_twist.R": "leg.R2"}


def test_a_bone_with_a_role_is_no_twist() -> None:
    tree = body_tree([*TRUNK, *LEG, *at("one", 0.5)])
    roles = {f"{part}.{side}": bone(tree, f"leg.{side}{n}") for part, n in ROLES.items() for side in SIDES}
    taken = {f"toe.{side}": bone(tree, f"one.{side}") for side in SIDES}
    assert read_twists(tree, roles | taken) == {}


def test_a_branch_that_forks_has_no_twists() -> None:
    forked = [
        *at("one", 0.5),
        *((f"{twig}.{side}", f"one.{side}", (2.0, 0.0, 5.0), (3.0, 0.0, 5.0)) for twig in "ab" for side in SIDES),
    ]
    assert twists(forked) == {}


def test_the_bones_of_a_branch_that_does_not_fork_may_all_be_twists() -> None:
    further: list[Bone] = [
        (f"two.{side}", f"one.{side}", (sign, 0.0, 5.0), (sign, 0.0, 4.0)) for side, sign in (("L", 1.0), ("R", -1.0))
    ]
    found = twists([*at("one", 0.25), *further])
    assert found == {
        **{f"thigh_twist.{side}": f"one.{side}" for side in SIDES},
        **{f"thigh_twist_2.{side}": f"two.{side}" for side in SIDES},
    }


def test_of_bones_in_one_place_the_one_with_the_larger_branch_is_the_twist() -> None:
    further: list[Bone] = [
        (f"two.{side}", f"parent.{side}", (sign, 0.0, 4.0), (sign, 0.0, 3.0))
        for side, sign in (("L", 1.0), ("R", -1.0))
    ]
    found = twists([*at("skin", 0.3), *at("parent", 0.3), *further])
    assert found == {
        **{f"thigh_twist.{side}": f"parent.{side}" for side in SIDES},
        **{f"thigh_twist_2.{side}": f"two.{side}" for side in SIDES},
    }


def test_a_limb_of_no_length_has_no_twists() -> None:
    legs = both_sides("leg", "hips", (1, 0, 10), (1, 0, 10), (1, 0, 0))
    tree = body_tree([*TRUNK, *legs, *at("one", 0.0)])
    roles = {
        f"{part}.{side}": bone(tree, f"leg.{side}{n}") for part, n in (("thigh", 1), ("shin", 2)) for side in SIDES
    }
    assert read_twists(tree, roles) == {}


def test_a_bone_on_another_limb_is_no_twist_of_this_one() -> None:
    # On the line of the thigh, and a child of the hips.
    loose: list[Bone] = [
        (f"one.{side}", "hips", (sign, 0.0, 5.0), (sign, 0.0, 4.0)) for side, sign in (("L", 1.0), ("R", -1.0))
    ]
    assert twists(loose) == {}

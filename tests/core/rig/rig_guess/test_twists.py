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


def test_a_bone_on_the_line_from_hip_to_knee_twists_the_thigh() -> None:
    assert twists(at("one", 0.5)) == {"thigh_twist.L": "one.L", "thigh_twist.R": "one.R"}


def test_twists_are_numbered_along_the_limb_whatever_their_order() -> None:
    found = twists(at("far", 0.3), at("middle", 0.2), at("near", 0.1))
    assert found == {
        **{f"thigh_twist.{side}": f"near.{side}" for side in SIDES},
        **{f"thigh_twist_2.{side}": f"middle.{side}" for side in SIDES},
        **{f"thigh_twist_3.{side}": f"far.{side}" for side in SIDES},
    }


@pytest.mark.parametrize(
    ("share", "found"), [(-0.03, False), (-0.01, True), (0.0, True), (0.94, True), (0.96, False), (1.0, False)]
)
def test_a_bone_beside_the_limb_lies_between_its_joints(share: float, found: bool) -> None:
    assert bool(twists(at("one", share))) == found

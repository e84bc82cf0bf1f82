"""The body found by its shape: the same whatever the bones are called, in which order, unit and axes they come."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.benchmarks.rig_types import RigType, Variety, rig_types
from footfall.core.motion.rotations import Array, rotate, rotation_about_up
from footfall.core.rig.rig_guess import RigTree
from footfall.core.rig.rig_guess.body_tree import build_body_tree
from footfall.core.rig.rig_guess.shape import read_shape
from footfall.tests.support.properties import examples
from footfall.tests.support.small_rigs import Bone, body_tree, both_sides, chain

TYPES = {rig.name: rig for rig in rig_types()}
SMALL = [TYPES[name] for name in ("LaFAN1", "Mixamo", "Unreal, UE4", "DeepMimic", "Rigify metarig", "Dog of MANN")]
rigs = st.sampled_from(SMALL)
seeds = st.integers(0, 1000)


def turns() -> list[Array]:
    """The 24 rotations (3, 3) that bring axes to axes."""
    found = []
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)):
        for signs in np.ndindex(2, 2, 2):
            matrix = np.zeros((3, 3))
            matrix[range(3), order] = 1 - 2 * np.array(signs)
            if np.linalg.det(matrix) > 0:
                found.append(matrix)
    return found


def named(tree: RigTree) -> dict[str, str]:
    """Roles to the names that a tree has, which the shape does not look at."""
    return {role: tree.names[bone] for role, bone in read_shape(build_body_tree(tree)).bones.items()}


def moved(tree: RigTree, matrix: Array, offset: Array | float = 0.0) -> RigTree:
    return RigTree(
        tree.names, tree.parents, tree.heads @ matrix.T + offset, tree.tails @ matrix.T + offset, tree.deform
    )


def test_there_are_24_turns() -> None:
    assert len(turns()) == 24


@pytest.mark.parametrize("rig", SMALL, ids=lambda rig: rig.name)
def test_an_importer_s_axes_do_not_matter(rig: RigType) -> None:
    tree = rig.tree(Variety(arms=20.0))
    expected = named(tree)
    assert {"hips", "thigh.L", "shin.R"} <= set(expected)
    for matrix in turns():
        assert named(moved(tree, matrix)) == expected


@settings(max_examples=examples(15))
@given(rigs, seeds, st.floats(-np.pi, np.pi), st.floats(-3, 3), st.floats(-100, 100))
def test_heading_unit_and_place_do_not_matter(
    rig: RigType, seed: int, angle: float, decades: float, away: float
) -> None:
    tree = rig.tree(Variety.of(seed))
    matrix = rotate(rotation_about_up(angle), np.eye(3)).T * 10.0**decades
    # What a body without feet faces is not to be seen, and taken to be what most armatures face.
    if rig.name != "DeepMimic":
        assert named(moved(tree, matrix, away)) == named(tree)


@settings(max_examples=examples(15))
@given(rigs, seeds, st.randoms(use_true_random=False))
def test_the_order_of_the_bones_does_not_matter(rig: RigType, seed: int, random: object) -> None:
    tree = rig.tree(Variety.of(seed))
    order = list(range(len(tree)))
    random.shuffle(order)  # type: ignore[attr-defined]
    place = {old: new for new, old in enumerate(order)}
    parents = tuple(-1 if tree.parents[old] < 0 else place[tree.parents[old]] for old in order)
    names = tuple(tree.names[old] for old in order)
    shuffled = RigTree(names, parents, tree.heads[order], tree.tails[order], tree.deform[order])
    assert named(shuffled) == named(tree)


@settings(max_examples=examples(10))
@given(rigs, seeds)
def test_names_do_not_matter(rig: RigType, seed: int) -> None:
    tree = rig.tree(Variety.of(seed))
    other = RigTree(tuple(map(str, range(len(tree)))), tree.parents, tree.heads, tree.tails, tree.deform)
    assert {role: tree.names[int(bone)] for role, bone in named(other).items()} == named(tree)


@pytest.mark.parametrize("rig", SMALL, ids=lambda rig: rig.name)
def test_in_a_mirror_left_is_right(rig: RigType) -> None:
    tree = rig.tree(Variety(arms=20.0))
    other = {"L": "R", "R": "L"}
    expected = {role[:-1] + other[role[-1]] if "." in role else role: bone for role, bone in named(tree).items()}
    mirrored = named(moved(tree, np.diag([-1.0, 1.0, 1.0])))
    assert mirrored == expected


def test_bones_that_carry_no_mesh_are_looked_through() -> None:
    rig = TYPES["Rigify"]
    found = named(rig.tree())
    assert found["thigh.L"] == "DEF-thigh.L" and found["forearm.R"] == "DEF-forearm.R"
    assert found["thigh_twist.L"] == "DEF-thigh.L.001"
    assert found["root"] == "root"
    assert not any(bone.startswith(("MCH-", "ORG-")) or "_ik" in bone for bone in found.values())


def test_halves_of_limbs_that_hang_on_a_control_are_hung_together() -> None:
    found = named(TYPES["Auto-Rig Pro"].tree())
    assert found["upper_arm.L"] == "c_arm_twist_offset.l" and found["upper_arm_twist.L"] == "arm_stretch.l"
    assert found["hand.R"] == "hand.r" and found["shin_twist.R"] == "leg_twist.r"


def test_twist_bones_are_numbered_along_the_limb() -> None:
    found = named(TYPES["Unreal, UE5"].tree())
    assert (found["forearm_twist.L"], found["forearm_twist_2.L"]) == ("lowerarm_twist_02_l", "lowerarm_twist_01_l")
    assert (found["thigh_twist.R"], found["thigh_twist_2.R"]) == ("thigh_twist_01_r", "thigh_twist_02_r")


def test_an_animal_stands_on_four_legs() -> None:
    found = named(TYPES["Rigify metarig, four legs"].tree())
    assert found["front_thigh.L"] == "front_thigh.L" and found["thigh.L"] == "thigh.L"
    assert "upper_arm.L" not in found
    assert found["tail_4"] == "spine"


def test_a_rest_that_is_no_pose_is_doubtful() -> None:
    """As in ACCAD's files, where trunk and arms lie along X at rest and the legs along Z."""
    tree = TYPES["ACCAD"].tree()
    upper = [n for n, name in enumerate(tree.names) if not any(part in name for part in ("Leg", "Foot", "Toe", "Hips"))]
    heads, tails = tree.heads.copy(), tree.tails.copy()
    hips = heads[tree.names.index("Hips")]
    lying = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    for points in (heads, tails):
        points[upper] = (points[upper] - hips) @ lying.T + hips
    shape = read_shape(build_body_tree(RigTree(tree.names, tree.parents, heads, tails, tree.deform)))
    assert all(shape.confidence[f"{part}.{side}"] < 0.6 for part in ("upper_arm", "hand") for side in "LR")


# Two hips bones, a head, and legs and arms of two bones, out to the sides; the body looks along -Y.
TRUNK: list[Bone] = [
    ("hips", "", (0, 0, 4), (0, 0, 6)),
    ("chest", "hips", (0, 0, 6), (0, 0, 8)),
    ("head", "chest", (0, 0, 8), (0, 0, 10)),
]
LEGS = both_sides("leg", "hips", (1, 0, 4), (1, 0, 2), (1, 0, 0))


def arms(turn: float = 0.0) -> list[Bone]:
    """Return straight arms, turned about Z, from below the neck."""
    x, y = float(np.cos(turn)), float(np.sin(turn))
    points: list[tuple[float, float, float]] = [(x * n, y * n, 8.0) for n in (1, 3, 5)]
    return [*chain("arm.L", "chest", *points), *chain("arm.R", "chest", *((-x, -y, z) for x, y, z in points))]


def test_a_body_of_two_bones_a_limb_is_read_though_each_limb_has_one_reading() -> None:
    tree = body_tree([*TRUNK, *LEGS, *arms()])
    shape = read_shape(tree)
    assert {role: tree.rig.names[found] for role, found in shape.bones.items()} == {
        "hips": "hips",
        "spine": "chest",
        "head": "head",
        **{f"thigh.{side}": f"leg.{side}1" for side in "LR"},
        **{f"shin.{side}": f"leg.{side}2" for side in "LR"},
        **{f"upper_arm.{side}": f"arm.{side}1" for side in "LR"},
        **{f"forearm.{side}": f"arm.{side}2" for side in "LR"},
    }


def test_a_limb_that_lies_askew_between_the_sides_is_less_certain() -> None:
    straight, askew = (read_shape(body_tree([*TRUNK, *LEGS, *arms(turn)])) for turn in (0.0, np.pi / 3))
    assert straight.bones == askew.bones
    assert askew.confidence["thigh.L"] == straight.confidence["thigh.L"]
    assert askew.confidence["forearm.L"] < straight.confidence["forearm.L"]


def test_a_tree_without_limbs_has_no_roles() -> None:
    shape = read_shape(body_tree(TRUNK))
    assert shape.bones == {} and shape.confidence == {}


def test_a_bone_on_the_ground_that_carries_the_hips_is_the_root() -> None:
    hips, *rest = TRUNK
    root: Bone = ("root", "", (0, 0, 0), (0, 1, 0))
    tree = body_tree([root, ("hips", "root", *hips[2:]), *rest, *LEGS, *arms()])
    shape = read_shape(tree)
    assert tree.rig.names[shape.bones["root"]] == "root"
    assert 0.0 < shape.confidence["root"] < shape.confidence["hips"]


def test_a_twist_is_less_certain_than_its_limb() -> None:
    twists: list[Bone] = [
        (f"twist.{side}", f"leg.{side}1", (sign, 0.0, 3.0), (sign, 0.0, 2.5)) for side, sign in (("L", 1), ("R", -1))
    ]
    tree = body_tree([*TRUNK, *LEGS, *twists, *arms()])
    shape = read_shape(tree)
    for side in "LR":
        assert tree.rig.names[shape.bones[f"thigh_twist.{side}"]] == f"twist.{side}"
        assert 0.0 < shape.confidence[f"thigh_twist.{side}"] < shape.confidence[f"thigh.{side}"]

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


def test_a_bone_on_the_ground_that_carries_the_hips_is_the_root() -> None:
    hips, *rest = TRUNK
    root: Bone = ("root", "", (0, 0, 0), (0, 1, 0))
    tree = body_tree([root, ("hips", "root", *hips[2:]), *rest, *LEGS, *arms()])
    shape = read_shape(tree)
    assert tree.rig.names[shape.bones["root"]] == "root"
    assert 0.0 < shape.confidence["root"] < shape.confidence["hips"]

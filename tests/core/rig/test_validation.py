"""Rig maps with wrong bones: where joints lie at rest tells which."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.rig_types import Variety, rig_types
from footfall.core.motion import Skeleton
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.rotations import Array, from_axis_angle, rotate
from footfall.core.rig.rig_map import RigMap, bind_rig_map, body_skeleton, match_share, shipped_rig_maps
from footfall.core.rig.validation import find_problems
from footfall.tests.support.walker import person

BONES = {
    "hips": "hips",
    "spine": "lowerback",
    "spine_2": "thorax",
    "neck": "lowerneck",
    "head": "head",
    **{
        f"{role}.{side}": side.lower() + bone
        for side in "LR"
        for role, bone in (
            ("shoulder", "clavicle"),
            ("upper_arm", "humerus"),
            ("forearm", "radius"),
            ("hand", "wrist"),
            ("thigh", "femur"),
            ("shin", "tibia"),
            ("foot", "foot"),
            ("toe", "toes"),
        )
    },
}


def body(bones: Mapping[str, str], skeleton: Skeleton | None = None) -> Skeleton:
    skeleton = skeleton or person()
    heads = np.zeros((len(skeleton), 3))
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        heads[joint] = heads[parent] + skeleton.offsets[joint]
    return body_skeleton(RigMap("Test", bones), skeleton.names, heads, heads + skeleton.bone_vectors)


def swapped(*pairs: tuple[str, str]) -> dict[str, str]:
    bones = dict(BONES)
    for one, other in pairs:
        bones[one], bones[other] = bones[other], bones[one]
    return bones


def found(bones: Mapping[str, str]) -> dict[str, str]:
    return find_problems(body(bones), body(BONES))


def test_the_right_bones_raise_no_doubt() -> None:
    assert found(BONES) == {}


@pytest.mark.parametrize(
    "turn",
    [from_axis_angle(np.array([1.0, 0, 0]), np.pi / 2), from_axis_angle(np.array([0, 0, 1.0]), 2.0)],
    ids=["lying", "turned"],
)
def test_bodies_that_lie_or_are_turned_or_small_are_right_too(turn: Array) -> None:
    one = person(0.01)
    other = Skeleton(one.names, one.parents, rotate(turn, one.offsets), rotate(turn, one.tips))
    assert find_problems(body(BONES, other), body(BONES)) == {}


@pytest.mark.parametrize("part", ["thigh", "shin", "foot", "upper_arm", "forearm", "hand"])
def test_left_and_right_swapped(part: str) -> None:
    said = found(swapped((f"{part}.L", f"{part}.R")))
    assert (
        said[f"{part}.L"] == "the bone is on the right side of the body"
        and said[f"{part}.R"] == "the bone is on the left side of the body"
    )


def test_a_whole_body_that_is_swapped_walks_backwards() -> None:
    every = [(role, f"{role[:-1]}R") for role in BONES if role.endswith(".L")]
    assert found(swapped(*every)) == {
        f"toe.{side}": "the bone points backward, as if left and right were swapped" for side in "LR"
    }


@pytest.mark.parametrize(
    ("one", "other", "doubted"),
    [
        ("forearm.L", "hand.L", "forearm.L"),
        ("shin.R", "foot.R", "shin.R"),
        ("foot.L", "toe.L", "toe.L"),
        ("upper_arm.L", "thigh.L", "thigh.L"),
        ("spine", "head", "head"),
    ],
)
def test_bones_out_of_order(one: str, other: str, doubted: str) -> None:
    assert doubted in found(swapped((one, other)))


def test_a_bone_at_the_wrong_place_of_its_limb() -> None:
    skeleton = person()
    offsets = skeleton.offsets.copy()
    offsets[skeleton.names.index("ltibia")] *= 0.4
    short = Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.tips)
    assert find_problems(body(BONES, short), body(BONES)) == {"shin.L": "the bone does not mirror the one on the right"}


@pytest.mark.parametrize(("role", "bone"), [("forearm.L", "lwrist"), ("shin.R", "rfoot"), ("toe.L", "head")])
def test_a_bone_in_place_of_another(role: str, bone: str) -> None:
    bones = {other: name for other, name in BONES.items() if name != bone} | {role: bone}
    assert role in found(bones)


@pytest.mark.parametrize("missing", ["foot.L", "shin.R", "hand.L", "toe.R", "head", "leg", "all but hips"])
def test_missing_bones_cause_no_doubt_about_the_rest(missing: str) -> None:
    legs = ("thigh", "shin", "foot", "toe")
    lost = {"leg": {f"{part}.L" for part in legs}, "all but hips": set(BONES) - {"hips"}}.get(missing, {missing})
    swap = swapped(("forearm.L", "forearm.R"))
    for bones, doubted in ((BONES, False), (swap, missing != "all but hips")):
        some = {role: bone for role, bone in bones.items() if role not in lost}
        assert bool(find_problems(body(some), body(BONES))) == doubted


@pytest.mark.parametrize("seed", [0, 3, 8])
def test_no_doubt_about_any_rig_type_on_any_body(seed: int) -> None:
    for kind in rig_types():
        tree = kind.tree(Variety.of(seed))
        assert find_problems(body_skeleton(kind.truth, tree.names, tree.heads, tree.tails), body(BONES)) == {}, (
            kind.name
        )


def test_real_rest_poses_raise_no_doubt(shared_data: Path) -> None:
    """One clip of every source that a shipped map knows: whatever its rest pose is, its own map is right."""
    known = 0
    for source in sorted(path for path in (shared_data / "mocap").iterdir() if path.is_dir()):
        clip = next(source.rglob("*.bvh"), None)
        if clip is None:
            continue
        skeleton = read_bvh(clip).skeleton
        rig_map = max(shipped_rig_maps().values(), key=lambda rig: match_share(rig, skeleton.names))
        if match_share(rig_map, skeleton.names) > 0.9:
            bones = bind_rig_map(rig_map, skeleton.names).bones
            assert find_problems(body(bones, skeleton), body(BONES)) == {}, source.name
            known += 1
    assert known >= 8


# A body in round places: bones of 2 m, but for feet of 1 m and the shoulders, which are 5 ** 0.5 from the spine.
MIDDLE = {"hips": (0.0, 0.0, 4.0), "spine": (0.0, 0.0, 6.0), "neck": (0.0, 0.0, 8.0), "head": (0.0, 0.0, 9.0)}
SIDED = {
    "upper_arm": (1.0, 0.0, 8.0),
    "forearm": (3.0, 0.0, 8.0),
    "hand": (5.0, 0.0, 8.0),
    "thigh": (1.0, 0.0, 4.0),
    "shin": (1.0, 0.0, 2.0),
    "foot": (1.0, 0.0, 0.0),
    "toe": (1.0, -1.0, 0.0),
}
Place = tuple[float, float, float]


def round_places(both: Mapping[str, Place] | None = None, **moved: Place) -> dict[str, Place]:
    """Return the places by role, with some joints moved: `both` on both sides, others as ``hand_L`` or ``neck``."""
    sided = {**SIDED, **(both or {})}
    places = dict(MIDDLE)
    for part, (x, y, z) in sided.items():
        places |= {f"{part}.L": (x, y, z), f"{part}.R": (-x, y, z)}
    return places | {role.replace("_L", ".L").replace("_R", ".R"): place for role, place in moved.items()}


def placed(places: Mapping[str, Place]) -> Skeleton:
    """Return the body with joints in some places."""
    points = np.array(list(places.values()))
    return body_skeleton(RigMap("Round", {role: role for role in places}), tuple(places), points, points)


def problems(places: Mapping[str, Place], *without: str) -> dict[str, str]:
    kept = {role: place for role, place in places.items() if role.partition(".")[0] not in without}
    return find_problems(placed(kept), placed(round_places()))


@pytest.mark.parametrize(("ratio", "doubted"), [(1.34, False), (1.36, True)])
def test_a_bone_that_is_a_third_longer_than_that_of_the_other_side_ends_in_the_wrong_place(
    ratio: float, doubted: bool
) -> None:
    left, right = (3.0 + 2 * ratio, 0.0, 8.0), (-3.0 - 2 * ratio, 0.0, 8.0)
    assert problems(round_places(hand_L=left)) == (
        {"hand.L": "the bone does not mirror the one on the right"} if doubted else {}
    )
    assert problems(round_places(hand_R=right)) == (
        {"hand.R": "the bone does not mirror the one on the left"} if doubted else {}
    )


@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
def test_a_limb_that_folds_back_is_told_in_any_unit_and_a_bent_one_is_not(size: float) -> None:
    def told(hand: Place) -> dict[str, str]:
        places = round_places(hand_L=hand, hand_R=(-hand[0], hand[1], hand[2]))
        return problems({role: (size * x, size * y, size * z) for role, (x, y, z) in places.items()})

    assert told((1.2, 0.2, 8.0)) == {f"forearm.{side}": "the limb folds back on itself at this bone" for side in "LR"}
    assert told((2.6, -1.9, 8.0)) == {}, "the elbow is bent a little beyond a right angle"


def test_a_bone_of_an_odd_length_is_named_by_its_first_joint() -> None:
    long, short = round_places(both={"hand": (11.0, 0.0, 8.0)}), round_places(both={"hand": (3.4, 0.0, 8.0)})
    assert problems(long) == {f"forearm.{side}": "the bone is unusually long" for side in "LR"}
    assert problems(short) == {f"forearm.{side}": "the bone is unusually short" for side in "LR"}


@pytest.mark.parametrize("side", ["L", "R"])
def test_one_foot_that_points_backward_is_told_alone(side: str) -> None:
    toe = (1.0 if side == "L" else -1.0, 1.0, 0.0)
    assert problems(round_places(**{f"toe_{side}": toe})) == {f"toe.{side}": "the bone points backward"}

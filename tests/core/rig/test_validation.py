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
from footfall.core.rig.validation import COINCIDENT_DISTANCE_RATIO, find_problems
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
    assert said[f"{part}.L"] == "is on the right" and said[f"{part}.R"] == "is on the left"


def test_a_whole_body_that_is_swapped_walks_backwards() -> None:
    every = [(role, f"{role[:-1]}R") for role in BONES if role.endswith(".L")]
    assert found(swapped(*every)) == {
        f"toe.{side}": "points backward, as if left and right were swapped" for side in "LR"
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
    assert find_problems(body(BONES, short), body(BONES)) == {"shin.L": "is not where the right one is"}


@pytest.mark.parametrize(("role", "bone"), [("forearm.L", "lwrist"), ("shin.R", "rfoot"), ("toe.L", "head")])
def test_a_bone_in_place_of_another(role: str, bone: str) -> None:
    bones = {other: name for other, name in BONES.items() if name != bone} | {role: bone}
    assert role in found(bones)


@pytest.mark.parametrize("missing", ["foot.L", "shin.R", "hand.L", "toe.R", "head", "leg", "all but hips"])
def test_what_is_missing_makes_no_doubt_about_the_rest(missing: str) -> None:
    legs = ("thigh", "shin", "foot", "toe")
    lost = {"leg": {f"{part}.L" for part in legs}, "all but hips": set(BONES) - {"hips"}}.get(missing, {missing})
    swap = swapped(("forearm.L", "forearm.R"))
    for bones, doubted in ((BONES, False), (swap, missing != "all but hips")):
        some = {role: bone for role, bone in bones.items() if role not in lost}
        assert bool(find_problems(body(some), body(BONES))) == doubted


@pytest.mark.parametrize("size", [0.5, 2.0])
def test_short_and_long_legs_are_no_mistake(size: float) -> None:
    skeleton = person()
    legs = [name.endswith(("tibia", "foot")) for name in skeleton.names]
    offsets = np.where(np.array(legs)[:, None], skeleton.offsets * size, skeleton.offsets)
    assert (
        find_problems(body(BONES, Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.tips)), body(BONES))
        == {}
    )


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


TOLERANCE = COINCIDENT_DISTANCE_RATIO * 5**0.5
"""Distance within which the joints of the round body coincide."""


def test_the_round_body_is_right() -> None:
    assert problems(round_places()) == {}


@pytest.mark.parametrize(("share", "coincides"), [(0.0, True), (0.24, True), (0.26, False)])
def test_a_joint_within_a_quarter_of_the_tolerance_is_where_the_one_before_is(share: float, coincides: bool) -> None:
    said = problems(round_places(hand_L=(3.0 + share * TOLERANCE, 0.0, 8.0)))
    assert (said.get("hand.L") == "is where the left forearm is") == coincides


@pytest.mark.parametrize(
    ("swapped_parts", "others", "said"),
    [
        (("hand",), 7, True),
        (("hand", "shin"), 7, True),
        (("hand", "shin", "thigh"), 7, False),
        (("hand", "shin"), 5, False),
    ],
)
def test_more_than_three_fifths_of_the_pairs_tell_the_sides(
    swapped_parts: tuple[str, ...], others: int, said: bool
) -> None:
    # Of five pairs, three are no majority.
    places = round_places({part: (-SIDED[part][0], *SIDED[part][1:]) for part in swapped_parts})
    doubted = problems(places, *(("toe", "upper_arm") if others == 5 else ()))
    expected = {
        f"{part}.{side}": f"is on the {'right' if side == 'L' else 'left'}" for part in swapped_parts for side in "LR"
    }
    assert {role: what for role, what in doubted.items() if what.startswith("is on the")} == (expected if said else {})


@pytest.mark.parametrize(("across", "doubted"), [(-0.49, False), (-0.51, True)])
def test_joints_near_the_middle_are_on_no_side(across: float, doubted: bool) -> None:
    # From the left toe to the right one it is twice as far.
    toe = (across * TOLERANCE, -1.0, 0.0)
    expected = {"toe.L": "is on the right", "toe.R": "is on the left"}
    assert problems(round_places({"toe": toe})) == (expected if doubted else {})


@pytest.mark.parametrize(("back", "doubted"), [(0.99, False), (1.01, True)])
def test_one_foot_or_both_may_point_backward(back: float, doubted: bool) -> None:
    toe = (1.0, back * TOLERANCE, 0.0)
    swapped_sides = "points backward, as if left and right were swapped"
    both, one = problems(round_places({"toe": toe})), problems(round_places(toe_L=toe))
    assert (both.get("toe.L") == both.get("toe.R") == swapped_sides) == doubted
    assert (one.get("toe.L") == "points backward") == doubted
    assert "toe.R" not in one


def bent_at_hips(cosine: float) -> dict[str, Place]:
    """Return the body with straight legs ahead, at an angle with this cosine to the trunk, and toes that point up."""
    sine = float(np.sqrt(1 - cosine**2))
    leg = {part: (1.0, -2 * n * sine, 4.0 + 2 * n * cosine) for n, part in enumerate(("thigh", "shin", "foot"))}
    _, y, z = leg["foot"]
    return round_places({**leg, "toe": (1.0, y, z + 1.0)})


@pytest.mark.parametrize(("cosine", "judged"), [(-1.0, True), (-0.71, True), (-0.69, False), (0.0, False)])
def test_in_a_sitting_pose_nothing_is_said_of_sides_and_of_the_order_of_the_spine(cosine: float, judged: bool) -> None:
    places = bent_at_hips(cosine)
    assert problems(places) == {}
    places["hand.L"], places["hand.R"] = places["hand.R"], places["hand.L"]
    assert (problems(places).get("hand.L") == "is on the right") == judged
    assert (problems(bent_at_hips(cosine) | {"neck": (0.0, 0.0, 5.0)}).get("neck") == "is below the spine") == judged


@pytest.mark.parametrize("lost", [(), ("foot", "toe"), ("shin", "foot", "toe")])
def test_the_lowest_joints_of_both_legs_are_the_ground(lost: tuple[str, ...]) -> None:
    places = round_places({"hand": (-5.0, 0.0, 8.0), "thigh": (1.0, 0.0, 3.5)})
    assert problems(places, *lost)["hand.L"] == "is on the right"


def test_without_legs_nothing_is_said_of_sides() -> None:
    said = problems(round_places({"hand": (-5.0, 0.0, 8.0)}), "thigh", "shin", "foot", "toe")
    assert "is on the right" not in said.values()


@pytest.mark.parametrize(("degrees", "folds"), [(0, False), (119, False), (121, True), (180, True)])
def test_an_elbow_that_bends_by_more_than_120_degrees_folds_back(degrees: float, folds: bool) -> None:
    angle = np.radians(degrees)
    hand = (3.0 + 2 * float(np.cos(angle)), -2 * float(np.sin(angle)), 8.0)
    assert problems(round_places({"hand": hand})) == (
        {f"forearm.{side}": "folds back on itself" for side in "LR"} if folds else {}
    )


def test_a_foot_that_points_up_the_leg_does_not_fold_back() -> None:
    assert "folds back on itself" not in problems(round_places({"toe": (1.0, -0.3, 1.0)})).values()


@pytest.mark.parametrize(("fall", "doubted"), [(0.99, False), (1.01, True)])
def test_a_neck_below_the_spine_is_named(fall: float, doubted: bool) -> None:
    said = problems(round_places(neck=(0.0, 0.0, 6.0 - fall * TOLERANCE), head=(0.0, 0.0, 7.0)))
    assert said == ({"neck": "is below the spine"} if doubted else {})


@pytest.mark.parametrize(("ratio", "doubted"), [(1.34, False), (1.36, True)])
def test_a_bone_that_is_a_third_longer_than_that_of_the_other_side_ends_in_the_wrong_place(
    ratio: float, doubted: bool
) -> None:
    left, right = (3.0 + 2 * ratio, 0.0, 8.0), (-3.0 - 2 * ratio, 0.0, 8.0)
    assert problems(round_places(hand_L=left)) == ({"hand.L": "is not where the right one is"} if doubted else {})
    assert problems(round_places(hand_R=right)) == ({"hand.R": "is not where the left one is"} if doubted else {})


def test_of_two_bones_that_differ_the_joint_between_them_is_named() -> None:
    # The left knee is 0.8 m too high: the thigh is 1.2 m long, the shin 2.8 m.
    assert problems(round_places(shin_L=(1.0, 0.0, 2.8))) == {"shin.L": "is not where the right one is"}


def test_arms_that_begin_at_unequal_distances_from_the_spine_are_named() -> None:
    # The left arm as a whole is 2 m farther out.
    out: dict[str, Place] = {
        f"{part}.L": (SIDED[part][0] + 2.0, *SIDED[part][1:]) for part in ("upper_arm", "forearm", "hand")
    }
    assert problems(round_places() | out) == {"upper_arm.L": "is not where the right one is"}


def test_legs_that_begin_at_unequal_distances_from_the_hips_are_named() -> None:
    out: dict[str, Place] = {
        f"{part}.R": (-SIDED[part][0] - 1.0, *SIDED[part][1:]) for part in ("thigh", "shin", "foot", "toe")
    }
    assert problems(round_places() | out) == {"thigh.R": "is not where the left one is"}


def test_the_side_that_is_less_like_the_reference_is_named() -> None:
    assert problems(round_places(hand_R=(-4.4, 0.0, 8.0))) == {"hand.R": "is not where the left one is"}
    assert problems(round_places(hand_L=(4.4, 0.0, 8.0))) == {"hand.L": "is not where the right one is"}


@pytest.mark.parametrize(
    ("ratio", "said"),
    [(3.49, None), (3.51, "is very long"), (1 / 3.49, None), (1 / 3.51, "is very short")],
)
def test_a_bone_of_three_and_a_half_times_the_usual_length_is_odd(ratio: float, said: str | None) -> None:
    found = problems(round_places({"hand": (3.0 + 2 * ratio, 0.0, 8.0)}))
    assert found == ({f"forearm.{side}": said for side in "LR"} if said else {})


@pytest.mark.parametrize("missing", ["hand", "forearm", "toe"])
def test_bones_that_the_reference_lacks_are_of_any_length(missing: str) -> None:
    reference = {role: place for role, place in round_places().items() if not role.startswith(missing)}
    long = round_places({"hand": (13.0, 0.0, 8.0)})
    said = find_problems(placed(long), placed(reference))
    assert said == ({} if missing != "toe" else {f"forearm.{side}": "is very long" for side in "LR"})


def test_the_size_of_the_body_does_not_matter() -> None:
    for size in (0.01, 100.0):
        scaled = {
            role: (size * x, size * y, size * z)
            for role, (x, y, z) in round_places({"hand": (3.0 + 2 * 3.51, 0.0, 8.0)}).items()
        }
        assert problems(scaled) == {f"forearm.{side}": "is very long" for side in "LR"}


def test_the_first_fault_of_a_joint_is_said_and_the_hips_come_first() -> None:
    # The left hand lies where the forearm does, which is also too short.
    said = problems(round_places(neck=(0.0, 0.0, 5.0), hand_L=(3.0, 0.0, 8.0)))
    assert list(said)[:1] == ["neck"]
    assert said["hand.L"] == "is where the left forearm is"

"""The body of a rig map: joints that hang together by their roles, wherever the bones themselves hang."""

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.rig.rig_map import RigMap, body_skeleton

BONES = {
    # role: bone, head, tail
    "root": ("master", (0, 0, 0), (0, 0.5, 0)),
    "hips": ("Hips", (0, 0, 1.0), (0, 0, 1.1)),
    "spine": ("Spine", (0, 0, 1.1), (0, 0, 1.3)),
    "spine_2": ("Chest", (0, 0, 1.3), (0, 0, 1.5)),
    "head": ("Head", (0, 0, 1.5), (0, 0, 1.7)),
    "upper_arm.L": ("Arm", (0.2, 0, 1.4), (0.5, 0, 1.4)),
    "forearm.L": ("ForeArm", (0.5, 0, 1.4), (0.75, 0, 1.4)),
    "forearm_twist.L": ("ForeArmTwist", (0.6, 0, 1.4), (0.7, 0, 1.4)),
    "thigh.L": ("UpLeg", (0.1, 0, 1.0), (0.1, 0, 0.5)),
    "foot.L": ("Foot", (0.1, 0, 0.1), (0.1, -0.2, 0.0)),
}
MAP = RigMap("test", {role: bone for role, (bone, _, _) in BONES.items()})
# In an armature's arbitrary order: the last bones first, and one without a role.
NAMES = ("other", *(bone for bone, _, _ in reversed(BONES.values())))
HEADS = np.array([(9, 9, 9), *(head for _, head, _ in reversed(BONES.values()))], dtype=float)
TAILS = np.array([(9, 9, 8), *(tail for _, _, tail in reversed(BONES.values()))], dtype=float)


def test_the_joints_are_the_bones_and_hang_by_their_roles() -> None:
    body = body_skeleton(MAP, NAMES, HEADS, TAILS)
    carried = {body.names[joint]: body.names[parent] for joint, parent in enumerate(body.parents) if joint}
    assert body.names[0] == "Hips" and "master" not in body.names
    assert carried == {
        "Spine": "Hips",
        "Chest": "Spine",
        "Head": "Chest",
        "Arm": "Chest",
        "ForeArm": "Arm",
        "ForeArmTwist": "ForeArm",
        "UpLeg": "Hips",
        "Foot": "UpLeg",
    }


def test_at_rest_the_joints_are_where_the_bones_begin() -> None:
    body = body_skeleton(MAP, NAMES, HEADS, TAILS)
    at = np.zeros((len(body), 3))
    at[0] = 0, 0, 1.0
    for joint, parent in enumerate(body.parents):
        if joint:
            at[joint] = at[parent] + body.offsets[joint]
    for joint, name in enumerate(body.names):
        np.testing.assert_allclose(at[joint], HEADS[NAMES.index(name)], atol=1e-12)
    np.testing.assert_array_equal(body.offsets[0], 0.0)


def test_only_ends_have_tips() -> None:
    body = body_skeleton(MAP, NAMES, HEADS, TAILS)
    tips = {body.names[joint] for joint in np.flatnonzero(np.any(body.tips != 0, axis=-1))}
    assert tips == {"Head", "ForeArmTwist", "Foot"}
    np.testing.assert_allclose(body.tips[body.names.index("Foot")], (0, -0.2, -0.1))


def test_hands_heads_and_toes_go_on_where_bones_lie_across() -> None:
    """As in games, and in files of other programs."""
    across = {
        "head": ("Head", (0, 0, 1.5), (0.06, 0, 1.5)),
        "hand.L": ("Hand", (0.75, 0, 1.4), (0.75, 0.06, 1.4)),
        "toe.L": ("Toe", (0.1, -0.2, 0.0), (0.1, -0.2, 0.1)),
    }
    bones = {**BONES, **across}
    names, heads, tails = zip(*bones.values(), strict=True)
    rig_map = RigMap("test", {role: bone for role, (bone, _, _) in bones.items()})
    body = body_skeleton(rig_map, names, np.array(heads), np.array(tails))
    for role, tip in {"head": (0, 0, 0.06), "hand.L": (0.06, 0, 0), "toe.L": (0, -0.1, 0)}.items():
        np.testing.assert_allclose(body.tips[body.joint(role)], tip, atol=1e-9)


def test_roles_are_the_map_s_and_the_chest_is_the_last_of_the_spine() -> None:
    body = body_skeleton(MAP, NAMES, HEADS, TAILS)
    assert {role: body.names[joint] for role, joint in body.roles.items()} == {
        **{role: bone for role, bone in MAP.bones.items() if role != "root"},
        "chest": "Chest",
    }
    short = RigMap("short", {"hips": "Hips", "spine": "Spine"})
    assert "chest" not in body_skeleton(short, NAMES, HEADS, TAILS).roles


def test_a_bone_that_is_not_there_is_named() -> None:
    with pytest.raises(FootfallError, match="refers to the bone 'Chest', which does not exist in the armature"):
        body_skeleton(MAP, [name.replace("Chest", "chest") for name in NAMES], HEADS, TAILS)


def test_a_hand_keeps_its_tip_beside_fingers_and_each_finger_its_own() -> None:
    hand = {"hand.L": ("Hand", (0.75, 0, 1.4), (0.85, 0, 1.4)), "index.L": ("One", (0.84, 0, 1.4), (0.87, 0, 1.4))}
    bones = {**BONES, **hand, "index_2.L": ("Two", (0.87, 0, 1.4), (0.9, 0, 1.4))}
    names, heads, tails = zip(*bones.values(), strict=True)
    body = body_skeleton(
        RigMap("test", {role: bone for role, (bone, _, _) in bones.items()}), names, np.array(heads), np.array(tails)
    )
    for role in ("hand.L", "index.L", "index_2.L"):
        joint = body.joint(role)
        _, head, tail = bones[role]
        np.testing.assert_allclose(body.bone_vectors[joint], np.subtract(tail, head), atol=1e-12)
    assert body.names[body.parents[body.joint("index_2.L")]] == "One"

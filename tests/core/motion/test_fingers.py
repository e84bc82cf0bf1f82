"""Fingers with roles: guessed below hands by their names, put on skeletons, and taken off again with weapons."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.motion.fingers import (
    bare_handed,
    finger_roles,
    nearer_role,
    with_finger,
    with_finger_roles,
    with_hands_of,
    without_hand_bones,
)
from footfall.core.motion.roles import guess_fingers, guess_weapons
from footfall.core.motion.weapons import with_weapon
from footfall.tests.support.boxer import BONES_M, KNUCKLES_M, ROLES, boxer
from footfall.tests.support.walker import person

BOXER = boxer()


@pytest.mark.parametrize(
    "names",
    [
        ("mixamorig:RightHandIndex1", "mixamorig:RightHandIndex2", "mixamorig:RightHandIndex3"),
        ("f_index.01.R", "f_index.02.R", "f_index.03.R"),
        ("index_01_r", "index_02_r", "index_03_r"),
        ("CC_Base_R_Index1", "CC_Base_R_Index2", "CC_Base_R_Index3"),
        ("rIndex1", "rIndex2", "rIndex3"),
    ],
)
def test_a_fingers_bones_are_counted_from_the_knuckle(names: tuple[str, ...]) -> None:
    found = guess_fingers(("hips", "hand", *names), (-1, 0, 1, 2, 3), {"hand.R": 1})
    assert found == {"index.R": 2, "index_2.R": 3, "index_3.R": 4}


def test_bones_in_the_palm_and_ends_are_no_fingers() -> None:
    names = ("hand", "pinky_metacarpal_l", "pinky_01_l", "LeftFingerBase", "lfingers", "HandThumb4_end", "lthumb")
    assert guess_fingers(names, (-1, 0, 1, 0, 3, 0, 0), {"hand.L": 0}) == {"pinky.L": 2, "fingers.L": 4, "thumb.L": 6}


def test_a_weapon_on_a_finger_is_a_weapon_and_the_finger_a_finger() -> None:
    names, parents = ("hand", "RightHandIndex1", "Sword", "RightHandIndex2"), (-1, 0, 1, 1)
    assert guess_weapons(names, parents, {"hand.R": 0}) == {"weapon.R": 2}
    assert guess_fingers(names, parents, {"hand.R": 0}) == {"index.R": 1, "index_2.R": 3}


def test_fingers_of_no_hand_are_none() -> None:
    assert guess_fingers(("hips", "hand", "lIndexToe1", "spring"), (-1, 0, 0, 0), {"hand.L": 1}) == {}


def test_skeletons_have_roles_of_fingers_only_where_they_are_asked_for() -> None:
    plain = replace(BOXER.skeleton, roles={})
    assert finger_roles(plain) == ()
    assert finger_roles(with_finger_roles(plain)) == tuple(sorted(ROLES, key=ROLES.index))
    assert with_finger_roles(person()).roles == person().roles


def test_each_joint_hangs_on_the_nearest_one_that_is_there() -> None:
    bare = person()
    assert nearer_role("index_3.R", BOXER.skeleton) == "index_2.R"
    assert nearer_role("index_3.R", bare) == "hand.R"
    far = with_finger(bare, "index_3.R", np.array([-0.17, 0.0, 0.0]), np.array([-0.02, 0.0, 0.0]))
    assert far.parents[-1] == bare.joint("hand.R")
    np.testing.assert_array_equal(far.offsets[-1], [-0.17, 0.0, 0.0])


def test_a_straight_finger_is_as_far_from_the_wrist_as_its_bones_are_long() -> None:
    skeleton = BOXER.skeleton
    hand, last = skeleton.joint("hand.R"), skeleton.joint("index_3.R")
    tip = BOXER.positions[0, last] - BOXER.positions[0, hand]
    assert np.linalg.norm(tip) == pytest.approx(np.hypot(KNUCKLES_M["index"][0] + sum(BONES_M[:2]), 0.03))


def test_a_hand_keeps_its_own_end_beside_fingers_with_roles() -> None:
    own = person()
    tips = own.tips.copy()
    tips[own.joint("hand.R")] = [-0.1, 0.0, 0.0]
    skeleton = replace(own, tips=tips)
    fingered = with_finger(skeleton, "thumb.R", np.array([-0.02, -0.05, 0.0]), np.array([0.0, -0.03, 0.0]))
    np.testing.assert_array_equal(fingered.bone_vectors[fingered.joint("hand.R")], [-0.1, 0.0, 0.0])


def test_fingers_and_weapons_are_taken_off_and_put_on_as_in_a_pose() -> None:
    blade = np.array([0.0, 0.0, 0.8])
    armed = with_weapon(BOXER.skeleton, "hand.R", np.zeros(3), blade)
    assert without_hand_bones(armed).names == without_hand_bones(BOXER.skeleton).names == person().names
    bare = bare_handed(BOXER)
    assert bare_handed(bare) is bare and with_hands_of(bare, bare) is bare
    closed = with_hands_of(bare, BOXER.cut(180, 181))
    count = len(bare.skeleton)
    np.testing.assert_array_equal(closed.rotations[:, :count], BOXER.rotations[:, :count])
    np.testing.assert_array_equal(
        closed.rotations[:, count:], np.repeat(BOXER.rotations[180:181, count:], len(BOXER), 0)
    )

"""Fingers with roles: guessed below hands by their names, put on skeletons, and taken off again with weapons."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.motion.fingers import (
    bare_handed,
    finger_roles,
    with_finger,
    with_finger_roles,
    with_hands_of,
    without_hand_bones,
)
from footfall.core.motion.roles import guess_fingers
from footfall.core.motion.weapons import with_weapon
from footfall.tests.support.boxer import ROLES, boxer
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


def test_skeletons_have_roles_of_fingers_only_where_they_are_asked_for() -> None:
    plain = replace(BOXER.skeleton, roles={})
    assert finger_roles(plain) == ()
    assert finger_roles(with_finger_roles(plain)) == tuple(sorted(ROLES, key=ROLES.index))
    assert with_finger_roles(person()).roles == person().roles


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

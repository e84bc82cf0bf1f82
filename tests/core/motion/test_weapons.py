"""Weapons with bones: guessed below hands by their names, added and taken away, and the places of their tips."""

import numpy as np
import pytest

from footfall.core.motion import Skeleton
from footfall.core.motion.fingers import with_hands_of
from footfall.core.motion.roles import guess_weapons
from footfall.core.motion.rotations import rotate
from footfall.core.motion.weapons import (
    disarmed,
    striking_places,
    tip_in_hand,
    weapon_role,
    weapon_roles,
    without_weapons,
)
from footfall.tests.support.swordsman import swordsman
from footfall.tests.support.walker import person

CUT = swordsman()


@pytest.mark.parametrize("name", ["Sword", "weapon_r", "Katana.001", "mixamorig:RightHandProp", "blade"])
def test_a_weapon_is_the_first_bone_below_a_hand_with_a_word_for_one(name: str) -> None:
    names, parents = ("hips", "rwrist", "rthumb", name, f"{name}_end"), (-1, 0, 1, 1, 3)
    assert guess_weapons(names, parents, {"hand.R": 1}) == {"weapon.R": 3}


def test_a_skeleton_finds_its_weapon_and_the_hand_keeps_its_own_bone() -> None:
    own, wrist = person(), person().joint("hand.R")
    tips = np.vstack([own.tips, [0.0, 0.0, 0.9]])
    tips[wrist] = [-0.09, 0.0, 0.0]
    armed = Skeleton((*own.names, "Sword"), (*own.parents, wrist), np.vstack([own.offsets, [0.0, 0.02, 0.0]]), tips)
    assert weapon_roles(armed) == ("weapon.R",) and weapon_role(armed, "hand.R") == "weapon.R"
    assert weapon_role(armed, "hand.L") == "hand.L"
    np.testing.assert_array_equal(armed.bone_vectors[wrist], [-0.09, 0.0, 0.0])


def test_the_tip_is_at_the_end_of_the_blade() -> None:
    hand, weapon = (CUT.skeleton.joint(role) for role in ("hand.R", "weapon.R"))
    tips = striking_places(CUT, "hand.R")
    np.testing.assert_allclose(
        np.linalg.norm(tips - CUT.positions[:, weapon], axis=-1), np.linalg.norm(CUT.skeleton.tips[weapon])
    )
    at = 180
    there = CUT.positions[at, hand] + rotate(CUT.world[1][at, hand], tip_in_hand(CUT, at, "hand.R"))
    np.testing.assert_allclose(there, tips[at], atol=1e-12)
    np.testing.assert_array_equal(striking_places(CUT, "hand.L"), CUT.positions[:, CUT.skeleton.joint("hand.L")])


def test_a_weapon_is_put_down_and_taken_up_as_in_a_pose() -> None:
    bare = disarmed(CUT)
    assert bare.skeleton.names == person().names == without_weapons(CUT.skeleton).names
    again = with_hands_of(bare, CUT.cut(180, 181))
    np.testing.assert_array_equal(again.rotations[:, :-1], CUT.rotations[:, :-1])
    np.testing.assert_array_equal(again.rotations[:, -1], np.tile(CUT.rotations[180, -1], (len(CUT), 1)))
    assert with_hands_of(bare, bare) is bare

"""Feet that edits place: which points of a body they are, and where they point."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.edit.foot import Foot, feet_of, foot_named
from footfall.core.errors import FootfallError
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.paws import paw_tracks
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import rotate, rotation_about_up
from footfall.tests.support.dog import dog, trot
from footfall.tests.support.walker import Walker

WALK = Walker(seconds=2.0, heading=0.8).clip()
BODY = WALK.skeleton
TROT, STANDS = trot(dog(), 60, travels=True)


def test_the_feet_of_people_are_their_ankles_with_the_contacts_of_heel_and_ball() -> None:
    left, right = feet_of(BODY)
    assert (left.name, right.name) == ("L", "R")
    assert (left.columns, right.columns) == (slice(0, 2), slice(2, 4))
    for foot in (left, right):
        np.testing.assert_allclose(foot.places(WALK), WALK.positions[:, BODY.joint(f"foot.{foot.name}")])
        np.testing.assert_array_equal(foot.turns(WALK), WALK.world[1][:, BODY.joint(f"foot.{foot.name}")])


def test_the_feet_of_dogs_are_their_four_paws_in_the_order_of_their_contacts() -> None:
    feet = feet_of(TROT.skeleton)
    assert sorted(foot.name for foot in feet) == ["L", "R", "front_L", "front_R"]
    tracks = paw_tracks(TROT)
    for number, foot in enumerate(feet):
        assert foot.columns == slice(number, number + 1)
        np.testing.assert_allclose(foot.places(TROT), tracks[:, number], atol=1e-9)


def test_a_foot_stands_while_its_heel_or_its_ball_does() -> None:
    contacts = np.zeros((8, 4))
    contacts[1:3, 0] = contacts[2:5, 1] = contacts[6:7, 3] = 1.0
    left, right = feet_of(BODY)
    assert left.runs(FootContacts(contacts)).tolist() == [[1, 5]]
    assert right.runs(FootContacts(contacts)).tolist() == [[6, 7]]


def test_a_tip_turns_with_the_joint_that_carries_it() -> None:
    joint = BODY.joint("foot.L")
    foot = Foot("L", joint, np.array([0.0, -0.1, 0.05]), slice(0, 2))
    positions, rotations = WALK.positions[:, joint], WALK.world[1][:, joint]
    np.testing.assert_allclose(foot.places(WALK) - positions, rotate(rotations, np.tile(foot.tip, (len(WALK), 1))))


@pytest.mark.parametrize("turn", [0.0, 0.5, -2.0])
def test_a_foot_points_from_its_ankle_to_its_toe(turn: float) -> None:
    turned = WALK.transformed(rotation_about_up(np.array(turn)), np.zeros(3))
    foot = foot_named(BODY, "R")
    before, after = foot.yaw(WALK, 30), foot.yaw(turned, 30)
    assert (after - before - turn + np.pi) % (2 * np.pi) - np.pi == pytest.approx(0.0, abs=1e-9)
    way = WALK.positions[30, BODY.joint("toe.R")] - WALK.positions[30, BODY.joint("foot.R")]
    assert before == pytest.approx(np.arctan2(-way[0], way[1]))


def test_a_paw_points_as_its_body_does_and_so_does_a_foot_without_a_toe() -> None:
    for name in ("L", "front_R"):
        own = root_track(TROT.cut(20, 21)).yaws[0]
        assert foot_named(TROT.skeleton, name).yaw(TROT, 20) == pytest.approx(own)
    roles = {role: joint for role, joint in BODY.roles.items() if not role.startswith("toe")}
    bare = replace(WALK, skeleton=replace(BODY, roles=roles))
    assert feet_of(bare.skeleton)[0].yaw(bare, 30) == pytest.approx(root_track(WALK.cut(30, 31)).yaws[0])


def test_people_have_no_front_feet() -> None:
    assert foot_named(BODY, "L").name == "L"
    with pytest.raises(FootfallError, match="Only four-legged characters have front feet"):
        foot_named(BODY, "front_L")

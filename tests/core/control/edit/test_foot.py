"""Feet that edits place: which points of a body they are, and where they point."""

import numpy as np
import pytest

from footfall.core.control.edit.foot import feet_of, foot_named
from footfall.core.motion.rotations import rotation_about_up
from footfall.tests.support.walker import Walker

WALK = Walker(seconds=2.0, heading=0.8).clip()
BODY = WALK.skeleton


def test_the_feet_of_people_are_their_ankles_with_the_contacts_of_heel_and_ball() -> None:
    left, right = feet_of(BODY)
    assert (left.name, right.name) == ("L", "R")
    assert (left.columns, right.columns) == (slice(0, 2), slice(2, 4))
    for foot in (left, right):
        np.testing.assert_allclose(foot.places(WALK), WALK.positions[:, BODY.joint(f"foot.{foot.name}")])
        np.testing.assert_array_equal(foot.turns(WALK), WALK.world[1][:, BODY.joint(f"foot.{foot.name}")])


@pytest.mark.parametrize("turn", [0.0, 0.5, -2.0])
def test_a_foot_points_from_its_ankle_to_its_toe(turn: float) -> None:
    turned = WALK.transformed(rotation_about_up(np.array(turn)), np.zeros(3))
    foot = foot_named(BODY, "R")
    before, after = foot.yaw(WALK, 30), foot.yaw(turned, 30)
    assert (after - before - turn + np.pi) % (2 * np.pi) - np.pi == pytest.approx(0.0, abs=1e-9)
    way = WALK.positions[30, BODY.joint("toe.R")] - WALK.positions[30, BODY.joint("foot.R")]
    assert before == pytest.approx(np.arctan2(-way[0], way[1]))

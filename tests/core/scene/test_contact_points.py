"""Contacts with objects, and what becomes of them on others."""

import numpy as np
import pytest

from footfall.core.motion import Clip
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import PosedCollider
from footfall.core.scene.contact_points import (
    find_contact_points,
    nearest_surface_point,
    retarget_key_joints,
)
from footfall.tests.support.walker import Walker

STILL = np.array([1.0, 0.0, 0.0, 0.0])
BOX = Collider(np.array([[-0.3, -0.3, 0.0]]), np.array([[0.3, 0.3, 0.5]]))
CLIP = Walker(seconds=3.0, speed=0.8).clip()


def passed(clip: Clip = CLIP) -> tuple[PosedCollider, Clip]:
    """A box that the right hand passes close by in the middle of the clip."""
    hand = clip.positions[len(clip) // 2, clip.skeleton.joint("hand.R")]
    return PosedCollider(BOX, hand - [0.0, 0.0, 0.55], STILL), clip


def test_who_comes_near_touches_for_a_while_and_who_does_not_does_not() -> None:
    contacts = find_contact_points(CLIP, passed()[0])
    assert "hand.R" in contacts
    touching = contacts["hand.R"].in_contact
    assert touching[len(CLIP) // 2] and not touching[0] and not touching[-1]
    far = PosedCollider(BOX, np.array([50.0, 0.0, 0.0]), STILL)
    assert find_contact_points(CLIP, far) == {}


@pytest.mark.parametrize(
    ("point", "nearest"),
    [
        ((0.0, 0.0, 0.9), (0.0, 0.0, 0.5)),
        ((0.0, 0.0, 0.45), (0.0, 0.0, 0.5)),
        ((-0.29, 0.1, 0.2), (-0.3, 0.1, 0.2)),
    ],
)
def test_points_lie_on_the_surface(point: tuple[float, ...], nearest: tuple[float, ...]) -> None:
    np.testing.assert_allclose(nearest_surface_point(BOX, np.array(point)), nearest, atol=1e-9)


def test_joints_follow_the_object_while_they_touch_and_go_back_to_their_own_way() -> None:
    placed, clip = passed()
    contacts = find_contact_points(clip, placed)
    lower = PosedCollider(BOX, placed.position - [0.0, 0.0, 0.1], STILL)
    points = {role: contact.point for role, contact in contacts.items()}
    positions, weights = retarget_key_joints(clip, contacts, points, lower)["hand.R"]
    own, touching = clip.positions[:, clip.skeleton.joint("hand.R")], contacts["hand.R"].in_contact
    np.testing.assert_allclose(positions[touching], own[touching] - [0.0, 0.0, 0.1], atol=1e-9)
    np.testing.assert_array_equal(weights[touching], 1.0)
    np.testing.assert_allclose(positions[[0, -1]], own[[0, -1]], atol=1e-3)
    assert np.abs(np.diff(positions - own, axis=0)).max() < 0.1 / 20

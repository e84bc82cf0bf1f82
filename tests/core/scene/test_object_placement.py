"""Meshes in a scene become interaction objects, and their own origins are known wherever these go."""

import numpy as np
import pytest

from footfall.core.motion.rotations import rotate, rotation_about_up
from footfall.core.scene.object_placement import place_object
from footfall.tests.support.meshes import box, chair

TURN = np.radians(30.0)
PLACE = np.array([1.0, 2.0, 0.1])


@pytest.mark.parametrize("scale", [1.0, 0.5])
@pytest.mark.parametrize("action", ["sit", ""])
def test_the_origin_is_where_the_mesh_was_put(action: str, scale: float) -> None:
    vertices, triangles = chair()
    placed = place_object("chair", vertices + np.array([0.4, 0.0, 0.0]), triangles, PLACE, TURN, action, scale)
    position, rotation = placed.origin_pose(placed.interaction_object)
    np.testing.assert_allclose(scale * position, PLACE, atol=1e-9)
    np.testing.assert_allclose(rotation, rotation_about_up(np.array(TURN)), atol=1e-9)


def test_a_seat_has_its_middle_and_its_front_where_the_mesh_has_them() -> None:
    placed = place_object("chair", *chair(), PLACE, TURN, "sit").interaction_object
    # The back of the chair is at its +Y, so that its front is -Y.
    front = rotate(rotation_about_up(np.array(TURN)), np.array([0.0, -1.0, 0.0]))[:2]
    np.testing.assert_allclose(placed.front_direction, front, atol=1e-6)
    np.testing.assert_allclose(placed.position[:2], PLACE[:2], atol=0.05)


@pytest.mark.parametrize(("opening", "direction"), [("both", None), ("front", [0.0, 1.0]), ("back", [0.0, -1.0])])
def test_a_leaf_opens_to_the_side_that_is_named(opening: str, direction: list[float] | None) -> None:
    leaf = box((-0.45, -0.02, 0.0), (0.45, 0.02, 2.0))
    handle = place_object("door", *leaf, np.zeros(3), 0.0, "open", opening=opening).interaction_object.handle
    assert handle is not None
    assert handle.opens_toward is None if direction is None else handle.opens_toward.tolist() == direction


def test_lengths_of_the_scene_become_those_of_the_controller() -> None:
    """A scene at half size: a leaf of 1 m is one of 2 m for the controller, but is asked for in meters of the scene."""
    leaf = box((0.0, -0.02, 0.0), (1.0, 0.02, 2.0))
    placed = place_object("door", *leaf, PLACE, TURN, "open", scale=0.5)
    made, handle = placed.interaction_object, placed.interaction_object.handle
    assert handle is not None
    np.testing.assert_allclose(
        made.position, (PLACE + rotate(rotation_about_up(TURN), np.array([0.5, 0.0, 0.0]))) / 0.5
    )
    np.testing.assert_allclose(handle.hinge, [-1.0, 0.0, 0.0], atol=1e-12)
    lower, upper = made.collider.bounds
    np.testing.assert_allclose(upper - lower, [2.0, 0.08, 4.0], atol=0.2)
    np.testing.assert_allclose(placed.origin, [-1.0, 0.0, 0.0], atol=1e-12)

"""What characters sense of objects: in closed forms, the same wherever the two are together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.motion.rotations import Array, multiply, rotation_about_up
from footfall.core.scene import environment_sensor
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import PosedCollider
from footfall.core.scene.environment_sensor import SPHERE_RADIUS_M, sense_environment
from footfall.core.scene.interaction_sensor import InteractionVolume

from ...support.meshes import chair

STILL = np.array([1.0, 0.0, 0.0, 0.0])
HERE, AHEAD = np.zeros((1, 3)), np.zeros(1)
WALL = Collider(np.array([[-5.0, 1.0, -1.0]]), np.array([[5.0, 2.0, 5.0]]))


def placed(
    collider: Collider, position: tuple[float, float, float] = (0.0, 0.0, 0.0), yaw: float = 0.0
) -> PosedCollider:
    return PosedCollider(collider, np.array(position), rotation_about_up(np.array(yaw)))


def test_a_wall_ahead_is_sensed_by_how_far_it_is() -> None:
    sensed = sense_environment(HERE, AHEAD, [placed(WALL)])[0]
    gap = np.maximum(
        np.maximum(1.0 - environment_sensor.SPHERE_CENTRES_M[:, 1], environment_sensor.SPHERE_CENTRES_M[:, 1] - 2.0),
        0.0,
    )
    np.testing.assert_allclose(sensed, np.maximum(1 - gap / SPHERE_RADIUS_M, 0.0), atol=1e-5)


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(-3, 3))
def test_what_is_sensed_goes_along_with_character_and_object(x: float, y: float, yaw: float) -> None:
    """Both moved and turned alike: nothing changes."""
    collider = Collider.from_mesh(*chair())
    at = np.array([0.3, 0.9, 0.0])
    before = sense_environment(HERE, AHEAD, [placed(collider, tuple(at), 0.4)])
    turn = rotation_about_up(np.array(yaw))
    there = np.array([x, y, 0.0])
    moved = PosedCollider(collider, _turned(at, yaw) + there, multiply(turn, rotation_about_up(np.array(0.4))))
    after = sense_environment(there[None], np.array([yaw]), [moved])
    np.testing.assert_allclose(after, before, atol=1e-4)
    assert before.any()


def _turned(point: Array, yaw: float) -> Array:
    cosine, sine = np.cos(yaw), np.sin(yaw)
    return np.array([cosine * point[0] - sine * point[1], sine * point[0] + cosine * point[1], point[2]])


def test_each_of_a_crowd_senses_what_it_would_alone() -> None:
    objects = [placed(WALL), placed(Collider.from_mesh(*chair()), (0.5, -0.8, 0.0), 1.0)]
    places, yaws = np.array([[0.0, 0.0, 0.0], [0.4, -0.2, 0.0], [3.0, 0.5, 0.0]]), np.array([0.0, 1.0, -2.0])
    together = sense_environment(places, yaws, objects)
    for row in range(3):
        alone = sense_environment(places[[row]], yaws[[row]], objects)
        np.testing.assert_allclose(together[row], alone[0], atol=1e-6)


def test_cells_of_a_box_are_full_and_where_they_are() -> None:
    collider = Collider(np.array([[0.0, 0.0, 0.0]]), np.array([[0.8, 1.6, 2.4]]))
    volume = InteractionVolume.from_collider(collider)
    sensed = volume.sense(np.array([1.0, 2.0, 0.0]), STILL, HERE, AHEAD)[0]
    np.testing.assert_array_equal(sensed[:, 3], 1.0)
    np.testing.assert_allclose(sensed[0, :3], [1.05, 2.1, 0.15])
    np.testing.assert_allclose(sensed[-1, :3], [1.75, 3.5, 2.25])
    behind = volume.sense(np.array([1.0, 2.0, 0.0]), STILL, HERE, np.array([np.pi]))[0]
    np.testing.assert_allclose(behind[:, :2], -sensed[:, :2], atol=1e-9)


def test_each_character_senses_an_object_at_its_own_place_and_turn() -> None:
    volume = InteractionVolume.from_collider(Collider(np.zeros((1, 3)), np.full((1, 3), 0.8)))
    places, yaws = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 0.0]]), np.array([0.3, -1.0])
    objects = np.array([[0.5, 0.5, 0.0], [2.0, 2.0, 0.1]])
    turns = rotation_about_up(np.array([0.2, 0.9]))
    together = volume.sense(objects, turns, places, yaws)
    assert together.shape == (2, 512, 4)
    for row in range(2):
        alone = volume.sense(objects[row], turns[row], places[[row]], yaws[[row]])[0]
        np.testing.assert_allclose(together[row], alone, atol=1e-12)
    # The first cell's middle, turned and moved, seen from the root.
    world = objects[1] + _turned(volume.centres[0], 0.9)
    np.testing.assert_allclose(together[1, 0, :3], _turned(world - places[1], 1.0), atol=1e-9)

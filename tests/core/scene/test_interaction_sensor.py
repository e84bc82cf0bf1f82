"""What characters sense of objects: in closed forms, the same wherever the two are together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.motion.rotations import Array, multiply, rotation_about_up
from footfall.core.scene import environment_sensor, interaction_sensor
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


def test_there_are_as_many_spheres_as_in_the_released_code() -> None:
    assert environment_sensor.SPHERE_COUNT == 2034
    assert interaction_sensor.CELL_COUNT == 512
    radii = np.linalg.norm(environment_sensor.SPHERE_CENTRES_M[:, :2], axis=-1)
    assert radii.max() == pytest.approx(2.0) and environment_sensor.SPHERE_CENTRES_M[:, 2].max() == pytest.approx(2.0)


def test_a_wall_ahead_is_sensed_by_how_far_it_is() -> None:
    sensed = sense_environment(HERE, AHEAD, [placed(WALL)])[0]
    gap = np.maximum(
        np.maximum(1.0 - environment_sensor.SPHERE_CENTRES_M[:, 1], environment_sensor.SPHERE_CENTRES_M[:, 1] - 2.0),
        0.0,
    )
    np.testing.assert_allclose(sensed, np.maximum(1 - gap / SPHERE_RADIUS_M, 0.0), atol=1e-5)


def test_where_there_is_nothing_nothing_is_sensed() -> None:
    assert not sense_environment(HERE, AHEAD, []).any()
    assert not sense_environment(HERE, AHEAD, [placed(WALL, (0.0, 50.0, 0.0))]).any()


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


def test_cells_beside_the_seat_are_empty_and_those_across_its_edge_are_between() -> None:
    volume = InteractionVolume.from_collider(Collider.from_mesh(*chair(), voxel_size=0.02))
    assert (volume.occupancy == 0.0).any() and (volume.occupancy == 1.0).any()
    assert ((volume.occupancy > 0.0) & (volume.occupancy < 1.0)).any()
    seat = np.argmin(np.linalg.norm(volume.centres - [0.03, 0.03, 0.44], axis=-1))
    under = np.argmin(np.linalg.norm(volume.centres - [0.03, 0.03, 0.2], axis=-1))
    assert volume.occupancy[seat] == 1.0 and volume.occupancy[under] == 0.0


def test_a_block_is_a_shell_below_its_seat() -> None:
    block = InteractionVolume.from_collider(Collider(np.zeros((1, 3)), np.full((1, 3), 0.8)))
    shell = block.hollow_below(0.6)
    np.testing.assert_array_equal(shell.centres, block.centres)
    np.testing.assert_array_equal(shell.occupancy, block.centres[:, 2] > 0.6)


def test_what_is_only_partly_in_a_cell_is_left_in_a_shell() -> None:
    volume = InteractionVolume.from_collider(Collider.from_mesh(*chair(), voxel_size=0.02))
    shell = volume.hollow_below(0.3)
    between = (volume.occupancy > 0.0) & (volume.occupancy < 1.0)
    np.testing.assert_array_equal(shell.occupancy[between], volume.occupancy[between])


def test_cells_are_as_empty_as_their_middles_are_far_from_a_part_in_them() -> None:
    """Two blocks of 1.6 m: the second begins 5 cm beyond the middle of a row of cells of 20 cm."""
    parts = Collider(np.array([[0.0, 0.0, 0.0], [0.75, 0.0, 0.0]]), np.array([[0.1, 1.6, 1.6], [1.6, 1.6, 1.6]]))
    volume = InteractionVolume.from_collider(parts)
    occupancy = volume.occupancy.reshape(8, 8, 8)
    diagonal = 0.2 * np.sqrt(3)
    wanted = [1.0, 0.0, 0.0, 1.0 - 0.05 / diagonal, 1.0, 1.0, 1.0, 1.0]
    np.testing.assert_allclose(occupancy, np.broadcast_to(np.reshape(wanted, (8, 1, 1)), (8, 8, 8)))
    np.testing.assert_allclose(volume.centres.reshape(8, 8, 8, 3)[3, 1, 6], [0.7, 0.3, 1.3])


def test_a_cell_that_a_part_only_borders_on_is_empty() -> None:
    parts = Collider(np.array([[0.0, 0.0, 0.0], [0.4, 0.0, 0.0]]), np.array([[0.2, 1.6, 1.6], [1.6, 1.6, 1.6]]))
    occupancy = InteractionVolume.from_collider(parts).occupancy.reshape(8, 8, 8)
    assert occupancy[:, 0, 0].tolist() == [1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]


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

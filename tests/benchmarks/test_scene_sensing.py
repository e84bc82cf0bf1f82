"""What is measured is what it is called: surfaces stay as they are, plain loops answer alike."""

from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.scene_sensing import (
    CROWD,
    CUBOIDS,
    about,
    divided,
    environment_loop,
    fills,
    interaction_loop,
    same,
    sampled,
)
from footfall.core.motion.rotations import rotation_about_up
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import PosedCollider
from footfall.core.scene.environment_sensor import sense_environment
from footfall.core.scene.interaction_sensor import InteractionVolume
from footfall.core.scene.voxels import voxelise
from footfall.training.interactions.props.mesh_primitives import Mesh, box_mesh
from footfall.training.interactions.props.seats import Chair

MESH = Chair().mesh()


def area(mesh: Mesh) -> float:
    a, b, c = mesh[0][mesh[1]].transpose(1, 0, 2)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=-1).sum()) / 2


@pytest.mark.parametrize("least", [1, 13, 14, 15, 1000])
def test_what_is_cut_is_the_same_surface(least: int) -> None:
    whole = box_mesh((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))
    cut = divided(whole, least)
    assert max(least, 12) <= len(cut[1]) <= max(least, 12) + 2
    assert area(cut) == pytest.approx(area(whole))
    assert same(Collider.from_mesh(*cut), Collider.from_mesh(*whole))


def test_points_are_on_the_surface() -> None:
    points = sampled(box_mesh((0.0, 0.0, 0.0), (1.0, 2.0, 3.0)), 500)
    assert (np.abs(points / [1.0, 2.0, 3.0] - 0.5).max(axis=1) == pytest.approx(0.5)) and points.max() > 2.5


def test_a_collider_that_lacks_a_cuboid_or_has_one_twice_or_between_voxels_is_found_out() -> None:
    collider, voxels = Collider.from_mesh(*MESH, 0.04), voxelise(*MESH, 0.04)
    lower, upper = collider.lower, collider.upper
    assert fills(collider, voxels)
    assert not fills(Collider(lower[1:], upper[1:]), voxels)
    assert not fills(Collider(np.append(lower, lower[:1], axis=0), np.append(upper, upper[:1], axis=0)), voxels)
    assert not fills(Collider(lower, upper + 0.01), voxels)
    assert same(collider, Collider(lower.copy(), upper.copy())) and not same(collider, Collider(lower[1:], upper[1:]))


def test_plain_loops_answer_as_the_sensors_do() -> None:
    thing = PosedCollider(Collider.from_mesh(*MESH), np.array([0.3, 0.8, 0.0]), rotation_about_up(np.array(0.7)))
    places, yaws = np.array([[0.0, 0.0, 0.0], [1.0, 0.2, 0.0]]), np.array([0.4, -2.0])
    sensed = sense_environment(places, yaws, [thing])
    np.testing.assert_allclose(environment_loop(places, yaws, [thing]), sensed, atol=1e-5)
    assert sensed.any()
    volume = InteractionVolume.from_collider(thing.collider)
    seen = volume.sense(thing.position, thing.rotation, places, yaws)
    np.testing.assert_allclose(interaction_loop(volume, thing, places, yaws), seen, atol=1e-9)


def test_so_many_cuboids_are_about_everybody(shared_data: Path) -> None:
    things = about(shared_data / "objects" / "chairs")
    assert sum(len(one.collider.lower) for one in things) == CUBOIDS
    far = [np.linalg.norm(one.to_world(np.array(one.collider.bounds))[:, :2], axis=-1).max() for one in things]
    assert max(far) < 2.0 and CROWD > 1

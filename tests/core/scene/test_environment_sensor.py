"""Spheres around characters, each beside a few boxes, in closed form."""

import numpy as np
import pytest

from footfall.core.motion.rotations import Array, rotation_about_up
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import PosedCollider
from footfall.core.scene.environment_sensor import (
    SPHERE_CENTRES_M,
    SPHERE_RADIUS_M,
    sense_environment,
)


def posed(lower: Array, upper: Array, position: Array | None = None, yaw: float = 0.0) -> PosedCollider:
    place = np.zeros(3) if position is None else position
    return PosedCollider(Collider(np.atleast_2d(lower), np.atleast_2d(upper)), place, rotation_about_up(np.array(yaw)))


def brute_force(position: Array, yaw: float, objects: list[PosedCollider]) -> Array:
    """The occupancy of the spheres by the distances of their centers from all cuboids."""
    cosine, sine = np.cos(yaw), np.sin(yaw)
    turn = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    world = SPHERE_CENTRES_M @ turn + position
    gaps = [one.collider.distances(one.to_local(world)) for one in objects]
    return np.maximum(1.0 - np.min(gaps, axis=0) / SPHERE_RADIUS_M, 0.0)


@pytest.mark.parametrize("seed", range(6))
def test_spheres_are_as_full_as_their_distances_from_all_boxes_say(seed: int) -> None:
    chance = np.random.default_rng(seed)
    objects = []
    for _ in range(4):
        corners = chance.uniform(-0.6, 0.6, (3, 3))
        sizes = chance.uniform(0.02, 0.8, (3, 3))
        objects.append(posed(corners, corners + sizes, chance.uniform(-1.2, 1.2, 3), chance.uniform(-3, 3)))
    position, yaw = chance.uniform(-0.5, 0.5, 3), float(chance.uniform(-3, 3))
    sensed = sense_environment(position[None], np.array([yaw]), objects)[0]
    np.testing.assert_allclose(sensed, brute_force(position, yaw, objects), atol=1e-5)
    assert sensed.any()


def test_a_small_thing_ahead_reaches_into_the_outermost_sphere_alone() -> None:
    thing = posed(np.array([-0.01, 2.1, 0.99]), np.array([0.01, 2.12, 1.01]))
    layers = sense_environment(np.zeros((1, 3)), np.zeros(1), [thing])[0].reshape(9, 226)
    assert np.argwhere(layers).tolist() == [[4, 176]], "a meter up, the first of the eighth ring"
    assert layers[4, 176] == pytest.approx(1.0 - 0.1 / (0.25 * np.sqrt(0.5)), abs=1e-5)

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


@pytest.mark.parametrize(("gap", "reaches"), [(-0.01, True), (0.01, False)])
@pytest.mark.parametrize("side", ["left", "right", "ahead", "behind", "above", "below"])
def test_what_ends_a_radius_beside_the_outermost_spheres_is_not_sensed(side: str, gap: float, reaches: bool) -> None:
    edge = SPHERE_RADIUS_M + gap
    axis, sign = {"left": (0, -1), "right": (0, 1), "behind": (1, -1), "ahead": (1, 1), "below": (2, -1),
                  "above": (2, 1)}[side]  # fmt: skip
    rim = np.sort(SPHERE_CENTRES_M[:, axis])[0 if sign < 0 else -1]
    lower, upper = np.array([-9.0, -9.0, -9.0]), np.array([9.0, 9.0, 9.0])
    if sign > 0:
        lower[axis] = rim + edge
    else:
        upper[axis] = rim - edge
    sensed = sense_environment(np.zeros((1, 3)), np.zeros(1), [posed(lower, upper)])
    assert sensed.any() == reaches


def test_of_two_boxes_the_one_that_fills_a_sphere_more_counts() -> None:
    near, far = (
        posed(np.array([-9.0, 1.05, -9.0]), np.full(3, 9.0)),
        posed(np.array([-9.0, 1.1, -9.0]), np.full(3, 9.0)),
    )
    together = sense_environment(np.zeros((1, 3)), np.zeros(1), [far, near])
    np.testing.assert_array_equal(together, sense_environment(np.zeros((1, 3)), np.zeros(1), [near]))

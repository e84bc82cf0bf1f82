"""Distances from cuboids and ways out of them, quarter turns, and colliders that are made once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.scene.collider import PROXIMITY_RANGE_M, Collider
from footfall.tests.support.properties import examples

from ...support.meshes import chair

ONE = Collider(np.array([[0.0, 0.0, 0.0]]), np.array([[1.0, 2.0, 3.0]]))


def scattered(seed: int, count: int = 60) -> Collider:
    rng = np.random.default_rng(seed)
    lower = rng.uniform(-1.0, 1.0, (count, 3))
    return Collider(lower, lower + rng.uniform(0.02, 0.5, (count, 3)))


@pytest.mark.parametrize(
    ("point", "distance"), [((0.5, 1.0, 1.0), 0.0), ((-3.0, 1.0, -4.0), 5.0), ((1.5, 2.5, 3.5), 0.75**0.5)]
)
def test_distances_from_one_box(point: tuple[float, ...], distance: float) -> None:
    assert ONE.distances(np.array([point]))[0] == pytest.approx(distance)


@given(st.integers(0, 1000))
@settings(max_examples=examples(20))
def test_what_is_near_is_as_near_as_it_is_and_all_else_is_far(seed: int) -> None:
    collider = scattered(seed)
    points = np.random.default_rng(seed + 1).uniform(-2.0, 2.0, (500, 3))
    exact = collider.distances(points)
    np.testing.assert_allclose(
        collider.nearby_distances(points), np.where(exact <= PROXIMITY_RANGE_M, exact, np.inf), atol=1e-5
    )
    off = np.linalg.norm(collider.nearest_points(points) - points, axis=-1)
    np.testing.assert_allclose(off, exact, atol=1e-9)


@pytest.mark.parametrize(
    ("point", "way", "depth"),
    [
        ((0.9, 1.0, 1.5), (0.1, 0.0, 0.0), 0.1),
        ((0.5, 0.3, 1.5), (0.0, -0.3, 0.0), 0.3),
        ((0.5, 1.0, 2.8), (0.0, 0.0, 0.2), 0.2),
        ((1.1, 1.0, 1.5), (0.0, 0.0, 0.0), -0.1),
        ((9.0, 9.0, 9.0), (0.0, 0.0, 0.0), -np.inf),
    ],
)
def test_out_of_one_box_one_goes_to_its_nearest_side(
    point: tuple[float, ...], way: tuple[float, ...], depth: float
) -> None:
    np.testing.assert_allclose(ONE.exit_vectors(np.array([point]))[0], way, atol=1e-9)
    assert ONE.penetration_depths(np.array([point]))[0] == pytest.approx(depth, abs=1e-6)


@pytest.mark.parametrize(
    ("point", "radius", "axis", "sign", "far"),
    [
        ((0.9, 1.0, 1.5), 0.0, 0, 1.0, 0.1),
        ((0.9, 1.0, 1.5), 0.3, 0, 1.0, 0.4),
        ((0.9, 1.0, 1.5), 0.3, 0, -1.0, 1.2),
        ((1.2, 1.0, 1.5), 0.3, 0, 1.0, 0.1),
        ((1.2, 1.0, 1.5), 0.3, 0, -1.0, 1.5),
        ((1.2, 1.0, 1.5), 0.3, 2, 1.0, 1.8),
        ((1.31, 1.0, 1.5), 0.3, 1, 1.0, 0.0),
        ((1.2, 2.2, 1.5), 0.25, 0, 1.0, 0.05),
        ((9.0, 9.0, 9.0), 0.3, 0, 1.0, 0.0),
    ],
)
def test_a_sphere_goes_until_it_is_beside_the_box(
    point: tuple[float, ...], radius: float, axis: int, sign: float, far: float
) -> None:
    assert ONE.exit_distances(np.array([point]), np.array([radius]), axis, sign)[0] == pytest.approx(far, abs=1e-9)


def test_a_collider_of_a_mesh_is_about_the_mesh() -> None:
    collider = Collider.from_mesh(*chair(), voxel_size=0.02)
    lower, upper = collider.bounds
    np.testing.assert_allclose(lower, [-0.25, -0.25, 0.0], atol=0.021)
    np.testing.assert_allclose(upper, [0.25, 0.25, 1.0], atol=0.021)
    assert collider.distances(np.array([[0.0, 0.0, 0.2]]))[0] == pytest.approx(0.2, abs=0.03)


def test_a_footprint_is_of_the_part_between_two_heights() -> None:
    parts = Collider(np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.5]]), np.array([[1.0, 1.0, 0.4], [3.0, 1.0, 0.9]]))
    for low, high, kept in ((0.1, 0.45, [0]), (0.4, 0.5, []), (0.39, 0.51, [0, 1]), (0.9, 2.0, []), (-1.0, 0.0, [])):
        flat = parts.footprint(low, high)
        np.testing.assert_array_equal(flat.lower[:, 0], parts.lower[kept, 0])
        assert (flat.lower[:, 2] == -1.0).all() and (flat.upper[:, 2] == 1.0).all()
    assert parts.upper[0, 2] == 0.4, "the collider itself stays"

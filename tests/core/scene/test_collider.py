"""Distances from cuboids, and colliders that are made once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.scene.collider import KEPT, REACH, Collider, ColliderCache

from .meshes import box, chair

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


def test_the_nearest_point_is_on_the_box_or_the_point_itself() -> None:
    points = np.array([[0.5, 1.0, 1.0], [2.0, 1.0, 5.0]])
    np.testing.assert_allclose(ONE.nearest(points), [[0.5, 1.0, 1.0], [1.0, 1.0, 3.0]])


@given(st.integers(0, 1000))
@settings(max_examples=20)
def test_what_is_near_is_as_near_as_it_is_and_all_else_is_far(seed: int) -> None:
    collider = scattered(seed)
    points = np.random.default_rng(seed + 1).uniform(-2.0, 2.0, (500, 3))
    exact = collider.distances(points)
    np.testing.assert_allclose(collider.near(points), np.where(exact <= REACH, exact, np.inf), atol=1e-5)
    off = np.linalg.norm(collider.nearest(points) - points, axis=-1)
    np.testing.assert_allclose(off, exact, atol=1e-9)


def test_a_collider_of_a_mesh_is_about_the_mesh() -> None:
    collider = Collider.of_mesh(*chair(), size=0.02)
    lower, upper = collider.box
    np.testing.assert_allclose(lower, [-0.25, -0.25, 0.0], atol=0.021)
    np.testing.assert_allclose(upper, [0.25, 0.25, 1.0], atol=0.021)
    assert collider.distances(np.array([[0.0, 0.0, 0.2]]))[0] == pytest.approx(0.2, abs=0.03)


def test_voxels_fit_the_size_of_the_object() -> None:
    small = Collider.of_mesh(*box((0, 0, 0), (0.1, 0.1, 0.1)))
    np.testing.assert_allclose(small.upper - small.lower, 0.1, atol=0.016)


def test_the_same_shape_is_not_made_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    cache, (vertices, triangles) = ColliderCache(), box((0, 0, 0), (1, 1, 1))
    first = cache.of_mesh(vertices, triangles)
    assert cache.of_mesh(vertices.copy(), triangles.copy()) is first
    assert cache.of_mesh(vertices * 1.01, triangles) is not first
    for number in range(KEPT):
        cache.of_mesh(vertices * (2 + 0.1 * number), triangles)
    assert cache.of_mesh(vertices, triangles) is not first

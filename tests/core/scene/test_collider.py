"""Distances from cuboids and ways out of them, quarter turns, and colliders that are made once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.motion.rotations import rotate, rotation_about_up
from footfall.core.scene.collider import PROXIMITY_RANGE_M, Collider, ColliderCache
from footfall.tests.support.properties import examples

from ...support.meshes import box, chair

ONE = Collider(np.array([[0.0, 0.0, 0.0]]), np.array([[1.0, 2.0, 3.0]]))
# Two cuboids that overlap between 0.8 and 1 m: together 1.8 m long.
TWO = Collider(np.array([[0.0, 0.0, 0.0], [0.8, 0.0, 0.0]]), np.array([[1.0, 1.0, 1.0], [1.8, 1.0, 1.0]]))


def scattered(seed: int, count: int = 60) -> Collider:
    rng = np.random.default_rng(seed)
    lower = rng.uniform(-1.0, 1.0, (count, 3))
    return Collider(lower, lower + rng.uniform(0.02, 0.5, (count, 3)))


def deepest(collider: Collider, points: np.ndarray) -> np.ndarray:
    """How far (N) points are from the sides of the cuboid that they are deepest in; less than 0 outside of all."""
    sides = np.minimum(points[:, None] - collider.lower, collider.upper - points[:, None])
    return sides.min(axis=-1).max(axis=-1)


@pytest.mark.parametrize(
    ("point", "distance"), [((0.5, 1.0, 1.0), 0.0), ((-3.0, 1.0, -4.0), 5.0), ((1.5, 2.5, 3.5), 0.75**0.5)]
)
def test_distances_from_one_box(point: tuple[float, ...], distance: float) -> None:
    assert ONE.distances(np.array([point]))[0] == pytest.approx(distance)


def test_the_nearest_point_is_on_the_box_or_the_point_itself() -> None:
    points = np.array([[0.5, 1.0, 1.0], [2.0, 1.0, 5.0]])
    np.testing.assert_allclose(ONE.nearest_points(points), [[0.5, 1.0, 1.0], [1.0, 1.0, 3.0]])


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


def test_one_does_not_go_out_of_one_box_into_another() -> None:
    # The first box ends 5 cm ahead, but the second begins before it does; nothing is nearer than 20 cm to the side.
    points = np.array([[0.95, 0.2, 0.5], [0.95, 0.5, 0.7]])
    np.testing.assert_allclose(TWO.exit_vectors(points), [[0.0, -0.2, 0.0], [0.0, 0.0, 0.3]], atol=1e-9)
    np.testing.assert_allclose(TWO.penetration_depths(points), [0.2, 0.3], atol=1e-9)


def test_one_goes_through_a_second_box_where_that_is_the_shortest_way() -> None:
    long = Collider(np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0]]), np.array([[0.1, 1.0, 1.0], [0.2, 1.0, 1.0]]))
    np.testing.assert_allclose(long.exit_vectors(np.array([[0.06, 0.5, 0.5]])), [[-0.06, 0.0, 0.0]], atol=1e-9)
    np.testing.assert_allclose(long.exit_vectors(np.array([[0.1, 0.5, 0.5]]))[0, 1:], 0.0)
    np.testing.assert_allclose(
        long.penetration_depths(np.array([[0.09, 0.5, 0.5], [0.1, 0.5, 0.5]])), [0.09, 0.1], atol=1e-9
    )


def test_outside_depths_are_distances_below_zero_and_at_the_side_they_are_zero() -> None:
    points = np.array([[0.5, 1.0, 3.0], [0.5, 1.0, 3.1], [-0.03, 1.0, 3.04], [0.5, 1.0, 3.0 + 1.1 * PROXIMITY_RANGE_M]])
    np.testing.assert_allclose(ONE.penetration_depths(points), [0.0, -0.1, -0.05, -np.inf], atol=1e-6)


@given(st.integers(0, 1000))
@settings(max_examples=examples(20))
def test_who_went_out_is_in_no_cuboid(seed: int) -> None:
    collider = scattered(seed)
    points = np.random.default_rng(seed + 1).uniform(-1.2, 1.7, (500, 3))
    ways = collider.exit_vectors(points)
    inside, outside = deepest(collider, points) > 1e-5, collider.distances(points) > 1e-5
    assert deepest(collider, points + ways).max() < 2e-6
    assert (np.count_nonzero(ways, axis=-1) <= 1).all(), "along one axis"
    lengths = np.linalg.norm(ways, axis=-1)
    assert inside.any() and (lengths[inside] > 0).all() and (lengths[outside] == 0).all()
    np.testing.assert_array_equal(collider.penetration_depths(points)[inside], lengths[inside])


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


def test_a_sphere_goes_on_through_all_boxes_that_are_too_near() -> None:
    apart = Collider(np.array([[0.0, 0.0, 0.0], [1.3, 0.0, 0.0]]), np.array([[1.0, 1.0, 1.0], [2.0, 1.0, 1.0]]))
    points, radii = np.tile([0.9, 0.5, 0.5], (2, 1)), np.array([0.1, 0.2])
    np.testing.assert_allclose(apart.exit_distances(points, radii, 0, 1.0), [0.2, 1.3], atol=1e-9)
    np.testing.assert_allclose(apart.exit_distances(points, radii, 0, -1.0), [1.0, 1.1], atol=1e-9)


@given(st.integers(0, 1000), st.sampled_from([0, 1, 2]), st.sampled_from([-1.0, 1.0]))
def test_spheres_that_went_out_are_beside_all_cuboids(seed: int, axis: int, sign: float) -> None:
    collider, rng = scattered(seed), np.random.default_rng(seed + 1)
    points, radii = rng.uniform(-1.5, 2.0, (300, 3)), rng.uniform(0.0, 0.25, 300)
    far = collider.exit_distances(points, radii, axis, sign)
    there = points + sign * far[:, None] * np.eye(3)[axis]
    # What is within a micrometer of being out is.
    assert (collider.distances(there) >= radii - 2e-6).all()
    apart = collider.distances(points)
    assert (far >= 0).all() and (far[apart > radii * 3**0.5] == 0).all() and (far[apart < radii - 2e-6] > 0).all()
    np.testing.assert_allclose(collider.exit_distances(there, radii, axis, sign), 0.0, atol=2e-6)
    shorter = points + sign * 0.5 * far[:, None] * np.eye(3)[axis]
    halfway = collider.exit_distances(shorter, radii, axis, sign)
    np.testing.assert_allclose(halfway, 0.5 * far, atol=2e-6, err_msg="nowhere on the way is it out")


@given(st.integers(0, 1000), st.integers(-5, 5))
@settings(max_examples=examples(20))
def test_what_is_turned_by_quarters_is_as_far_from_points_that_are_too(seed: int, quarters: int) -> None:
    collider = scattered(seed)
    turned = collider.rotate_quarter_turns(quarters)
    points = np.random.default_rng(seed + 1).uniform(-2.0, 2.0, (200, 3))
    turn = rotation_about_up(np.array(quarters * np.pi / 2))
    np.testing.assert_allclose(turned.distances(rotate(turn, points)), collider.distances(points), atol=1e-9)
    assert (turned.upper > turned.lower).all()


def test_counter_clockwise_and_four_quarters_are_none() -> None:
    turned = ONE.rotate_quarter_turns(1)
    np.testing.assert_array_equal((turned.lower, turned.upper), [[[-2.0, 0.0, 0.0]], [[0.0, 1.0, 3.0]]])
    for quarters in (0, 4, -4):
        same = TWO.rotate_quarter_turns(quarters)
        np.testing.assert_array_equal((same.lower, same.upper), (TWO.lower, TWO.upper))
    back = TWO.rotate_quarter_turns(1).rotate_quarter_turns(-1)
    np.testing.assert_array_equal((back.lower, back.upper), (TWO.lower, TWO.upper))


def test_a_collider_of_a_mesh_is_about_the_mesh() -> None:
    collider = Collider.from_mesh(*chair(), voxel_size=0.02)
    lower, upper = collider.bounds
    np.testing.assert_allclose(lower, [-0.25, -0.25, 0.0], atol=0.021)
    np.testing.assert_allclose(upper, [0.25, 0.25, 1.0], atol=0.021)
    assert collider.distances(np.array([[0.0, 0.0, 0.2]]))[0] == pytest.approx(0.2, abs=0.03)


def test_voxels_fit_the_size_of_the_object() -> None:
    small = Collider.from_mesh(*box((0, 0, 0), (0.1, 0.1, 0.1)))
    np.testing.assert_allclose(small.upper - small.lower, 0.1, atol=0.016)


def test_the_same_shape_is_not_made_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    cache, (vertices, triangles) = ColliderCache(), box((0, 0, 0), (1, 1, 1))
    first = cache.from_mesh(vertices, triangles)
    assert cache.from_mesh(vertices.copy(), triangles.copy()) is first
    assert cache.from_mesh(vertices * 1.01, triangles) is not first
    monkeypatch.setattr("footfall.core.scene.collider.COLLIDER_CACHE_SIZE", 3)
    for number in range(3):
        cache.from_mesh(vertices * (2 + 0.1 * number), triangles)
    assert cache.from_mesh(vertices, triangles) is not first


def test_a_footprint_is_of_the_part_between_two_heights() -> None:
    parts = Collider(np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.5]]), np.array([[1.0, 1.0, 0.4], [3.0, 1.0, 0.9]]))
    for low, high, kept in ((0.1, 0.45, [0]), (0.4, 0.5, []), (0.39, 0.51, [0, 1]), (0.9, 2.0, []), (-1.0, 0.0, [])):
        flat = parts.footprint(low, high)
        np.testing.assert_array_equal(flat.lower[:, 0], parts.lower[kept, 0])
        assert (flat.lower[:, 2] == -1.0).all() and (flat.upper[:, 2] == 1.0).all()
    assert parts.upper[0, 2] == 0.4, "the collider itself stays"


def test_out_of_a_low_box_one_goes_up_or_else_to_a_side() -> None:
    low = Collider(np.array([[0.0, 0.0, 0.0]]), np.array([[1.0, 2.0, 0.2]]))
    point = np.array([[0.4, 1.0, 0.15]])
    np.testing.assert_allclose(low.exit_vectors(point), [[0.0, 0.0, 0.05]], atol=1e-9)
    np.testing.assert_allclose(low.exit_vectors(point, horizontal=True), [[-0.4, 0.0, 0.0]], atol=1e-9)


def test_of_colliders_the_one_that_was_used_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("footfall.core.scene.collider.COLLIDER_CACHE_SIZE", 2)
    cache, (vertices, triangles) = ColliderCache(), box((0, 0, 0), (1, 1, 1))
    first, second = (cache.from_mesh(size * vertices, triangles) for size in (1.0, 2.0))
    assert cache.from_mesh(vertices, triangles) is first
    cache.from_mesh(3.0 * vertices, triangles)
    assert cache.from_mesh(vertices, triangles) is first
    assert cache.from_mesh(2.0 * vertices, triangles) is not second
    assert cache.from_mesh(vertices, triangles, 0.5) is not first, "of other voxels"
    assert cache.from_mesh(vertices, triangles[::-1]) is not first, "of other faces"

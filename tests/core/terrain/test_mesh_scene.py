"""The ground of meshes: as that of the boxes that they are of, and of planes that tilt."""

import numpy as np
import pytest

from footfall.core.terrain.mesh_scene import MeshScene
from footfall.tests.support.terrain_scenes import Boxes
from footfall.training.interactions.props.mesh_primitives import box_mesh

BOXES = [
    ((-3.0, -2.0, -1.0), (3.0, 2.0, 0.0)),
    ((0.0, -1.0, 0.0), (1.0, 1.0, 0.4)),
    ((-2.0, 0.0, 1.9), (-1.0, 1.5, 2.0)),
]


def mesh_of(boxes: list[tuple[tuple[float, ...], tuple[float, ...]]]) -> MeshScene:
    return MeshScene.of_meshes([box_mesh(*box) for box in boxes])


@pytest.fixture(scope="module")
def points() -> np.ndarray:
    return np.random.default_rng(1).uniform([-4.0, -3.0, -0.5], [4.0, 3.0, 3.0], (5000, 3))


def test_ground_and_ceilings_are_those_of_the_boxes(points: np.ndarray) -> None:
    mesh, boxes = mesh_of(BOXES), Boxes(BOXES)
    assert np.allclose(mesh.heights(points), boxes.heights(points), equal_nan=True)
    assert np.allclose(mesh.ceilings(points), boxes.ceilings(points))


def test_segments_are_blocked_as_by_the_boxes(points: np.ndarray) -> None:
    mesh, boxes = mesh_of(BOXES), Boxes(BOXES)
    ends = points + np.random.default_rng(2).normal(0.0, 0.6, points.shape)
    assert np.array_equal(mesh.blocked(points, ends), boxes.blocked(points, ends))
    assert 0.05 < mesh.blocked(points, ends).mean() < 0.8


def test_normals_point_up_from_a_slope() -> None:
    slope = MeshScene(np.array([[0.0, 0, 0], [4, 0, 2], [4, 4, 2], [0, 4, 0]]), np.array([[0, 2, 1], [0, 2, 3]]))
    normal = slope.normals(np.array([[[1.0, 2.0, 5.0], [3.0, 1.0, 5.0]], [[9.0, 9.0, 5.0], [1.0, 1.0, -5.0]]]))
    tilted = np.array([-0.5, 0.0, 1.0]) / np.sqrt(1.25)
    assert np.allclose(normal, [[tilted, tilted], [[0, 0, 1], [0, 0, 1]]])
    assert np.allclose(slope.heights(np.array([[1.0, 2.0, 5.0]])), 0.5)


def test_a_floor_lies_under_all_of_it() -> None:
    lone = MeshScene(np.zeros((0, 3)), np.zeros((0, 3), dtype=int), floor=0.2)
    assert lone.heights(np.array([[50.0, 3.0, 1.0], [0.0, 0.0, 0.1]])).tolist()[0] == 0.2
    assert lone.blocked(np.array([[0.0, 0.0, 1.0]]), np.array([[0.0, 0.0, 0.0]])).tolist() == [True]


def test_a_wide_mesh_of_many_triangles_is_found_at_every_place() -> None:
    side = np.linspace(-200.0, 200.0, 81)
    x, y = np.meshgrid(side, side)
    vertices = np.stack([x, y, 0.01 * x], axis=-1).reshape(-1, 3)
    corner = (np.arange(80)[:, None] * 81 + np.arange(80)).ravel()
    triangles = np.concatenate(
        [np.stack([corner, corner + 1, corner + 81], 1), np.stack([corner + 1, corner + 82, corner + 81], 1)]
    )
    scene = MeshScene(vertices, triangles)
    places = np.random.default_rng(3).uniform([-199.0, -199.0, 5.0], [199.0, 199.0, 9.0], (20_000, 3))
    assert np.allclose(scene.heights(places), 0.01 * places[:, 0])

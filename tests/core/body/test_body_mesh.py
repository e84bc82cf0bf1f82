"""The surface of a person: closed, symmetric, of people's measures, and of lasting volume when joints bend."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from footfall.core.body import BodyType, Material, SkinnedMesh, body_mesh
from footfall.core.body.design_pose import DesignPose
from footfall.core.body.skinned_mesh import rest_positions
from footfall.core.models.model_file import load_model
from footfall.core.motion import Skeleton
from footfall.core.motion.kinematics import forward_kinematics
from footfall.core.motion.rotations import Array, from_axis_angle, multiply
from footfall.tests.support.dog import dog

SHIPPED = Path(__file__).parents[3] / "presets" / "controllers" / "locomotion.safetensors"
X, Y, Z = np.eye(3)


@pytest.fixture(scope="module")
def person() -> Skeleton:
    return load_model(SHIPPED).skeleton


@pytest.fixture(params=list(BodyType))
def body(request: pytest.FixtureRequest, person: Skeleton) -> SkinnedMesh:
    return body_mesh(person, request.param)


def in_design_pose(body: SkinnedMesh, person: Skeleton) -> Array:
    pose = DesignPose.of(person)
    assert pose is not None
    return body.posed(person, pose.positions, pose.rotations)


def bent(person: Skeleton, turns: Mapping[str, tuple[Array, float]]) -> tuple[Array, Array]:
    """The rest pose with joints turned by degrees about axes of the rest pose."""
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (len(person), 1))
    for role, (axis, degrees) in turns.items():
        joint = person.joint(role)
        rotations[joint] = multiply(rotations[joint], from_axis_angle(axis, np.radians(degrees)))
    return forward_kinematics(person, np.zeros(3), rotations)


def volume(points: Array, faces: list[tuple[int, ...]]) -> float:
    """The volume of faces by the divergence theorem, their open borders closed by fans."""
    halves = [(face[0], face[number], face[number + 1]) for face in faces for number in range(1, len(face) - 1)]
    edges = Counter((face[number - 1], face[number]) for face in faces for number in range(len(face)))
    border = [(end, start) for start, end in edges if (end, start) not in edges]
    middle = points[[start for start, _ in border]].mean(axis=0) if border else np.zeros(3)
    a, b, c = (points[[half[corner] for half in halves]] - middle for corner in range(3))
    return float(np.sum(np.cross(a, b) * c) / 6)


def limb(body: SkinnedMesh, person: Skeleton, role: str) -> list[tuple[int, ...]]:
    """The faces at the left side that hang together with the vertices of a joint."""
    faces = [face for face, kind in zip(body.faces, body.materials, strict=True) if kind == Material.LEFT]
    reached = set(np.flatnonzero((body.joints[:, 0] == person.joint(role)) & (body.weights[:, 0] > 0.9)).tolist())
    while True:
        more = {vertex for face in faces if reached & set(face) for vertex in face} - reached
        if not more:
            return [face for face in faces if reached & set(face)]
        reached |= more


def test_the_surface_is_closed_and_every_edge_has_two_sides(body: SkinnedMesh) -> None:
    edges = Counter((face[number - 1], face[number]) for face in body.faces for number in range(len(face)))
    assert set(edges.values()) == {1} and all((end, start) in edges for start, end in edges)
    assert {vertex for face in body.faces for vertex in face} == set(range(len(body.vertices)))
    assert len(body.vertices) - len(edges) // 2 + len(body.faces) == 2, "it is one piece without handles"
    assert len(body.vertices) < 5000 and {len(face) for face in body.faces} == {4}


def test_weights_sum_to_one_over_at_most_four_joints(body: SkinnedMesh, person: Skeleton) -> None:
    assert body.joints.shape == body.weights.shape == (len(body.vertices), 4)
    np.testing.assert_allclose(body.weights.sum(axis=-1), 1.0)
    assert body.weights.min() >= 0 and body.joints.max() < len(person)


def test_left_and_right_are_mirror_images(body: SkinnedMesh, person: Skeleton) -> None:
    points = in_design_pose(body, person)
    mirrored = points * [-1.0, 1.0, 1.0]
    order, other = np.lexsort(points.round(5).T), np.lexsort(mirrored.round(5).T)
    np.testing.assert_allclose(points[order], mirrored[other], atol=1e-3)
    sizes = Counter(body.materials.tolist())
    assert sizes[Material.LEFT] == sizes[Material.RIGHT] > 0 and sizes[Material.VISOR] > 0


def test_it_has_a_persons_measures_and_flat_soles(body: SkinnedMesh, person: Skeleton) -> None:
    points = in_design_pose(body, person)
    assert points[:, 2].max() == pytest.approx(1.82, abs=0.02), "as tall as the skeleton with its head"
    soles = points[points[:, 2] < 1e-6]
    assert len(soles) > 60 and np.ptp(soles[:, 1]) > 0.2, "soles lie on the ground from heel to toes"
    assert 0.055 < volume(points, body.faces) < 0.095, "55 to 95 liters"


def test_body_types_differ_where_bodies_do(person: Skeleton) -> None:
    wide = {}
    for body_type in BodyType:
        points = in_design_pose(body_mesh(person, body_type), person)
        trunk = np.abs(points[:, 0])[(np.abs(points[:, 0]) < 0.22)]
        heights = points[(np.abs(points[:, 0]) < 0.22), 2]
        wide[body_type] = [trunk[np.abs(heights - at) < 0.02].max() for at in (1.02, 1.24)]
    hips, waist = np.array(wide[BodyType.FEMININE]) - np.array(wide[BodyType.MASCULINE])
    assert hips > 0 and waist < -0.01


@pytest.mark.parametrize(
    ("role", "axis", "degrees"),
    [("forearm.L", Z, -120.0), ("hand.L", X, 90.0), ("shin.L", X, 120.0), ("thigh.L", X, -90.0)],
    ids=["elbow 120", "wrist twisted 90", "knee 120", "hip 90"],
)
def test_a_limb_that_bends_keeps_its_volume(
    body: SkinnedMesh, person: Skeleton, role: str, axis: Array, degrees: float
) -> None:
    before, after = (
        volume(body.posed(person, *bent(person, {role: (axis, angle)})), body.faces) for angle in (0.0, degrees)
    )
    assert abs(after - before) < 0.02 * volume(in_design_pose(body, person), limb(body, person, role))


def test_a_twisted_wrist_is_no_candy_wrapper(body: SkinnedMesh, person: Skeleton) -> None:
    hand, elbow = person.joint("hand.L"), person.joint("forearm.L")
    straight, twisted = (body.posed(person, *bent(person, {"hand.L": (X, degrees)})) for degrees in (0.0, 90.0))
    rest = rest_positions(person)
    along = (body.vertices[:, 0] - rest[elbow, 0]) / (rest[hand, 0] - rest[elbow, 0])
    arm = np.zeros(len(along), dtype=bool)
    arm[list({vertex for face in limb(body, person, "hand.L") for vertex in face})] = True
    near = arm & (along > 0.5) & (along < 1.05)
    radii = [np.linalg.norm((points - rest[hand])[near, 1:], axis=-1) for points in (straight, twisted)]
    np.testing.assert_allclose(radii[1], radii[0], atol=0.003)


def test_other_skeletons_have_rounded_limbs() -> None:
    animal = dog()
    body = body_mesh(animal)
    assert (body.weights[:, 0] == 1.0).all() and set(body.materials.tolist()) <= set(Material)
    assert {animal.joint("front_thigh.L"), animal.joint("thigh.R")} <= set(body.joints[:, 0].tolist())

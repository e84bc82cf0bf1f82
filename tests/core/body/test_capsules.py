"""Bodies of rounded limbs: a stick figure of 1.75 m, whose radii are those of the table."""

from collections import Counter

import numpy as np
import pytest

from footfall.core.body.capsules import bone_ends, capsule_body
from footfall.core.body.skinned_mesh import Material, SkinnedMesh
from footfall.core.motion import Skeleton
from footfall.core.motion.rotations import Array

X, Y, Z = np.eye(3)
RADII_MM = {
    "hips": (150, 110, Material.TRUNK),
    "spine": (130, 100, Material.TRUNK),
    "chest": (150, 110, Material.TRUNK),
    "neck": (55, 55, Material.TRUNK),
    "shoulder.L": (65, 60, Material.LEFT),
    "upper_arm.L": (48, 48, Material.LEFT),
    "upper_arm.R": (48, 48, Material.RIGHT),
    "forearm.R": (38, 38, Material.RIGHT),
    "hand.L": (35, 25, Material.LEFT),
    "thigh.R": (80, 80, Material.RIGHT),
    "shin.L": (55, 55, Material.LEFT),
    "foot.L": (45, 40, Material.LEFT),
    "toe.R": (40, 30, Material.RIGHT),
    "tail": (120, 88, Material.TRUNK),
    "tail_end": (120, 88, Material.TRUNK),
    "finger.L": (9.8, 7, Material.LEFT),
    "root": (50, 50, Material.TRUNK),
}
"""Radii sideways and from front to back, and the color, by joint; joints without roles are thinner than their
ancestors, but those above all roles have radii of their own."""


def figure(*joints: tuple[str, str, Array | tuple[float, ...], Array | tuple[float, ...]]) -> Skeleton:
    """A skeleton of joints with their parents, offsets and tips; all but tails, fingers and roots have roles."""
    names = [name for name, *_ in joints]
    parents = tuple(names.index(parent) if parent else -1 for _, parent, *_ in joints)
    offsets, tips = (np.array([joint[column] for joint in joints], dtype=float) for column in (2, 3))
    roles = {name: joint for joint, name in enumerate(names) if not name.startswith(("tail", "finger", "root"))}
    return Skeleton(tuple(names), parents, offsets, tips, roles)


def stick(height: float = 1.75) -> Skeleton:
    """A figure that looks along -Y, with a tail and a finger on each hand; all of its root lies under its hips."""
    none, up = (0.0, 0.0, 0.0), height / 1.75
    limbs = [
        joint
        for side, sign in (("L", 1.0), ("R", -1.0))
        for joint in (
            (f"thigh.{side}", "hips", (sign * 0.1, 0, 0), none),
            (f"shin.{side}", f"thigh.{side}", (0, 0, -0.45), none),
            (f"foot.{side}", f"shin.{side}", (0, 0, -0.45), none),
            (f"toe.{side}", f"foot.{side}", (0, -0.15, 0), (0, -0.08, 0)),
            (f"shoulder.{side}", "chest", (sign * 0.05, 0, 0.2), none),
            (f"upper_arm.{side}", f"shoulder.{side}", (sign * 0.15, 0, 0), none),
            (f"forearm.{side}", f"upper_arm.{side}", (sign * 0.3, 0, 0), none),
            (f"hand.{side}", f"forearm.{side}", (sign * 0.25, 0, 0), none),
            (f"finger.{side}", f"hand.{side}", (sign * 0.1, 0, 0), (sign * 0.08, 0, 0)),
        )
    ]
    skeleton = figure(
        ("root", "", none, none),
        ("hips", "root", (0, 0, 0.2), none),
        ("spine", "hips", (0, 0, 0.2), none),
        ("chest", "spine", (0, 0, 0.2), none),
        ("neck", "chest", (0, 0, 0.25), none),
        ("head", "neck", (0, 0, 0.1), (0, 0, 0.1)),
        ("tail", "hips", (0, 0.1, -0.2), none),
        ("tail_end", "tail", (0, 0.1, -0.2), (0, 0, -0.3)),
        *limbs,
    )
    return Skeleton(skeleton.names, skeleton.parents, up * skeleton.offsets, up * skeleton.tips, skeleton.roles)


def part(body: SkinnedMesh, joint: int) -> tuple[Array, list[int]]:
    """The vertices (V, 3) that follow a joint, and the materials of their faces."""
    own = np.flatnonzero(body.joints[:, 0] == joint)
    materials = [int(kind) for face, kind in zip(body.faces, body.materials, strict=True) if face[0] in own]
    return body.vertices[own], materials


def capsules(points: Array) -> list[Array]:
    """The vertices (74, 3) of each capsule: six rings of twelve, and the poles at the start and the end."""
    return list(points.reshape(-1, 74, 3))


def test_a_bone_points_to_its_child_to_the_middle_of_its_children_or_to_its_tip() -> None:
    skeleton = stick()
    heads, tails = bone_ends(skeleton)
    ways = tails - heads
    np.testing.assert_allclose(ways[skeleton.joint("shin.L")], [0, 0, -0.45])
    np.testing.assert_allclose(ways[skeleton.joint("chest")], [0, 0, 0.65 / 3], atol=1e-12)
    np.testing.assert_allclose(ways[skeleton.joint("toe.R")], [0, -0.08, 0])
    assert np.ptp(np.concatenate([heads, tails])[:, 2]) == pytest.approx(1.75)


@pytest.mark.parametrize("tip", [(0.0, 0.0, -0.3), (0.0, 0.0, 0.3)])
def test_the_lowest_end_of_all_bones_is_on_the_ground(tip: tuple[float, float, float]) -> None:
    skeleton = figure(("root", "", (5.0, 5.0, 5.0), (0.0, 0.0, 0.0)), ("tail", "root", (0.0, 0.0, -0.4), tip))
    heads, tails = bone_ends(skeleton)
    assert min(heads[:, 2].min(), tails[:, 2].min()) == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(heads[0], [0.0, 0.0, 0.7 if tip[2] < 0 else 0.4])


@pytest.mark.parametrize("height", [1.75, 0.875])
def test_limbs_have_the_radii_of_their_roles(height: float) -> None:
    skeleton = stick(height)
    body = capsule_body(skeleton)
    for name, (across, deep, material) in RADII_MM.items():
        joint = skeleton.names.index(name)
        points, materials = part(body, joint)
        first = capsules(points)[0]
        ring, axis = first[24:36], first[73] - first[72]
        radii = np.linalg.norm(ring - ring.mean(axis=0), axis=-1) * 1000 * 1.75 / height
        np.testing.assert_allclose(radii[[0, 3, 6, 9]], [across, deep, across, deep], err_msg=name)
        np.testing.assert_allclose((ring - ring.mean(axis=0)) @ axis, 0.0, atol=1e-12)
        if name.startswith(("thigh", "spine")):
            np.testing.assert_allclose(np.abs((ring[0] - ring[6]) @ X), 2 * across * height / 1750)
        assert set(materials) == {material}, name


def test_a_limb_is_one_closed_surface_that_looks_outward() -> None:
    body = capsule_body(stick())
    edges = Counter((face[number - 1], face[number]) for face in body.faces for number in range(len(face)))
    assert set(edges.values()) == {1} and all((end, start) in edges for start, end in edges)
    count = len(body.vertices) // 74
    assert len(body.faces) == 84 * count
    assert len(body.vertices) - len(edges) // 2 + len(body.faces) == 2 * count, "as many pieces as capsules"
    for face in body.faces:
        corners = body.vertices[list(face)]
        middle = body.vertices[face[0] // 74 * 74 :][:74].mean(axis=0)
        assert np.cross(corners[1] - corners[0], corners[2] - corners[0]) @ (corners.mean(axis=0) - middle) > 0


def test_a_nose_shows_where_the_head_looks() -> None:
    skeleton = stick()
    limb, nose = capsules(part(capsule_body(skeleton), skeleton.joint("head"))[0])
    np.testing.assert_allclose((limb[72] + limb[73]) / 2, [0.0, 0.0, 1.0], atol=1e-9)
    np.testing.assert_allclose(nose[72:], [[0.0, 0.02, 1.0], [0.0, -0.13, 1.0]], atol=1e-9)
    ring = nose[24:36]
    np.testing.assert_allclose(np.linalg.norm(ring - ring.mean(axis=0), axis=-1), 0.02)
    assert set(part(capsule_body(skeleton), skeleton.joint("head"))[1]) == {Material.TRUNK}
    np.testing.assert_allclose(np.linalg.norm(limb[24:36] - [0, 0, 0.95], axis=-1)[[0, 3]], [0.085, 0.1])

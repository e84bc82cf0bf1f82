"""How far a body is inside walls and boxes, where the walls' places and the body's radii are known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.rotations import rotate, rotation_about_up
from footfall.core.scene.body_capsules import LIMB_CAPSULES, SPHERE_SPACING_M, TRUNK_RADII_M, BodyCapsules
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import AnimatedCollider, PosedCollider
from footfall.tests.support.properties import examples
from footfall.tests.support.walker import Walker, person

STILL = np.array([1.0, 0.0, 0.0, 0.0])
WALL = Collider(np.array([[-5.0, 0.0, -5.0]]), np.array([[5.0, 5.0, 5.0]]))
"""Its face is at its own Y = 0, and it is thick to +Y."""


def standing(scale: float = 1.0, yaw: float = 0.0) -> Clip:
    """A person at rest, arms out, hips at the origin, who looks to -Y."""
    skeleton = person(scale)
    rotations = np.tile(STILL, (1, len(skeleton), 1))
    rotations[:, 0] = rotation_about_up(yaw)
    return Clip(skeleton, 60.0, np.zeros((1, 3)), rotations)


def moved(clip: Clip, way: list[float]) -> Clip:
    return clip.transformed(STILL, np.array(way))


def depth_in_wall(clip: Clip, role: str) -> float:
    body = BodyCapsules.from_skeleton(clip.skeleton)
    return float(body.bone_penetrations(clip, PosedCollider(WALL, np.zeros(3), STILL))[0, body.roles.index(role)])


def test_every_bone_with_a_length_has_a_capsule() -> None:
    roles = set(BodyCapsules.from_skeleton(person()).roles)
    assert roles >= set(TRUNK_RADII_M)
    # This skeleton's wrists end in nothing, and it holds no weapon: where its hands point is not known.
    ends = {f"{part}.{side}" for part in ("hand", "weapon") for side in "LR"}
    assert roles - set(TRUNK_RADII_M) == {f"{part}.{side}" for part in LIMB_CAPSULES for side in "LR"} - ends


def test_spheres_go_along_bones_from_joint_to_joint_and_taper() -> None:
    clip = Walker(seconds=0.5).clip()
    body = BodyCapsules.from_skeleton(clip.skeleton)
    spheres = body.sphere_centres(clip)
    assert spheres.shape == (len(clip), len(body.radii), 3)
    for part, (ends, first, last) in LIMB_CAPSULES.items():
        if not ends:
            continue
        at = np.flatnonzero(body.sphere_capsules == body.roles.index(f"{part}.L"))
        for sphere, role in ((at[0], part), (at[-1], ends)):
            joint = clip.positions[:, clip.skeleton.joint(f"{role}.L")]
            np.testing.assert_allclose(spheres[:, sphere], joint, atol=1e-9)
        np.testing.assert_allclose(body.radii[at[[0, -1]]], [first, last])
        assert np.linalg.norm(np.diff(spheres[:, at], axis=1), axis=-1).max() <= SPHERE_SPACING_M + 1e-9


def test_beside_a_wall_nobody_is_inside_and_who_leans_on_it_is_by_what_their_radius_is_more() -> None:
    # Hips are 11 cm thick about their joint.
    assert depth_in_wall(moved(standing(), [0.0, -0.5, 0.0]), "hips") == 0.0
    assert depth_in_wall(moved(standing(), [0.0, -0.12, 0.0]), "hips") == 0.0
    assert depth_in_wall(moved(standing(), [0.0, -0.1, 0.0]), "hips") == pytest.approx(0.01, abs=1e-5)


@pytest.mark.parametrize("scale", [0.45, 1.0, 1.4])
def test_larger_bodies_are_as_much_thicker(scale: float) -> None:
    clip = moved(standing(scale), [0.0, -0.05 * scale, 0.0])
    assert depth_in_wall(clip, "hips") == pytest.approx(0.06 * scale, abs=1e-5)
    np.testing.assert_allclose(
        sorted({round(float(radius), 6) for radius in BodyCapsules.from_skeleton(clip.skeleton).radii})[-1],
        0.115 * scale,
    )


@given(st.integers(0, 100))
@settings(max_examples=examples(10))
def test_who_is_turned_with_the_object_is_as_deep(seed: int) -> None:
    rng = np.random.default_rng(seed)
    clip, turn, way = Walker(seconds=0.3).clip(), rotation_about_up(rng.uniform(-3, 3)), rng.uniform(-5, 5, 3)
    body = BodyCapsules.from_skeleton(clip.skeleton)
    at = clip.positions[5, clip.skeleton.joint("hips")] + rng.uniform(-0.4, 0.4, 3)
    box = Collider(np.full((1, 3), -0.3), np.full((1, 3), 0.3))
    there = PosedCollider(box, rotate(turn, at) + way, turn)
    expected = body.bone_penetrations(clip, PosedCollider(box, at, STILL))
    np.testing.assert_allclose(body.bone_penetrations(clip.transformed(turn, way), there), expected, atol=1e-5)


def test_what_moves_along_is_as_deep_in_every_frame() -> None:
    clip = Walker(seconds=1.0, speed=1.0).clip()
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    box = Collider(np.full((1, 3), -0.05), np.full((1, 3), 0.05))
    carried = AnimatedCollider(box, hips + np.array([0.0, 0.1, 0.0]), np.tile(STILL, (len(clip), 1)))
    body = BodyCapsules.from_skeleton(clip.skeleton)
    number = body.roles.index("hips")
    np.testing.assert_allclose(body.bone_penetrations(clip, carried)[:, number], 0.06, atol=1e-4)
    left = body.bone_penetrations(clip, carried.at_frame(0))[:, number]
    assert left[0] == pytest.approx(0.06, abs=1e-4) and left[-1] == 0.0


def test_a_skeleton_without_a_head_or_toes_has_the_rest() -> None:
    full = person()
    names = [name for name in full.names if name not in ("head", "ltoes", "rtoes")]
    kept = [full.names.index(name) for name in names]
    parents = tuple(kept.index(full.parents[joint]) if full.parents[joint] >= 0 else -1 for joint in kept)
    bare = Skeleton(tuple(names), parents, full.offsets[kept], full.tips[kept])
    roles = BodyCapsules.from_skeleton(bare).roles
    assert {"hips", "thigh.L", "shin.R"} <= set(roles) and "head" not in roles and "foot.L" not in roles

"""A body of rounded limbs, for animals and other skeletons that are not a person's."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from ..motion import Skeleton
from ..motion.rotations import Array, normalize
from .skinned_mesh import MAX_INFLUENCE_COUNT, Material, SkinnedMesh, rest_positions

MIN_BONE_LENGTH_M: Final = 0.02
ADULT_HEIGHT_M: Final = 1.75
SEGMENT_COUNT: Final = 12
NOSE_LENGTH_M: Final = 0.11
LIMB_RADII_M: Final = {
    "hips": (0.15, 0.11),
    "spine": (0.13, 0.10),
    "chest": (0.15, 0.11),
    "neck": (0.055, 0.055),
    "head": (0.085, 0.10),
    "shoulder": (0.065, 0.06),
    "upper_arm": (0.048, 0.048),
    "forearm": (0.038, 0.038),
    "hand": (0.035, 0.025),
    "thigh": (0.08, 0.08),
    "shin": (0.055, 0.055),
    "foot": (0.045, 0.04),
    "toe": (0.04, 0.03),
}
"""Lateral and front-to-back radius for a person of 1.75 m."""


def bone_ends(skeleton: Skeleton) -> tuple[Array, Array]:
    """Return heads and tails, each (J, 3), of all bones at rest, meters, shifted so that the lowest is at z = 0.

    A bone's tail is at its child, at the mean of its children, or at its tip; without these, the bone continues in its
    parent's direction, or upward.
    """
    heads = rest_positions(skeleton)
    aims = skeleton.bone_vectors.copy()
    for joint, parent in enumerate(skeleton.parents):
        if np.linalg.norm(aims[joint]) < MIN_BONE_LENGTH_M:
            leaf = parent >= 0 and not skeleton.children[joint]
            aims[joint] = aims[parent] / 2 if leaf else (0.0, 0.0, 0.1)
        length = max(float(np.linalg.norm(aims[joint])), MIN_BONE_LENGTH_M)
        aims[joint] = normalize(aims[joint]) * length
    heads[:, 2] -= min(heads[:, 2].min(), (heads + aims)[:, 2].min())
    return heads, heads + aims


def forward_direction(skeleton: Skeleton, heads: Array) -> Array:
    """Return the horizontal direction (3) that a body faces at rest, given the heads (J, 3) of its bones, meters."""
    across = heads[skeleton.joint("thigh.L")] - heads[skeleton.joint("thigh.R")]
    return normalize(np.cross(across, [0.0, 0.0, 1.0]))


def capsule_body(skeleton: Skeleton) -> SkinnedMesh:
    """Return a skinned surface of one capsule for each bone of a skeleton, moved only by that bone."""
    heads, tails = bone_ends(skeleton)
    forward = forward_direction(skeleton, heads)
    scale = float(np.ptp(np.concatenate([heads, tails])[:, 2])) / ADULT_HEIGHT_M
    vertices: list[Array] = []
    faces: list[tuple[int, ...]] = []
    materials: list[int] = []
    joints: list[int] = []
    for joint, start, end, radii, material in _limb_capsules(skeleton, heads, tails):
        points, polygons = _capsule(start, end, np.array(radii) * scale, forward)
        first = len(joints)
        vertices.append(points)
        faces += [tuple(first + corner for corner in polygon) for polygon in polygons]
        materials += [material] * len(polygons)
        joints += [joint] * len(points)
    influences = np.repeat(np.array(joints)[:, None], MAX_INFLUENCE_COUNT, axis=1)
    weights = np.zeros(influences.shape)
    weights[:, 0] = 1.0
    places = np.concatenate(vertices) - (heads[0] - rest_positions(skeleton)[0])
    return SkinnedMesh(places, faces, np.array(materials), influences, weights)


def _limb_capsules(
    skeleton: Skeleton, heads: Array, tails: Array
) -> Iterator[tuple[int, Array, Array, tuple[float, float], Material]]:
    """Yield each capsule of the body: bone, start and end (3), radii for an adult and material.

    A bone has one capsule for each of its children.
    """
    for joint in range(len(skeleton)):
        radii, material = _limb_radii(skeleton, joint)
        ends = {tuple(heads[child].round(4)): heads[child] for child in skeleton.children[joint]} or {(): tails[joint]}
        for end in ends.values():
            if np.linalg.norm(end - heads[joint]) > MIN_BONE_LENGTH_M / 2:
                yield joint, heads[joint], end, radii, material
    if "head" in skeleton.roles:
        # A nose shows the direction of the head.
        head = skeleton.roles["head"]
        middle = (heads[head] + tails[head]) / 2
        nose = middle + NOSE_LENGTH_M * forward_direction(skeleton, heads)
        yield head, middle, nose, (0.02, 0.02), Material.TRUNK


def _limb_radii(skeleton: Skeleton, joint: int) -> tuple[tuple[float, float], Material]:
    """Return a bone's radii and material from its role; without a role, thinner ones from its nearest ancestor."""
    role_of = {bone: role for role, bone in skeleton.roles.items()}
    thinner = 1.0
    while joint >= 0:
        part, _, side = role_of.get(joint, "").removeprefix("front_").partition(".")
        if part in LIMB_RADII_M:
            across, deep = LIMB_RADII_M[part]
            thinner *= 0.35 if part == "hand" and thinner < 1 else 1.0
            return (across * thinner, deep * thinner), Material.of_side(side)
        joint, thinner = skeleton.parents[joint], 0.8
    return (0.05, 0.05), Material.TRUNK


def _capsule(start: Array, end: Array, radii: Array, forward: Array) -> tuple[Array, list[list[int]]]:
    """Return the vertices (V, 3) and faces of a capsule between two points (3).

    ``radii`` are the lateral and the front-to-back radius.
    """
    axis = normalize(end - start)
    across = np.cross(axis, forward if abs(axis @ forward) < 0.9 else [0.0, 0.0, 1.0])
    across = normalize(across)
    deep = np.cross(axis, across)
    cap = min(float(radii.mean()), 0.6 * float(np.linalg.norm(end - start)))
    angles = np.radians([-65.0, -35.0, 0.0, 0.0, 35.0, 65.0])
    centers = np.array([start] * 3 + [end] * 3) + np.outer(np.sin(angles) * cap, axis)
    widths = np.cos(angles)
    widths[3:] *= 0.9
    around = np.linspace(0, 2 * np.pi, SEGMENT_COUNT, endpoint=False)
    circle = np.outer(np.cos(around), across * radii[0]) + np.outer(np.sin(around), deep * radii[1])
    rings = (centers[:, None] + widths[:, None, None] * circle).reshape(-1, 3)
    poles = np.array([start - axis * cap, end + axis * cap])
    faces: list[list[int]] = []
    for ring in range(len(angles) - 1):
        for corner in range(SEGMENT_COUNT):
            a, b = ring * SEGMENT_COUNT + corner, ring * SEGMENT_COUNT + (corner + 1) % SEGMENT_COUNT
            faces.append([a, b, b + SEGMENT_COUNT, a + SEGMENT_COUNT])
    low, high, last = len(rings), len(rings) + 1, (len(angles) - 1) * SEGMENT_COUNT
    for corner in range(SEGMENT_COUNT):
        following = (corner + 1) % SEGMENT_COUNT
        faces.append([low, following, corner])
        faces.append([high, last + corner, last + following])
    return np.concatenate([rings, poles]), faces

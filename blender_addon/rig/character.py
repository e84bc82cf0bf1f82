"""Creation of an armature with a controller's skeleton, and of a simple body for it."""

from collections.abc import Iterator
from typing import Final

import bpy
import numpy as np
from mathutils import Vector

from ...core.motion import Skeleton
from ...core.motion.rotations import Array, normalize

MIN_BONE_LENGTH_M: Final = 0.02
ADULT_HEIGHT_M: Final = 1.75
CLEAR_M: Final = 1.0
"""Distance from one character to the next that is added at the same place."""
CAPSULE_SEGMENTS: Final = 12
NOSE_LENGTH_M: Final = 0.11
# Radius across and from front to back, meters, of a person 1.75 m tall.
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
SIDE_COLORS: Final = {"": (0.62, 0.63, 0.66, 1.0), "L": (0.30, 0.52, 0.80, 1.0), "R": (0.85, 0.48, 0.25, 1.0)}


def add_character(context: bpy.types.Context, skeleton: Skeleton, name: str) -> bpy.types.Object:
    """Add an armature with a mannequin at the 3D cursor, clear of others, in the zero pose, and make it active."""
    if context.object is not None and context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    heads, tails = bone_ends(skeleton)
    place = _clear_place(context, context.scene.cursor.location)
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    context.collection.objects.link(armature)
    for other in context.selected_objects:
        other.select_set(False)
    context.view_layer.objects.active = armature
    armature.select_set(True)
    _make_bones(armature, skeleton, heads, tails)
    armature.location = place
    body = _make_body(armature, skeleton, heads, tails)
    context.collection.objects.link(body)
    return armature


def _clear_place(context: bpy.types.Context, place: Vector) -> Vector:
    """Return a place, or the nearest one beside it along +X at which no other character stands."""
    taken = [one.matrix_world.translation for one in context.scene.objects if one.type == "ARMATURE"]
    clear = place.copy()
    while any((clear - other).length < CLEAR_M / 2 for other in taken):
        clear.x += CLEAR_M
    return clear


def bone_ends(skeleton: Skeleton) -> tuple[Array, Array]:
    """Return the heads and tails (J, 3) of the bones, meters, the lowest of them on the ground.

    A bone points to its child, to the middle of its children, or to its tip; where that is nowhere, up or on along its
    parent.
    """
    heads = np.zeros((len(skeleton), 3))
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        heads[joint] = heads[parent] + skeleton.offsets[joint]
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
    """Return the facing direction at rest (3): level, and perpendicular to the line between the thighs."""
    across = heads[skeleton.joint("thigh.L")] - heads[skeleton.joint("thigh.R")]
    return normalize(np.cross(across, [0.0, 0.0, 1.0]))


def _make_bones(armature: bpy.types.Object, skeleton: Skeleton, heads: Array, tails: Array) -> None:
    forward = forward_direction(skeleton, heads)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = [armature.data.edit_bones.new(name) for name in skeleton.names]
    for joint, bone in enumerate(bones):
        bone.head, bone.tail = heads[joint], tails[joint]
        along = abs(float(normalize(tails[joint] - heads[joint]) @ forward))
        bone.align_roll(Vector((0.0, 0.0, 1.0) if along > 0.7 else -forward))
        parent = skeleton.parents[joint]
        if parent >= 0:
            bone.parent = bones[parent]
            bone.use_connect = bool(np.allclose(heads[joint], tails[parent], atol=1e-6))
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.data.display_type = "STICK"


def _make_body(armature: bpy.types.Object, skeleton: Skeleton, heads: Array, tails: Array) -> bpy.types.Object:
    """Add a mesh with one rounded limb per bone, each completely in its bone's vertex group."""
    mesh = bpy.data.meshes.new(f"{armature.name} Body")
    body = bpy.data.objects.new(mesh.name, mesh)
    vertices: list[Array] = []
    faces: list[list[int]] = []
    sides: list[int] = []
    groups: list[tuple[str, range]] = []
    forward = forward_direction(skeleton, heads)
    scale = float(np.ptp(np.concatenate([heads, tails])[:, 2])) / ADULT_HEIGHT_M
    for joint, start, end, radii, side in limb_capsules(skeleton, heads, tails):
        points, polygons = capsule_mesh(start, end, np.array(radii) * scale, forward)
        first = sum(map(len, vertices))
        vertices.append(points)
        faces.extend([[first + corner for corner in polygon] for polygon in polygons])
        sides.extend([list(SIDE_COLORS).index(side)] * len(polygons))
        groups.append((skeleton.names[joint], range(first, first + len(points))))
    mesh.from_pydata(np.concatenate(vertices).tolist(), [], faces)
    mesh.polygons.foreach_set("material_index", np.array(sides, dtype=np.int32))
    mesh.shade_smooth()
    for side in SIDE_COLORS:
        mesh.materials.append(_side_material(side))
    for name, members in groups:
        group = body.vertex_groups.get(name) or body.vertex_groups.new(name=name)
        group.add(list(members), 1.0, "REPLACE")
    modifier = body.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    body.parent = armature
    return body


def limb_capsules(
    skeleton: Skeleton, heads: Array, tails: Array
) -> Iterator[tuple[int, Array, Array, tuple[float, float], str]]:
    """Yield the body's parts: bone, start and end (3), radii of an adult, and side; one per bone and child."""
    for joint in range(len(skeleton)):
        radii, side = _limb_radii(skeleton, joint)
        ends = {tuple(heads[child].round(4)): heads[child] for child in skeleton.children[joint]} or {(): tails[joint]}
        for end in ends.values():
            if np.linalg.norm(end - heads[joint]) > MIN_BONE_LENGTH_M / 2:
                yield joint, heads[joint], end, radii, side
    if "head" in skeleton.roles:
        # A nose shows the direction of the head.
        head = skeleton.roles["head"]
        middle = (heads[head] + tails[head]) / 2
        yield head, middle, middle + NOSE_LENGTH_M * forward_direction(skeleton, heads), (0.02, 0.02), ""


def _limb_radii(skeleton: Skeleton, joint: int) -> tuple[tuple[float, float], str]:
    """Return the radii of a bone and its side, from its role or, thinner, from its nearest ancestor's."""
    role_of = {bone: role for role, bone in skeleton.roles.items()}
    thinner = 1.0
    while joint >= 0:
        part, _, side = role_of.get(joint, "").partition(".")
        if part in LIMB_RADII_M:
            across, deep = LIMB_RADII_M[part]
            thinner *= 0.35 if part == "hand" and thinner < 1 else 1.0
            return (across * thinner, deep * thinner), side
        joint, thinner = skeleton.parents[joint], 0.8
    return (0.05, 0.05), ""


def capsule_mesh(start: Array, end: Array, radii: Array, forward: Array) -> tuple[Array, list[list[int]]]:
    """Return the vertices (V, 3) and faces of a capsule between two points (3).

    ``radii`` are the sideways radius and the front-to-back radius.
    """
    axis = normalize(end - start)
    across = np.cross(axis, forward if abs(axis @ forward) < 0.9 else [0.0, 0.0, 1.0])
    across = normalize(across)
    deep = np.cross(axis, across)
    cap = min(float(radii.mean()), 0.6 * float(np.linalg.norm(end - start)))
    angles = np.radians([-65.0, -35.0, 0.0, 0.0, 35.0, 65.0])
    centres = np.array([start] * 3 + [end] * 3) + np.outer(np.sin(angles) * cap, axis)
    widths = np.cos(angles)
    widths[3:] *= 0.9
    round_about = np.linspace(0, 2 * np.pi, CAPSULE_SEGMENTS, endpoint=False)
    circle = np.outer(np.cos(round_about), across * radii[0]) + np.outer(np.sin(round_about), deep * radii[1])
    rings = (centres[:, None] + widths[:, None, None] * circle).reshape(-1, 3)
    poles = np.array([start - axis * cap, end + axis * cap])
    faces: list[list[int]] = []
    for ring in range(len(angles) - 1):
        for corner in range(CAPSULE_SEGMENTS):
            a, b = ring * CAPSULE_SEGMENTS + corner, ring * CAPSULE_SEGMENTS + (corner + 1) % CAPSULE_SEGMENTS
            faces.append([a, b, b + CAPSULE_SEGMENTS, a + CAPSULE_SEGMENTS])
    low, high, last = len(rings), len(rings) + 1, (len(angles) - 1) * CAPSULE_SEGMENTS
    for corner in range(CAPSULE_SEGMENTS):
        following = (corner + 1) % CAPSULE_SEGMENTS
        faces.append([low, following, corner])
        faces.append([high, last + corner, last + following])
    return np.concatenate([rings, poles]), faces


def _side_material(side: str) -> bpy.types.Material:
    name = f"Footfall Body {side}".strip()
    material = bpy.data.materials.get(name)
    if material is None:
        material = bpy.data.materials.new(name)
        material.diffuse_color = SIDE_COLORS[side]
        material.use_nodes = True
        for node in material.node_tree.nodes:
            if node.type == "BSDF_PRINCIPLED":
                node.inputs["Base Color"].default_value = SIDE_COLORS[side]
                node.inputs["Roughness"].default_value = 0.7
    return material

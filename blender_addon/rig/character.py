"""Creation of an armature with a controller's skeleton, and of a body for it."""

from typing import Final

import bpy
import numpy as np
from mathutils import Quaternion, Vector

from ...core.body import (
    BodyType,
    Material,
    SkinnedMesh,
    body_mesh,
    bone_ends,
    forward_direction,
    relaxed_rotations,
    upright_rotations,
)
from ...core.motion import Skeleton
from ...core.motion.kinematics import local_rotations, world_positions
from ...core.motion.root_frame import yaw_of
from ...core.motion.rotations import Array, inverse, multiply, normalize, rotation_about_up
from ...core.retarget.rest_pose import with_rest_pose
from ..ui.colors import Color
from ..units import meters_per_unit
from . import store

CLEAR_M: Final = 1.0
"""Distance to a character that is added at the same place."""
COLORS: Final[dict[Material, Color]] = {
    Material.TRUNK: (0.62, 0.60, 0.57, 1.0),
    Material.LEFT: (0.13, 0.27, 0.50, 1.0),
    Material.RIGHT: (0.68, 0.28, 0.12, 1.0),
    Material.VISOR: (0.012, 0.014, 0.02, 1.0),
}
"""Linear colors of the parts of a body."""


def add_character(
    context: bpy.types.Context,
    skeleton: Skeleton,
    name: str,
    body_type: BodyType = BodyType.MASCULINE,
    stance: Array | None = None,
) -> bpy.types.Object:
    """Add a standing armature with a body at the 3D cursor, clear of others; make it active and return it.

    Args:
        context: context of the operator.
        skeleton: skeleton whose joints become bones; a skeleton that does not stand at rest is made upright, and its
            own rest pose becomes the reference pose.
        name: name of the armature.
        body_type: kind of body, which sets the proportions.
        stance: world rotations (J, 4) in a standing pose; by default, arms hang and legs are straight.
    """
    if context.object is not None and context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    upright = None if stance is None else upright_rotations(skeleton, stance)
    if stance is not None and upright is not None:
        skeleton, stance = with_rest_pose(skeleton, upright), multiply(stance, inverse(upright))
    (heads, tails), mesh, relaxed = bone_ends(skeleton), body_mesh(skeleton, body_type), relaxed_rotations(skeleton)
    if relaxed is not None:
        soles = np.array([0.0, 0.0, heads[0, 2] + mesh.vertices[:, 2].min()])
        heads, tails = heads - soles, tails - soles
    place = _clear_place(context, context.scene.cursor.location)
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    context.collection.objects.link(armature)
    for other in context.selected_objects:
        other.select_set(False)
    context.view_layer.objects.active = armature
    armature.select_set(True)
    _make_bones(armature, skeleton, heads, tails)
    armature.location = place
    armature.scale = (1.0 / meters_per_unit(context.scene),) * 3
    context.collection.objects.link(make_body(armature, skeleton, mesh, heads[0]))
    armature.footfall.rig.body_type = body_type
    if upright is not None:
        _store_reference_pose(armature, skeleton, inverse(upright))
    if relaxed is not None:
        _stand(armature, skeleton, mesh, relaxed if stance is None else stance, heads)
    return armature


def _clear_place(context: bpy.types.Context, place: Vector) -> Vector:
    """Return a place, moved along +X as far as necessary to be clear of other characters."""
    taken = [one.matrix_world.translation for one in context.scene.objects if one.type == "ARMATURE"]
    clear, clear_units = place.copy(), CLEAR_M / meters_per_unit(context.scene)
    while any((clear - other).length < clear_units / 2 for other in taken):
        clear.x += clear_units
    return clear


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


def make_body(armature: bpy.types.Object, skeleton: Skeleton, skin: SkinnedMesh, root: Array) -> bpy.types.Object:
    """Return a new mesh object for the body, deformed by the armature.

    Args:
        armature: the character.
        skeleton: skeleton of the character's bones.
        skin: the body.
        root: (3) position of the root joint at rest, meters.
    """
    mesh = bpy.data.meshes.new(f"{armature.name} Body")
    body = bpy.data.objects.new(mesh.name, mesh)
    mesh.from_pydata((skin.vertices + root).tolist(), [], skin.faces)
    mesh.polygons.foreach_set("material_index", skin.materials.astype(np.int32))
    mesh.shade_smooth()
    for part, color in COLORS.items():
        mesh.materials.append(_material(f"Footfall {part.name.title()}", color))
    for joint in np.unique(skin.joints[skin.weights > 0]):
        group = body.vertex_groups.new(name=skeleton.names[joint])
        shares = np.where(skin.joints == joint, skin.weights, 0.0).sum(axis=-1)
        for vertex in np.flatnonzero(shares):
            group.add([int(vertex)], float(shares[vertex]), "REPLACE")
    modifier = body.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    modifier.use_deform_preserve_volume = True
    body.parent = armature
    return body


def _store_reference_pose(armature: bpy.types.Object, skeleton: Skeleton, rotations: Array) -> None:
    """Store the pose with world rotations (J, 4) as the one that corresponds to the controller's rest pose."""
    _pose(armature, skeleton, rotations)
    bpy.context.view_layer.update()
    store.store_rig_map(armature, store.rig_map_of(armature))
    armature.footfall.rig.reference_pose = "CURRENT"


def _pose(armature: bpy.types.Object, skeleton: Skeleton, rotations: Array) -> None:
    """Pose the bones with world rotations (J, 4), as seen from their armature."""
    for name, local in zip(skeleton.names, local_rotations(skeleton, rotations), strict=True):
        bone = armature.pose.bones[name]
        axes = np.array(bone.bone.matrix_local.to_quaternion())
        bone.rotation_quaternion = Quaternion(multiply(multiply(inverse(axes), local), axes))


def _stand(armature: bpy.types.Object, skeleton: Skeleton, skin: SkinnedMesh, stance: Array, heads: Array) -> None:
    """Pose an armature in its stance with its soles at the origin, facing as it does at rest.

    Args:
        armature: the character.
        skeleton: skeleton of the character's bones.
        skin: the character's body.
        stance: (J, 4) world rotations.
        heads: (J, 3) positions of the joints at rest, meters.
    """
    now = world_positions(skeleton, np.zeros(3), stance)
    turn = yaw_of(forward_direction(skeleton, heads)[:2]) - yaw_of(forward_direction(skeleton, now)[:2])
    rotations = multiply(rotation_about_up(float(turn)), stance)
    positions = world_positions(skeleton, np.zeros(3), rotations)
    place = np.array([heads[0, 0], heads[0, 1], -skin.posed(skeleton, positions, rotations)[:, 2].min()])
    _pose(armature, skeleton, rotations)
    root = armature.pose.bones[skeleton.names[0]]
    root.location = root.bone.matrix_local.to_3x3().inverted() @ Vector(place - heads[0])


def _material(name: str, color: Color) -> bpy.types.Material:
    material = bpy.data.materials.get(name)
    if material is None:
        material = bpy.data.materials.new(name)
        material.diffuse_color = color
        material.use_nodes = True
        for node in material.node_tree.nodes:
            if node.type == "BSDF_PRINCIPLED":
                node.inputs["Base Color"].default_value = color
                node.inputs["Roughness"].default_value = 0.6
    return material

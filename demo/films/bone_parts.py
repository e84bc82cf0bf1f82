"""Meshes for the bones of an armature: each is attached to its bone, without weights."""

from collections.abc import Sequence
from typing import Final

import bmesh
import bpy
from mathutils import Matrix

ROUNDNESS: Final = 0.45
"""Radius of a block's edges, as a share of its thinner side."""


def add_block(
    armature: bpy.types.Object, bone: str, size: Sequence[float], material: bpy.types.Material, share: float = 1.0
) -> None:
    """Add a rounded block along a bone.

    Args:
        armature: the armature of the bone.
        bone: its name.
        size: width and depth, meters, along the bone's X and Z.
        material: material of the block.
        share: length of the block, as a share of the bone's length.
    """
    length = armature.data.bones[bone].length
    form, mesh = bmesh.new(), bpy.data.meshes.new(bone)
    bmesh.ops.create_cube(form, size=1.0, matrix=Matrix.Diagonal((size[0], share * length, size[1], 1.0)))
    radius = ROUNDNESS * min(*size, share * length)
    bmesh.ops.bevel(
        form, geom=form.edges[:], offset=radius, segments=4, profile=0.5, affect="EDGES", clamp_overlap=True
    )
    form.to_mesh(mesh)
    form.free()
    mesh.shade_smooth()
    mesh.materials.append(material)
    attach(armature, bone, bpy.data.objects.new(bone, mesh), Matrix.Translation((0.0, length / 2, 0.0)))


def attach(armature: bpy.types.Object, bone: str, thing: bpy.types.Object, place: Matrix) -> None:
    """Attach an object to a bone, at a place relative to the bone's head."""
    thing.parent, thing.parent_type, thing.parent_bone = armature, "BONE", bone
    thing.matrix_local = Matrix.Translation((0.0, -armature.data.bones[bone].length, 0.0)) @ place
    armature.users_collection[0].objects.link(thing)

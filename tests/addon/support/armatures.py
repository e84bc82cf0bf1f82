"""Armatures to test with."""

import math
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

BONES = {
    "hips": (None, (0.0, 0.0, 1.0), (0.0, 0.0, 1.15)),
    "spine": ("hips", (0.0, 0.0, 1.15), (0.0, 0.02, 1.5)),
    "head": ("spine", (0.0, 0.02, 1.5), (0.0, 0.0, 1.8)),
    "thigh.L": ("hips", (0.1, 0.0, 0.95), (0.12, -0.02, 0.5)),
    "shin.L": ("thigh.L", (0.12, -0.02, 0.5), (0.12, 0.0, 0.1)),
    "foot.L": ("shin.L", (0.12, 0.0, 0.1), (0.13, -0.15, 0.02)),
    "thigh.R": ("hips", (-0.1, 0.0, 0.95), (-0.12, -0.02, 0.5)),
    "shin.R": ("thigh.R", (-0.12, -0.02, 0.5), (-0.12, 0.0, 0.1)),
    "foot.R": ("shin.R", (-0.12, 0.0, 0.1), (-0.13, -0.15, 0.02)),
}
MODES = ("QUATERNION", "XYZ", "ZYX", "AXIS_ANGLE", "YZX", "XZY", "YXZ", "ZXY", "QUATERNION")


def make_armature(name: str = "Rig", below: str | None = None) -> bpy.types.Object:
    """A small biped, turned, moved and scaled as an object, with another rotation mode on every bone.

    ``below`` names a bone that the hips hang on.
    """
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    edit_bones = armature.data.edit_bones
    if below:
        bone = edit_bones.new(below)
        bone.head, bone.tail = (0.0, 0.0, 0.0), (0.0, 0.3, 0.0)
    for number, (bone_name, (parent, head, tail)) in enumerate(BONES.items()):
        bone = edit_bones.new(bone_name)
        bone.head, bone.tail, bone.roll = Vector(head), Vector(tail), 0.3 * number
        bone.parent = edit_bones[parent or below] if parent or below else None
    bpy.ops.object.mode_set(mode="OBJECT")
    for pose_bone, mode in zip((armature.pose.bones[name] for name in BONES), MODES, strict=True):
        pose_bone.rotation_mode = mode
    armature.location, armature.rotation_euler, armature.scale = (1.0, -2.0, 0.5), (0.2, 0.1, math.pi / 3), (0.9,) * 3
    bpy.context.view_layer.update()
    return armature


def animate(armature: bpy.types.Object, frames: int = 40, seed: int = 0) -> bpy.types.Action:
    """Sparse random keys on every bone: rotations, the hips' place, and the spine's scale."""
    random = np.random.default_rng(seed)
    for frame in range(1, frames + 1, 13):
        for bone in armature.pose.bones:
            if bone.rotation_mode == "QUATERNION":
                bone.rotation_quaternion = random.normal(size=4)
                bone.keyframe_insert("rotation_quaternion", frame=frame)
            elif bone.rotation_mode == "AXIS_ANGLE":
                bone.rotation_axis_angle = (random.uniform(0, 3), *random.normal(size=3))
                bone.keyframe_insert("rotation_axis_angle", frame=frame)
            else:
                bone.rotation_euler = random.uniform(-2, 2, 3)
                bone.keyframe_insert("rotation_euler", frame=frame)
        armature.pose.bones["hips"].location = random.uniform(-1, 1, 3)
        armature.pose.bones["hips"].keyframe_insert("location", frame=frame)
    return armature.animation_data.action


def import_bvh(path: str | Path, scale: float = 0.01) -> bpy.types.Object:
    """The armature that Blender's own importer makes, the scene being set to the clip's rate and length."""
    bpy.ops.import_anim.bvh(filepath=str(path), global_scale=scale, update_scene_fps=True, update_scene_duration=True)
    return bpy.context.object


def posed_heads(armature: bpy.types.Object, names: list[str], frame: int) -> np.ndarray:
    """World positions of the bones' heads as Blender evaluates them at a frame."""
    bpy.context.scene.frame_set(frame)
    evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([evaluated.matrix_world @ evaluated.pose.bones[name].head for name in names])


def posed_matrices(armature: bpy.types.Object, frame: int) -> dict[str, np.ndarray]:
    """World matrices of the pose bones as Blender evaluates them at a frame."""
    bpy.context.scene.frame_set(frame)
    evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return {bone.name: np.array(evaluated.matrix_world @ bone.matrix) for bone in evaluated.pose.bones}

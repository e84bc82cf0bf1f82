"""Blender's own add-on Rigify: its human metarig, and the rig generated from it."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

import addon_utils
import bpy


def metarig() -> bpy.types.Object:
    """Return the metarig: one bone per joint, each connected to the previous one."""
    addon_utils.enable("rigify", default_set=True)
    bpy.ops.object.armature_human_metarig_add()
    return bpy.context.object


def rigify() -> bpy.types.Object:
    """Return the rig generated from the metarig without its face, which takes forty times as long as the rest."""
    source = metarig()
    bpy.ops.object.mode_set(mode="EDIT")
    face = source.data.edit_bones["face"]
    for bone in (*face.children_recursive, face):
        source.data.edit_bones.remove(bone)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.pose.rigify_generate()
    rig = bpy.context.object
    bpy.data.objects.remove(source)
    return rig

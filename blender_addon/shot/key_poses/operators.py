"""Operators for key poses: keep, remove, go to."""

from typing import Final

import bpy

from ....core.message import Message
from ....core.rig.rig_map import RigMap
from ...animation.fcurve_io.body_reader import read_present_pose
from ...rig.store import rig_map_of
from ...ui.list_operators import CharacterListOperator, GoToFrameOperator, RemoveOperator
from ...ui.operator_base import require_armature, why_not_animatable
from .store import encode_pose, object_turn, stored_root

LISTED_PARTS: Final = 3
"""Number of posed bones with shown names."""


class _KeyPoses(CharacterListOperator):
    """A mix-in that names the list of key poses."""

    collection, active = "key_poses", "active_key_pose"


class FOOTFALL_OT_keep_pose(_KeyPoses, bpy.types.Operator):
    """Keep the current pose in later bakes. In Pose Mode, keep the selected bones only"""

    bl_idname = "footfall.keep_pose"
    bl_label = "Keep Pose"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_not_animatable(context)
        if reason is not None:
            return reason
        kept = stored_root(require_armature(context).footfall.baked_action)
        if kept is None:
            return "There is no bake whose poses could be kept: bake first"
        frame = context.scene.frame_current - kept[1]
        return (
            None
            if 0 <= frame < len(kept[0])
            else "The current frame is outside the bake: go to a frame of the bake first"
        )

    def run(self, context: bpy.types.Context) -> str:
        armature, scene = require_armature(context), context.scene
        kept = stored_root(armature.footfall.baked_action)
        assert kept is not None, "as polled"
        (root, start), rig_map = kept, rig_map_of(armature)
        pose = read_present_pose(armature, context.evaluated_depsgraph_get(), rig_map)
        frame = scene.frame_current - start
        chosen = _chosen_bones(context, armature, rig_map)
        in_root = root.pose_from_world(pose, frame)
        item = next((one for one in armature.footfall.key_poses if one.frame == scene.frame_current), None)
        if item is None:
            item = self.insert_item(context)
        item.pose = encode_pose(in_root, object_turn(armature), chosen or pose.skeleton.names)
        item.frame, item.distance, item.issue = scene.frame_current, float(root.distances[frame]), ""
        item.parts = _listed(chosen)
        return Message("Key pose added at frame {frame}: press Update Bake", frame=item.frame)


def _chosen_bones(context: bpy.types.Context, armature: bpy.types.Object, rig_map: RigMap) -> list[str]:
    """Return the mapped bones selected in Pose Mode, themselves or through their controls."""
    if context.mode != "POSE":
        return []
    played = {rig_map.control(role): bone for role, bone in rig_map.bones.items() if role != "root"}
    for role, limb in rig_map.ik.items():
        played |= {control: rig_map.bones[role] for control in (limb.control, limb.pole, limb.toe) if control}
    selected = [bone.name for bone in context.selected_pose_bones or () if bone.id_data == armature]
    found = [played.get(name, name) for name in selected]
    known = set(rig_map.bones.values())
    return [name for name in dict.fromkeys(found) if name in known]


def _listed(chosen: list[str]) -> str:
    """Return a short text that lists the posed bones; empty if the whole body is posed."""
    more = f" +{len(chosen) - LISTED_PARTS}" if len(chosen) > LISTED_PARTS else ""
    return ", ".join(chosen[:LISTED_PARTS]) + more


class FOOTFALL_OT_remove_key_pose(_KeyPoses, RemoveOperator, bpy.types.Operator):
    """Remove the active key pose from the list, so that bakes no longer go through it"""

    bl_idname = "footfall.remove_key_pose"
    bl_label = "Remove Key Pose"

    def run(self, context: bpy.types.Context) -> str:
        self.remove_active(context)
        return "Key pose removed: press Update Bake"


class FOOTFALL_OT_go_to_key_pose(_KeyPoses, GoToFrameOperator, bpy.types.Operator):
    """Jump to the frame of the active key pose"""

    bl_idname = "footfall.go_to_key_pose"
    bl_label = "Go to Key Pose"


CLASSES = (FOOTFALL_OT_keep_pose, FOOTFALL_OT_remove_key_pose, FOOTFALL_OT_go_to_key_pose)

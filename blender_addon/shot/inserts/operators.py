"""Operators for inserted clips: insert, remove, go to."""

import bpy

from ....core.message import Message
from ...ui.list_operators import CharacterListOperator, GoToFrameOperator, RemoveOperator
from ...ui.operator_base import require_armature


class _InsertedClips(CharacterListOperator):
    """A mix-in that names the list of inserted clips."""

    collection, active = "inserted_clips", "active_inserted_clip"


class FOOTFALL_OT_insert_clip(_InsertedClips, bpy.types.Operator):
    """Insert an action into the baked walk at the current frame. The walk continues after it"""

    bl_idname = "footfall.insert_clip"
    bl_label = "Insert Clip"

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        item = self.insert_item(context)
        item.frame = context.scene.frame_current
        own = armature.animation_data.action if armature.animation_data else None
        if own is not None and own != armature.footfall.baked_action:
            item.action = own
        return Message(
            "Inserted clip added at frame {frame}: choose its action, then press Update Bake", frame=item.frame
        )


class FOOTFALL_OT_remove_inserted_clip(_InsertedClips, RemoveOperator, bpy.types.Operator):
    """Remove the active inserted clip from the list. Its action is kept"""

    bl_idname = "footfall.remove_inserted_clip"
    bl_label = "Remove Inserted Clip"

    def run(self, context: bpy.types.Context) -> str:
        self.remove_active(context)
        return "Inserted clip removed: press Update Bake"


class FOOTFALL_OT_go_to_inserted_clip(_InsertedClips, GoToFrameOperator, bpy.types.Operator):
    """Jump to the frame at which the active inserted clip begins"""

    bl_idname = "footfall.go_to_inserted_clip"
    bl_label = "Go to Inserted Clip"


CLASSES = (FOOTFALL_OT_insert_clip, FOOTFALL_OT_remove_inserted_clip, FOOTFALL_OT_go_to_inserted_clip)

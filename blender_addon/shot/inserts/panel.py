"""The panel of inserted clips."""

import bpy

from ...ui.operator_base import active_armature
from ...ui.panel_parts import draw_note, split_column
from ..subpanel import EditSubpanel, draw_list
from .operators import FOOTFALL_OT_go_to_inserted_clip, FOOTFALL_OT_insert_clip, FOOTFALL_OT_remove_inserted_clip


class FOOTFALL_PT_inserted_clips(EditSubpanel, bpy.types.Panel):
    """Inserted clips: actions within the walk."""

    bl_label = "Inserted Clips"

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        names = "FOOTFALL_UL_inserted_clips", "inserted_clips", "active_inserted_clip"
        edits = (FOOTFALL_OT_insert_clip, "ADD"), (FOOTFALL_OT_remove_inserted_clip, "REMOVE")
        item = draw_list(layout, armature.footfall, names, edits, [(FOOTFALL_OT_go_to_inserted_clip, "TIME")])
        if item is None:
            return
        column = split_column(layout)
        for name in ("action", "frame", "repeats"):
            column.prop(item, name)
        if item.issue:
            draw_note(layout, item.issue, "ERROR")


CLASSES = (FOOTFALL_PT_inserted_clips,)

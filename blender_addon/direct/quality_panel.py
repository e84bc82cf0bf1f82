"""The panel After the Bake. Nothing is computed here: panels show stored results."""

from typing import Final

import bpy

from ..animation.bake_report import QualityRow, quality_rows
from ..animation.likeness_report import likeness_rows
from ..label.root_operators import FOOTFALL_OT_add_root_empty
from ..ui.operator_base import active_armature
from ..ui.panel_parts import FootfallPanel, draw_note
from ..ui.translations import translate_interface
from .quality_operators import FOOTFALL_OT_show_worst_frame

VERDICT_ICONS: Final = {"GOOD": "CHECKMARK", "DOUBTFUL": "QUESTION", "BAD": "ERROR"}
NAME_COLUMN_SHARE: Final = 0.62
"""Share of a row that the name takes."""


def quality_icon(armature: bpy.types.Object) -> str:
    """Return the icon of the worst verdict on an armature's last bake."""
    verdicts = {row.verdict for row in quality_rows(armature)}
    return next((VERDICT_ICONS[verdict] for verdict in ("BAD", "DOUBTFUL", "GOOD") if verdict in verdicts), "INFO")


class FOOTFALL_PT_bake_quality(FootfallPanel, bpy.types.Panel):
    """How the last bake turned out, and what can be made of it"""

    bl_label = "Bake Quality"
    bl_parent_id = "FOOTFALL_PT_direct"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        armature = active_armature(context)
        return armature is not None and armature.footfall.baked_action is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        rows = quality_rows(armature)
        if rows:
            layout.label(text=armature.footfall.baked_action.name, icon="ACTION")
            column = layout.column(align=True)
            for row in rows:
                self._draw_row(column.row(align=True), row)
        for likeness in likeness_rows(armature):
            if likeness.finding is not None:
                draw_note(layout, likeness.finding, "ERROR")
        layout.operator(FOOTFALL_OT_add_root_empty.bl_idname, icon="EMPTY_ARROWS")

    def _draw_row(self, layout: bpy.types.UILayout, row: QualityRow) -> None:
        layout.alert = row.verdict == "BAD"
        halves = layout.split(factor=NAME_COLUMN_SHARE)
        halves.label(text=row.title, icon=VERDICT_ICONS[row.verdict])
        halves.label(text=translate_interface(row.value), translate=False)
        layout.operator(FOOTFALL_OT_show_worst_frame.bl_idname, text="", icon="VIEWZOOM").measure = row.measure


CLASSES = (FOOTFALL_PT_bake_quality,)

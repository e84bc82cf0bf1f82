"""The panel Bake Quality. Nothing is computed here: panels show stored results."""

from typing import Final

import bpy

from ..animation.bake_report import QualityRow, quality_rows
from ..animation.likeness_report import likeness_rows
from ..label.root_operators import FOOTFALL_OT_add_root_empty
from ..ui.operator_base import active_armature
from ..ui.panel_parts import FootfallPanel, draw_note
from ..ui.translations import translate_interface
from .quality_operators import FOOTFALL_OT_measure_bake, FOOTFALL_OT_show_worst_frame
from .staleness import cached_change

VERDICT_ICONS: Final = {"GOOD": "CHECKMARK", "DOUBTFUL": "QUESTION", "BAD": "ERROR"}
OUT_OF_DATE_ICON: Final = "FILE_REFRESH"
"""Icon instead of a tick for an outdated bake."""
NAME_COLUMN_SHARE: Final = 0.7
"""Share of a row's width for the name."""


def quality_icon(armature: bpy.types.Object) -> str:
    """Return an icon for the worst verdict in an armature's last bake."""
    if cached_change(armature) is not None:
        return OUT_OF_DATE_ICON
    verdicts = {row.verdict for row in quality_rows(armature)}
    return next((VERDICT_ICONS[verdict] for verdict in ("BAD", "DOUBTFUL", "GOOD") if verdict in verdicts), "INFO")


def is_doubtful(armature: bpy.types.Object) -> bool:
    """Return whether some measure of an armature's last bake is not good, or its likeness has a finding."""
    doubts = [row for row in quality_rows(armature) if row.verdict != "GOOD"]
    return bool(doubts) or any(likeness.finding is not None for likeness in likeness_rows(armature))


class _QualityPanel(FootfallPanel):
    """The measures of the last bake, with their verdicts."""

    bl_label = "Bake Quality"
    bl_parent_id = "FOOTFALL_PT_shot"
    shows_doubtful: bool

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        armature = active_armature(context)
        if armature is None or armature.footfall.baked_action is None:
            return False
        return is_doubtful(armature) == cls.shows_doubtful

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        rows = quality_rows(armature)
        change = cached_change(armature)
        if change is not None:
            draw_note(layout, change, OUT_OF_DATE_ICON)
        if rows:
            layout.label(text=armature.footfall.baked_action.name, icon="ACTION", translate=False)
            column = layout.column(align=True)
            for row in rows:
                self._draw_row(column.row(align=True), row, change is not None)
        if armature.footfall.detour:
            draw_note(layout, armature.footfall.detour, "INFO")
        for likeness in likeness_rows(armature):
            if likeness.finding is not None:
                draw_note(layout, likeness.finding, "ERROR")
        layout.operator(FOOTFALL_OT_measure_bake.bl_idname, icon="VIEWZOOM")
        layout.operator(FOOTFALL_OT_add_root_empty.bl_idname, icon="EMPTY_ARROWS")

    def _draw_row(self, layout: bpy.types.UILayout, row: QualityRow, is_out_of_date: bool) -> None:
        layout.alert = row.verdict == "BAD"
        halves = layout.split(factor=NAME_COLUMN_SHARE)
        icon = OUT_OF_DATE_ICON if row.verdict == "GOOD" and is_out_of_date else VERDICT_ICONS[row.verdict]
        halves.label(text=row.title, icon=icon)
        halves.label(text=translate_interface(row.value), translate=False)
        layout.operator(FOOTFALL_OT_show_worst_frame.bl_idname, text="", icon="VIEWZOOM").measure = row.measure


class FOOTFALL_PT_bake_quality(_QualityPanel, bpy.types.Panel):
    """The panel of a good bake, closed by default."""

    bl_options = {"DEFAULT_CLOSED"}
    shows_doubtful = False


class FOOTFALL_PT_bake_issues(_QualityPanel, bpy.types.Panel):
    """The panel of a bake with an issue, open by default: Blender has no call that opens a panel."""

    shows_doubtful = True


CLASSES = (FOOTFALL_PT_bake_quality, FOOTFALL_PT_bake_issues)

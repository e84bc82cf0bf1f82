"""Layout parts that several panels share."""

import bpy

from . import translations
from .manual_links import draw_help_button

MIN_LIST_ROWS = 4


def draw_main_button(layout: bpy.types.UILayout, context: bpy.types.Context, operator: type, icon: str) -> None:
    """Draw the main button of a panel and, if it is disabled, the reason underneath."""
    column = layout.column()
    row = column.row()
    row.scale_y = 1.5
    row.operator(operator.bl_idname, icon=icon)
    reason = operator.why_not(context)
    if reason:
        draw_note(column, reason, "INFO")


def draw_note(layout: bpy.types.UILayout, text: str, icon: str, width: int = 36) -> None:
    """Draw a note in the user's language, on as many lines as needed."""
    lines, line = [], ""
    for word in translations.translate_interface(text).split():
        if line and len(line) + len(word) >= width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    column = layout.column(align=True)
    column.scale_y = 0.8
    for number, part in enumerate([*lines, line]):
        column.label(text=part, icon=icon if number == 0 else "BLANK1", translate=False)


def split_column(layout: bpy.types.UILayout) -> bpy.types.UILayout:
    """Return a column that shows the names of properties on their left."""
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    return column


class FootfallPanel:
    """A panel in the Footfall tab of the 3D viewport's sidebar."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Footfall"
    bl_translation_context = translations.CONTEXT

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        draw_help_button(self.layout, type(self).__name__)


def draw_findings(layout: bpy.types.UILayout, session: bpy.types.PropertyGroup, width: int = 36) -> None:
    """Draw the findings of the check, each with its advice."""
    for finding in session.setup_findings:
        draw_note(layout, finding.text, LEVEL_ICONS[finding.level], width)
        if finding.remedy:
            draw_note(layout, finding.remedy, "BLANK1", width)


LEVEL_ICONS = {"error": "CANCEL", "warning": "ERROR", "note": "INFO", "fine": "CHECKMARK"}

"""Subpanels of the panel Shot, and the list shown by most of them."""

from collections.abc import Sequence
from typing import Final

import bpy

from ..ui.operator_base import active_armature
from ..ui.panel_parts import FootfallPanel

MIN_LIST_ROWS: Final = 3
Button = tuple[type, str]
"""An operator and its icon."""


class DirectSubpanel(FootfallPanel):
    """A subpanel of the panel Shot."""

    bl_parent_id = "FOOTFALL_PT_shot"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None


class EditSubpanel(DirectSubpanel):
    """A subpanel of the panel Edits."""

    bl_parent_id = "FOOTFALL_PT_edits"


def draw_list(
    layout: bpy.types.UILayout,
    settings: bpy.types.PropertyGroup,
    names: tuple[str, str, str],
    *groups: Sequence[Button],
) -> bpy.types.PropertyGroup | None:
    """Draw a list from a character's settings, with its buttons; return the active item, if any.

    Args:
        layout: layout to draw into.
        settings: the character's settings.
        names: class name of the list, and property names of the collection and of its active index.
        groups: buttons beside the list, in separate groups.
    """
    list_class, collection, active = names
    row = layout.row()
    row.template_list(list_class, "", settings, collection, settings, active, rows=MIN_LIST_ROWS)
    column = row.column(align=True)
    for number, group in enumerate(groups):
        if number:
            column.separator()
        for operator, icon in group:
            column.operator(operator.bl_idname, text="", icon=icon)
    items, index = getattr(settings, collection), getattr(settings, active)
    return items[index] if index < len(items) else None

"""The switches of the overlays in the viewport, under the panel Label."""

import bpy

from ...ui.panel_parts import FootfallPanel


class FOOTFALL_PT_label_overlays(FootfallPanel, bpy.types.Panel):
    """Labels that are drawn in the viewport"""

    bl_label = "Overlays"
    bl_parent_id = "FOOTFALL_PT_label"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        switches = context.scene.footfall_label_overlays
        row = self.layout.row(align=True)
        for name in ("show_footprints", "show_trajectory", "show_phase_dials"):
            row.prop(switches, name, toggle=True)

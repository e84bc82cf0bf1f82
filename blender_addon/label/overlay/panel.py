"""The switches of all overlays, under the panel Label."""

import bpy

from ...ui.panel_parts import FootfallPanel
from .. import strip


class FOOTFALL_PT_label_overlays(FootfallPanel, bpy.types.Panel):
    """What of the labels is drawn in the viewport and in the time editors"""

    bl_label = "Overlays"
    bl_parent_id = "FOOTFALL_PT_label"

    def draw(self, context: bpy.types.Context) -> None:
        layout, switches = self.layout, context.scene.footfall_label_overlays
        row = layout.row(align=True)
        for name in ("show_footprints", "show_trajectory", "show_phase_dials"):
            row.prop(switches, name, toggle=True)
        strip.draw_toggles(layout, context)

"""The panel Terrain under Train: grounds that fit under a motion."""

from typing import Final

import bpy

from ...ui.panel_parts import FootfallPanel, draw_note
from .operators import FOOTFALL_OT_make_terrain_patches, FOOTFALL_OT_show_terrain_patch
from .patches import have_patches


class FOOTFALL_PT_terrain(FootfallPanel, bpy.types.Panel):
    """Terrain: what ground fits under the motion."""

    bl_label = "Terrain"
    bl_parent_id = "FOOTFALL_PT_train"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 3

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.operator(FOOTFALL_OT_show_terrain_patch.bl_idname, icon="MESH_GRID")
        draw_patches_hint(self.layout)


def draw_patches_hint(layout: bpy.types.UILayout) -> None:
    """Draw a hint to build ground patches, if there are none."""
    if not have_patches():
        draw_note(layout, "Fitting needs terrain patches:", "INFO")
        layout.operator(FOOTFALL_OT_make_terrain_patches.bl_idname, icon="ADD")


CLASSES: Final = (FOOTFALL_PT_terrain,)

"""The panels of a walk's options, closed by default: destination of a bake, style and variation, ball."""

from typing import Final

import bpy

from ...animation.operators import FOOTFALL_OT_revert_bake
from ...animation.output_settings import draw_output
from ...controllers.generators import FILE_ITEM
from ...controllers.library import traits_of
from ...rig.chosen_controller import chosen_controller
from ...shot.subpanel import DirectSubpanel
from ...ui.operator_base import active_armature
from ...ui.panel_parts import split_column


class FOOTFALL_PT_output(DirectSubpanel, bpy.types.Panel):
    """Destination of a bake, and the kind of its keys"""

    bl_label = "Output"

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        draw_output(layout, armature.footfall.output)
        if armature.footfall.bake_records:
            layout.operator(FOOTFALL_OT_revert_bake.bl_idname, icon="LOOP_BACK")


class FOOTFALL_PT_variation(DirectSubpanel, bpy.types.Panel):
    """Performer, style, seed and responsiveness of the character"""

    bl_label = "Style and Variation"

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        settings, column = armature.footfall, split_column(layout)
        traits = traits_of(*chosen_controller(settings))
        if traits.performers or settings.performer:
            column.prop(settings, "performer")
        if traits.styles or settings.style:
            column.prop(settings, "style")
        column.prop(settings, "responsiveness")
        column.prop(settings, "seed")
        drawn = column.column()
        drawn.active = settings.seed > 0
        if traits.performers:
            drawn.prop(settings, "performer_share")
        drawn.prop(settings, "control_variation")
        drawn.prop(settings, "generator")
        if settings.generator == FILE_ITEM:
            drawn.prop(settings, "generator_file")


class FOOTFALL_PT_ball(DirectSubpanel, bpy.types.Panel):
    """The ball that is dribbled along the path."""

    bl_label = "Ball"

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        settings, column = armature.footfall, split_column(layout)
        column.prop(settings, "ball")
        if settings.ball != "NONE":
            column.prop(settings, "ball_radius")


class FOOTFALL_PT_edits(DirectSubpanel, bpy.types.Panel):
    """Edits that every later bake keeps; each kind has its subpanel."""

    bl_label = "Edits"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw nothing, since the subpanels draw the content."""


CLASSES: Final = (FOOTFALL_PT_output, FOOTFALL_PT_variation, FOOTFALL_PT_ball, FOOTFALL_PT_edits)

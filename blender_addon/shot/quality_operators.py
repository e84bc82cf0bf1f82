"""Operators for the quality of a bake: show the worst frame, measure again."""

from typing import ClassVar, Final

import bpy

from ...core.message import Message
from ..animation.bake_report import QualityRow, describe_bad, quality_rows
from ..animation.layers.animation import scene_frame
from ..rig.rig_report import has_plan, measure_rig
from ..ui.operator_base import FootfallOperator, active_armature, require_armature
from ..ui.translations import translate_interface

VERDICTS: Final = ("GOOD", "DOUBTFUL", "BAD")
"""Verdicts from the least to the worst."""


class FOOTFALL_OT_show_worst_frame(FootfallOperator, bpy.types.Operator):
    """Jump to the frame with the largest error in the last bake"""

    bl_idname = "footfall.show_worst_frame"
    bl_label = "Show Worst Frame"
    # It changes no data, so there is nothing to undo.
    bl_options: ClassVar[set[str]] = {"REGISTER"}

    measure: bpy.props.StringProperty(
        name="Measure",
        description="Quality measure whose worst frame to show. Leave empty for the worst of all",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        row = _find_row(context, properties.measure)
        return (
            translate_interface(
                Message(
                    "Go to frame {frame}, where {worst}. {details}",
                    frame=_scene_frame(context, row),
                    worst=row.worst_description,
                    details=row.details,
                )
            )
            if row
            else str(cls.__doc__)
        )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        armature = active_armature(context)
        if armature is None:
            return "Select an armature"
        return None if quality_rows(armature) else "Bake first: there is no bake to check"

    def run(self, context: bpy.types.Context) -> str:
        row = _find_row(context, self.measure)
        if row is None:
            return "The bake has no such quality measure: choose another one"
        frame = _scene_frame(context, row)
        context.scene.frame_set(frame)
        return Message(
            "Frame {frame}: {worst}, {value}",
            frame=frame,
            worst=row.worst_description,
            value=row.value,
        )


class FOOTFALL_OT_measure_bake(FootfallOperator, bpy.types.Operator):
    """Measure the quality of the bake again, after changes to keys or other animation"""

    bl_idname = "footfall.measure_bake"
    bl_label = "Measure Again"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        armature = active_armature(context)
        if armature is None:
            return "Select an armature"
        return None if has_plan(armature) else "Bake first: there is no bake to check"

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        measure_rig(armature, context.scene)
        return describe_bad(quality_rows(armature)) or "The quality was measured again: no faults were found"


def _find_row(context: bpy.types.Context, measure: str) -> QualityRow | None:
    """Return the quality row of a measure, or the worst row if none is named."""
    armature = active_armature(context)
    rows = quality_rows(armature) if armature is not None else ()
    if not measure:
        return max(rows, key=lambda row: VERDICTS.index(row.verdict), default=None)
    return next((row for row in rows if row.measure == measure), None)


def _scene_frame(context: bpy.types.Context, row: QualityRow) -> int:
    """Return the scene frame of a row's worst value, taking a moved strip into account."""
    armature = require_armature(context)
    return round(scene_frame(armature.animation_data, armature.footfall.baked_action, row.frame))


CLASSES = (FOOTFALL_OT_show_worst_frame, FOOTFALL_OT_measure_bake)

"""Results of a character's last bake, stored with its armature."""

import bpy

from ..ui.overridable import OVERRIDABLE, OVERRIDABLE_LIST
from .layers.bake_record import FOOTFALL_PG_bake_record


class BakeResults:
    """A mix-in for the settings of a character: the inputs and the quality of its last bake."""

    bake_records: bpy.props.CollectionProperty(type=FOOTFALL_PG_bake_record, override=OVERRIDABLE_LIST)
    baked_action: bpy.props.PointerProperty(override=OVERRIDABLE, type=bpy.types.Action)
    quality_summary: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Quality", description="Quality of the last bake in words"
    )
    quality_report: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Report", description="Worst frames of the last bake by measure, as JSON"
    )
    detour: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Detour", description="How far the last bake leads beside its path, in words"
    )
    bake_inputs: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Inputs", description="Checksums of what the last bake was made of, as JSON"
    )
    bake_plan: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Plan", description="Planned places and posture of the last bake, as JSON"
    )
    likeness_report: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="Likeness",
        description="Posture, steps and turns of the last bake against captured motion, as JSON",
    )

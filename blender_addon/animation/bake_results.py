"""Results of a character's last bake, stored with its armature."""

import bpy

from ..ui.overridable import collection, pointer, text
from .layers.bake_record import FOOTFALL_PG_bake_record


class BakeResults:
    """A mix-in for the settings of a character: the inputs and the quality of its last bake."""

    bake_records: collection(FOOTFALL_PG_bake_record)
    baked_action: pointer(bpy.types.Action)
    quality_summary: text("Quality", "Quality of the last bake in words")
    quality_report: text("Report", "Worst frames of the last bake by measure, as JSON")
    detour: text("Detour", "Largest distance between the last bake and its path, in words")
    bake_inputs: text("Inputs", "Checksums of the inputs of the last bake, as JSON")
    bake_plan: text("Plan", "Planned positions and posture of the last bake, as JSON")
    likeness_report: text("Likeness", "Posture, steps and turns of the last bake against captured motion, as JSON")

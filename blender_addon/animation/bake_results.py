"""Results of a character's last bake, stored with its armature."""

import bpy

from ..ui.overridable import collection, pointer, text
from .layers.bake_record import FOOTFALL_PG_bake_record


class BakeResults:
    """A mix-in for the settings of a character: the inputs and the quality of its last bake."""

    bake_records: collection(FOOTFALL_PG_bake_record)
    baked_action: pointer(bpy.types.Action)
    quality_summary: text("Quality", "Quality of the last bake, as a sentence")
    quality_report: text("Report", "Worst frame of the last bake for each quality measure, as JSON")
    detour: text("Detour", "Largest distance of the last bake from its path, as a sentence")
    bake_inputs: text("Inputs", "Checksums of the path, settings and objects that the last bake used, as JSON")
    bake_plan: text("Plan", "Planned positions and posture of the last bake, as JSON")
    likeness_report: text(
        "Likeness", "Posture, steps and turns of the last bake compared with captured motion, as JSON"
    )

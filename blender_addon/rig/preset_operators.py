"""Rig presets: load, save and remove."""

from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.message import Message
from ..ui.operator_base import FootfallOperator, require_armature, why_not_animatable
from . import check, presets, store
from .operators import why_no_bone_map

MIN_MATCHING_BONES: Final = 3
"""Least number of an armature's bones in a matching preset."""


class FOOTFALL_OT_load_rig_preset(FootfallOperator, bpy.types.Operator):
    """Load the bone map of the selected preset"""

    bl_idname = "footfall.load_rig_preset"
    bl_label = "Load Rig Preset"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    preset: bpy.props.StringProperty(
        name="Preset", description="Preset to load: 'shipped:' or 'own:', followed by the file name of the preset"
    )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_not_animatable(context)

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        whole = presets.load(self.preset)
        rig_map = presets.match_to_armature(whole, armature)
        if len(rig_map.bones) < min(MIN_MATCHING_BONES, len(whole.bones)):
            raise FootfallError(
                "The preset '{preset}' does not fit: the armature '{armature}' has only {count} of its {total} bones",
                preset=whole.name,
                armature=armature.name,
                count=len(rig_map.bones) or "none",
                total=len(whole.bones),
            )
        store.store_rig_map(armature, rig_map, preset=self.preset)
        check.update_check(armature)
        return Message(
            "Loaded the preset '{name}': the rig has {count} of its {total} bones",
            name=whole.name,
            count=len(rig_map.bones),
            total=len(whole.bones),
        )


class FOOTFALL_OT_save_rig_preset(FootfallOperator, bpy.types.Operator):
    """Save this bone map as your own preset, for other characters with the same rig"""

    bl_idname = "footfall.save_rig_preset"
    bl_label = "Save Rig Preset"

    name: bpy.props.StringProperty(
        name="Name", description="Name of the preset. An existing preset of that name is replaced"
    )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_bone_map(context)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        rig = require_armature(context).footfall.rig
        self.name = rig.title if presets.is_user_preset(rig.preset) else require_armature(context).name
        return context.window_manager.invoke_props_dialog(self)

    def run(self, context: bpy.types.Context) -> str:
        rig = require_armature(context).footfall.rig
        rig_map = presets.with_name(store.stored_map(require_armature(context)), self.name.strip())
        rig.preset = presets.save(rig_map)
        rig.title = rig_map.name
        return Message("Saved the preset '{name}'", name=rig_map.name)


class FOOTFALL_OT_remove_rig_preset(FootfallOperator, bpy.types.Operator):
    """Delete the selected preset of yours. The character keeps its bone map"""

    bl_idname = "footfall.remove_rig_preset"
    bl_label = "Remove Rig Preset"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_bone_map(context)
        if reason is None and not presets.is_user_preset(require_armature(context).footfall.rig.preset):
            return "Only your own presets can be removed: select one of yours"
        return reason

    def run(self, context: bpy.types.Context) -> str:
        rig = require_armature(context).footfall.rig
        name = presets.remove(rig.preset)
        rig.preset = ""
        return Message("Removed the preset '{name}'", name=bpy.path.display_name(name, title_case=False))


class FOOTFALL_MT_rig_presets(bpy.types.Menu):
    """The rigs that Footfall knows, then your own"""

    bl_label = "Rig Presets"

    def draw(self, context: bpy.types.Context) -> None:
        for identifier, title in presets.shipped_items():
            self.layout.operator(FOOTFALL_OT_load_rig_preset.bl_idname, text=title).preset = identifier
        own = presets.user_items()
        if own:
            self.layout.separator()
        for identifier, title in own:
            self.layout.operator(FOOTFALL_OT_load_rig_preset.bl_idname, text=title).preset = identifier


CLASSES = (
    FOOTFALL_OT_load_rig_preset,
    FOOTFALL_OT_save_rig_preset,
    FOOTFALL_OT_remove_rig_preset,
    FOOTFALL_MT_rig_presets,
)

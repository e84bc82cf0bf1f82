"""Operators for the rig map: detect, clear, choose bones, check, calibrate."""

from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.message import Message
from ...core.rig.rig_guess import RigGuess
from ...core.rig.rig_map import RigMap
from ...core.rig.rig_map.rig_map import IK_ROLES
from ...core.rig.rig_map.roles import role_phrase
from ..ui.operator_base import FootfallOperator, active_armature, require_armature, why_not_animatable
from . import check, presets, roles, skin, store
from . import guess as rig_guess

SLOT_ITEMS: Final = (
    ("BONE", "Bone", "Bone that deforms the body"),
    ("CONTROL", "FK Control", "Control bone to key instead of the deforming bone"),
)
SURE_CONFIDENCE: Final = 0.995


def why_no_bone_map(context: bpy.types.Context) -> str | None:
    """Return the reason why the active armature's rig map cannot be changed now; ``None`` if it can."""
    reason = why_not_animatable(context)
    if reason is None and not store.has_bone_map(require_armature(context)):
        return "The character has no bone map: press Detect Bones first"
    return reason


class FOOTFALL_OT_guess_rig(FootfallOperator, bpy.types.Operator):
    """Map bones to body parts by name and shape, keeping manual choices"""

    bl_idname = "footfall.guess_rig"
    bl_label = "Detect Bones"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_not_animatable(context)

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        try:
            guess = rig_guess.guess_rig(armature)
        except FootfallError:
            if store.has_bone_map(armature):
                raise
            store.store_rig_map(armature, RigMap("Rig", {}))  # an empty list, to choose bones in
            check.update_check(armature)
            return Message(
                "No body was found in the armature '{name}': choose a preset, or choose the bones in the list",
                name=armature.name,
            )
        rows = armature.footfall.rig.roles
        chosen = {row.name: row.bone for row in rows if row.is_manual and row.bone in armature.data.bones}
        preset = presets.SHIPPED_PREFIX + guess.preset if guess.preset else ""
        store.store_rig_map(armature, guess.rig_map, guess.confidence, preset)
        for role, bone in chosen.items():
            store.add_role(armature, role)
            with store.suspended_updates():
                rows[role].bone = bone
            store.on_bone_chosen(armature, role, "bone")
        armature.footfall.rig.active_role = 0
        check.update_check(armature)
        return _guess_summary(guess)


def _guess_summary(guess: RigGuess) -> str:
    count = len(guess.rig_map.bones)
    found = (
        Message("Found {count} body parts by the preset '{preset}'", count=count, preset=guess.rig_map.name)
        if guess.preset
        else Message("Found {count} body parts by the names and positions of the bones", count=count)
    )
    role, least = min(guess.confidence.items(), key=lambda item: item[1])
    if least >= SURE_CONFIDENCE:
        return found
    doubt = Message(
        "The least certain one is {body_part} ({percent} %)", body_part=role_phrase(role), percent=f"{100 * least:.0f}"
    )
    return Message.joined(". ", (found, doubt))


class FOOTFALL_OT_clear_rig(FootfallOperator, bpy.types.Operator):
    """Remove the bone map. Bones are detected again when needed"""

    bl_idname = "footfall.clear_rig"
    bl_label = "Clear Bone Map"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_bone_map(context)

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        store.clear_rig_map(armature)
        return Message("The bones of '{name}' will be detected again when needed", name=armature.name)


def active_bone(context: bpy.types.Context) -> bpy.types.Bone | None:
    """Return the active bone of the active armature."""
    return require_armature(context).data.bones.active


class FOOTFALL_OT_use_active_bone(FootfallOperator, bpy.types.Operator):
    """Assign the bone that is active in the viewport to the active body part"""

    bl_idname = "footfall.use_active_bone"
    bl_label = "Use Active Bone"

    role: bpy.props.StringProperty(
        name="Body Part", description="Body part to map. Leave empty to use the active one in the list"
    )
    slot: bpy.props.EnumProperty(
        items=SLOT_ITEMS,
        name="Use As",
        description="Purpose of the bone: it deforms the body, or it is the control to key",
    )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_bone_map(context)
        if reason is None and active_bone(context) is None:
            return "Click a bone in Pose Mode"
        return reason

    def run(self, context: bpy.types.Context) -> str:
        armature, bone = require_armature(context), active_bone(context)
        rig = armature.footfall.rig
        role = self.role or (rig.roles[rig.active_role].name if rig.active_role < len(rig.roles) else "")
        if bone is None or role not in rig.roles:
            raise FootfallError("This rig has no body part '{body_part}': select one in the list first", body_part=role)
        slot = self.slot.lower()
        with store.suspended_updates():
            setattr(rig.roles[role], slot, bone.name)
        store.on_bone_chosen(armature, role, slot)
        check.update_check(armature)
        return Message(
            "The bone of the body part {body_part} is now '{name}'"
            if self.slot == "BONE"
            else "The control of the body part {body_part} is now '{name}'",
            body_part=roles.title(role),
            name=bone.name,
        )


_ADDABLE_ROLE_ITEMS: list[
    tuple[str, str, str]
] = []  # Blender keeps pointers to an enum's strings, so they must stay alive


def addable_role_items(_owner: object, context: bpy.types.Context | None) -> list[tuple[str, str, str]]:
    armature = active_armature(context) if context else None
    if armature is not None:
        rows = armature.footfall.rig.roles
        _ADDABLE_ROLE_ITEMS[:] = [
            (role, roles.title(role), "") for role in roles.addable_roles(row.name for row in rows)
        ]
    return _ADDABLE_ROLE_ITEMS


class FOOTFALL_OT_add_rig_role(FootfallOperator, bpy.types.Operator):
    """Add a body part to the bone map, such as another spine bone or a twist bone"""

    bl_idname = "footfall.add_rig_role"
    bl_label = "Add Body Part"

    role: bpy.props.EnumProperty(items=addable_role_items, name="Body Part", description="Body part to add")

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_bone_map(context)

    def run(self, context: bpy.types.Context) -> str:
        store.add_role(require_armature(context), self.role)
        return Message("Choose a bone for {body_part}", body_part=role_phrase(self.role))


class FOOTFALL_OT_check_rig(FootfallOperator, bpy.types.Operator):
    """Measure the angles between the rig's bones and the controller's in the reference pose"""

    bl_idname = "footfall.check_rig"
    bl_label = "Check Rig"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_bone_map(context)

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        return check.store_check(armature, check.calibrate_to_controller(armature))


class FOOTFALL_OT_capture_reference_pose(FootfallOperator, bpy.types.Operator):
    """Use the current pose as the reference pose that matches the controller's rest pose"""

    bl_idname = "footfall.capture_reference_pose"
    bl_label = "Capture Pose"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_bone_map(context)

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        armature.footfall.rig.reference_pose = "CURRENT"  # which captures the pose
        return armature.footfall.rig.check_result


class FOOTFALL_OT_measure_skin(FootfallOperator, bpy.types.Operator):
    """Measure the distances from bones to skin at seat, palms and soles, on the rig's meshes"""

    bl_idname = "footfall.measure_skin"
    bl_label = "Measure Skin"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_bone_map(context)

    def run(self, context: bpy.types.Context) -> str:
        return skin.measure(require_armature(context))


class FOOTFALL_OT_add_ik_limb(FootfallOperator, bpy.types.Operator):
    """Add the IK controls of a foot or hand to the bone map"""

    bl_idname = "footfall.add_ik_limb"
    bl_label = "Add IK"

    limb: bpy.props.EnumProperty(
        items=[(role, roles.title(role), "") for role in IK_ROLES], name="Limb", description="Foot or hand to add"
    )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_bone_map(context)

    def run(self, context: bpy.types.Context) -> str:
        store.add_limb(require_armature(context), self.limb)
        return Message("Choose the IK control of {body_part}", body_part=role_phrase(self.limb))


class FOOTFALL_OT_remove_ik_limb(FootfallOperator, bpy.types.Operator):
    """Remove the IK controls of this foot or hand from the bone map"""

    bl_idname = "footfall.remove_ik_limb"
    bl_label = "Remove IK"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    limb: bpy.props.StringProperty(name="Limb", description="Identifier of the foot or hand, such as foot.L")

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_bone_map(context)

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        if self.limb not in armature.footfall.rig.limbs:
            raise FootfallError(
                "The bone map of '{name}' has no IK controls for '{limb}': press Add IK",
                limb=self.limb,
                name=armature.name,
            )
        store.remove_limb(armature, self.limb)
        return Message("{body_part} is now posed with FK", body_part=role_phrase(self.limb, capital=True))


CLASSES = (
    FOOTFALL_OT_guess_rig,
    FOOTFALL_OT_clear_rig,
    FOOTFALL_OT_use_active_bone,
    FOOTFALL_OT_add_rig_role,
    FOOTFALL_OT_check_rig,
    FOOTFALL_OT_capture_reference_pose,
    FOOTFALL_OT_measure_skin,
    FOOTFALL_OT_add_ik_limb,
    FOOTFALL_OT_remove_ik_limb,
)

"""The rig map as stored with an armature object, editable in a list."""

from collections.abc import Callable
from typing import Final

import bpy

from ...core.body import BodyType
from ..ui.overridable import OVERRIDABLE, OVERRIDABLE_LIST
from . import check, store

REFERENCE_POSE_ITEMS: Final = (
    ("AUTOMATIC", "Automatic", "Align arms and legs, whatever the rest poses are. Right for most rigs"),
    ("REST", "Rest Pose", "The rest pose of the rig matches that of the controller"),
    ("T_POSE", "T-Pose", "The rest pose of the rig is upright with the arms out to the sides"),
    ("A_POSE", "A-Pose", "The rest pose of the rig is upright with the arms halfway down"),
    ("CURRENT", "Current Pose", "The current pose of the rig matches the rest pose of the controller"),
)
FILTER_ITEMS: Final = (
    ("ALL", "All", "List every body part"),
    ("ISSUES", "Issues", "List missing, doubtful and misaligned bones"),
)
SKIN_SOURCE_ITEMS: Final = (
    ("PROPORTIONS", "Proportions", "No mesh shows it: taken from the length of the legs"),
    ("MESH", "Mesh", "Measured on the meshes of the rig"),
    ("EDITED", "Edited", "Entered by hand"),
)
UpdateCallback = Callable[[bpy.types.PropertyGroup, bpy.types.Context], None]


def _on_bone_changed(slot: str) -> UpdateCallback:
    """Return the update callback of a bone slot, which removes the bone from all other roles."""

    def update(row: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
        bone, known = getattr(row, slot), f"previous_{slot}"
        if getattr(row, known) == bone:
            return  # Blender reports some changes twice
        setattr(row, known, bone)
        if not store.updates_are_suspended():
            store.on_bone_chosen(row.id_data, row.name, slot)
            check.update_check(row.id_data)
            _push_undo()

    return update


def _on_limb_changed(limb: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    bones = "\n".join((limb.control, limb.pole, limb.toe, limb.switch_bone))
    if limb.previous_bones == bones:
        return
    limb.previous_bones = bones
    if not store.updates_are_suspended():
        _push_undo()


def _push_undo() -> None:
    """Push an undo step for the choice of a bone, since Blender's own bone fields do not."""
    if not bpy.app.background:
        bpy.ops.ed.undo_push(message="Choose Bone")


def _on_reference_pose_changed(rig: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    if store.updates_are_suspended():
        return
    if rig.reference_pose == "CURRENT":
        store.capture_reference_pose(rig.id_data)
    check.update_check(rig.id_data)


def _on_thickness_changed(rig: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    if not store.updates_are_suspended():
        rig.skin_source = "EDITED"


THICKNESS: Final = {
    "override": OVERRIDABLE,
    "soft_min": 0.0,
    "soft_max": 0.3,
    "precision": 3,
    "unit": "LENGTH",
    "update": _on_thickness_changed,
}
"""Common settings of the properties for the thickness of the skin."""


class FOOTFALL_PG_rig_role(bpy.types.PropertyGroup):
    """A part of the body, by the name of its role, and the bones that play it; without a name it is none."""

    name: bpy.props.StringProperty(override=OVERRIDABLE)
    bone: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Bone", description="Bone that deforms the body", update=_on_bone_changed("bone")
    )
    control: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="FK Control",
        description="Bone that is keyed (FK). Leave empty to use the bone itself",
        update=_on_bone_changed("control"),
    )
    previous_bone: bpy.props.StringProperty(override=OVERRIDABLE, options={"HIDDEN"})
    previous_control: bpy.props.StringProperty(override=OVERRIDABLE, options={"HIDDEN"})
    confidence: bpy.props.FloatProperty(override=OVERRIDABLE, description="Confidence of the detection, 0 to 1")
    is_manual: bpy.props.BoolProperty(override=OVERRIDABLE, description="Whether the bone was chosen by hand")
    alignment_error: bpy.props.FloatProperty(
        override=OVERRIDABLE, default=-1.0, description="Alignment error in degrees, below 0 if unknown"
    )
    issue: bpy.props.StringProperty(override=OVERRIDABLE, description="Issue of the bone")
    # The bone's rotation from rest in the armature's space, in the calibration pose.
    reference_rotation: bpy.props.FloatVectorProperty(override=OVERRIDABLE, size=4, default=(1.0, 0.0, 0.0, 0.0))
    reference_bone: bpy.props.StringProperty(
        override=OVERRIDABLE, description="Bone that was posed in the reference pose"
    )


BODY_TYPE_ITEMS: Final = (
    (BodyType.MASCULINE.value, "Masculine", "Broad shoulders and narrow hips"),
    (BodyType.FEMININE.value, "Feminine", "Narrow shoulders, a narrow waist and broad hips"),
)


class FOOTFALL_PG_rig_setting(bpy.types.PropertyGroup):
    """A custom property of a bone that must have a value so that IK works."""

    bone: bpy.props.StringProperty(override=OVERRIDABLE, name="Bone", description="Bone that has the property")
    property_name: bpy.props.StringProperty(override=OVERRIDABLE, name="Property", description="Custom property")
    value: bpy.props.FloatProperty(override=OVERRIDABLE, name="Value", description="Value set by a bake")


class FOOTFALL_PG_ik_limb(bpy.types.PropertyGroup):
    """A foot or hand that can be posed by IK; without a name it is none."""

    name: bpy.props.StringProperty(override=OVERRIDABLE)
    control: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="FK Control",
        description="Bone placed at the foot or hand",
        update=_on_limb_changed,
    )
    pole: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Pole", description="Bone that the knee or elbow points at", update=_on_limb_changed
    )
    toe: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="Toe",
        description="Bone that rotates the toes while IK is on",
        update=_on_limb_changed,
    )
    switch_bone: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="Switch",
        description="Bone that has the IK/FK switch",
        update=_on_limb_changed,
    )
    switch_property: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Property", description="Custom property of the IK/FK switch"
    )
    ik_value: bpy.props.FloatProperty(override=OVERRIDABLE, name="IK Value", description="Value of the switch for IK")
    fk_value: bpy.props.FloatProperty(
        override=OVERRIDABLE, name="FK Value", description="Value of the switch for FK", default=1.0
    )
    previous_bones: bpy.props.StringProperty(override=OVERRIDABLE, options={"HIDDEN"})
    settings: bpy.props.CollectionProperty(override=OVERRIDABLE_LIST, type=FOOTFALL_PG_rig_setting)


class FOOTFALL_PG_rig(bpy.types.PropertyGroup):
    """The rig map of an armature, and how well it fits; without roles there is none yet."""

    title: bpy.props.StringProperty(override=OVERRIDABLE, name="Rig", description="Name of the rig")
    preset: bpy.props.StringProperty(override=OVERRIDABLE, description="Preset that the bone map was loaded from")
    roles: bpy.props.CollectionProperty(override=OVERRIDABLE_LIST, type=FOOTFALL_PG_rig_role)
    active_role: bpy.props.IntProperty(
        override=OVERRIDABLE, name="Active Body Part", description="Index of the active item in the list", min=0
    )
    list_filter: bpy.props.EnumProperty(
        override=OVERRIDABLE, items=FILTER_ITEMS, name="Show", description="Body parts to list"
    )
    limbs: bpy.props.CollectionProperty(override=OVERRIDABLE_LIST, type=FOOTFALL_PG_ik_limb)
    translation_bone: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="Translation Control",
        description="Bone that moves the body on a rig whose hips only rotate",
    )
    translation_joint: bpy.props.StringProperty(
        override=OVERRIDABLE, description="Body part whose joint is fixed to the translation control"
    )
    reference_pose: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=REFERENCE_POSE_ITEMS,
        name="Reference Pose",
        description="Pose in which this rig stands like the rest pose of the controller",
        update=_on_reference_pose_changed,
    )
    body_type: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=BODY_TYPE_ITEMS,
        name="Body Type",
        description="Proportions of the body",
    )
    seat_thickness: bpy.props.FloatProperty(
        **THICKNESS, name="Seat", description="Height of the hip joints over the skin that they sit on", min=0.0
    )
    palm_thickness: bpy.props.FloatVectorProperty(
        **THICKNESS,
        name="Palms",
        description="Distance from the bones of the left and the right hand to the skin of the palm",
        size=2,
        min=0.0,
    )
    sole_thickness: bpy.props.FloatProperty(
        **THICKNESS,
        name="Soles",
        description="Height of the balls of the feet over the soles; of the ankles where there are no toes",
    )
    skin_source: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=SKIN_SOURCE_ITEMS,
        name="Skin From",
        description="Where the thickness of the skin is known from",
        default="PROPORTIONS",
    )
    skin_key: bpy.props.StringProperty(override=OVERRIDABLE, description="What the skin was measured on")
    # For both palms, in the armature's space: direction out of the palm, and along the hand; then the skin of both
    # hands, meters.
    palm_axes: bpy.props.FloatVectorProperty(override=OVERRIDABLE, size=(2, 2, 3))
    palm_skin: bpy.props.FloatVectorProperty(override=OVERRIDABLE, size=(2, 32, 24))
    checked_controller: bpy.props.StringProperty(
        override=OVERRIDABLE, description="Controller whose skeleton was used for the last check"
    )
    check_result: bpy.props.StringProperty(override=OVERRIDABLE, description="Result of the last check")
    check_passed: bpy.props.BoolProperty(override=OVERRIDABLE, description="Whether the last check found no issue")


CLASSES = (
    FOOTFALL_PG_rig_role,
    FOOTFALL_PG_rig_setting,
    FOOTFALL_PG_ik_limb,
    FOOTFALL_PG_rig,
)

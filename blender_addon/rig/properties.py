"""The rig map as stored with an armature object, editable in a list."""

from collections.abc import Callable
from typing import Final

import bpy

from ..ui.overridable import OVERRIDABLE, OVERRIDABLE_LIST
from . import check, store

REFERENCE_POSE_ITEMS: Final = (
    ("AUTOMATIC", "Automatic", "Arms and legs are turned to point alike, whatever the rest poses are: right for most"),
    ("REST", "Rest Pose", "At rest, the rig stands like the controller's character at rest"),
    ("T_POSE", "T-Pose", "At rest, the rig stands upright with its arms stretched out to the sides"),
    ("A_POSE", "A-Pose", "At rest, the rig stands upright with its arms halfway down"),
    ("CURRENT", "Current Pose", "As it is posed now, the rig stands like the controller's character at rest"),
)
FILTER_ITEMS: Final = (
    ("ALL", "All", "Every part of the body"),
    ("ISSUES", "To Check", "What is missing, doubtful or does not fit"),
)
UpdateCallback = Callable[[bpy.types.PropertyGroup, bpy.types.Context], None]


def _on_bone_changed(slot: str) -> UpdateCallback:
    """Return the update callback of a bone slot, which removes the bone from all other roles."""

    def update(row: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
        bone, known = getattr(row, slot), f"previous_{slot}"
        if getattr(row, known) == bone:
            return  # Blender tells of some changes twice
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
    """Push an undo step for the choice of a bone, as Blender's own bone fields push none."""
    if not bpy.app.background:
        bpy.ops.ed.undo_push(message="Choose Bone")


def _on_reference_pose_changed(rig: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    if store.updates_are_suspended():
        return
    if rig.reference_pose == "CURRENT":
        store.capture_reference_pose(rig.id_data)
    check.update_check(rig.id_data)


class FOOTFALL_PG_rig_role(bpy.types.PropertyGroup):
    """A part of the body, by the name of its role, and the bones that play it; without a name it is none."""

    name: bpy.props.StringProperty(override=OVERRIDABLE)
    bone: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Bone", description="The bone whose motion is seen", update=_on_bone_changed("bone")
    )
    control: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="Control",
        description="The bone that you key instead (FK); empty: the bone itself",
        update=_on_bone_changed("control"),
    )
    previous_bone: bpy.props.StringProperty(override=OVERRIDABLE, options={"HIDDEN"})
    previous_control: bpy.props.StringProperty(override=OVERRIDABLE, options={"HIDDEN"})
    confidence: bpy.props.FloatProperty(override=OVERRIDABLE, description="How sure Footfall is, 0 to 1")
    is_manual: bpy.props.BoolProperty(override=OVERRIDABLE, description="Whether you chose the bone")
    alignment_error: bpy.props.FloatProperty(
        override=OVERRIDABLE, default=-1.0, description="Degrees by which it is off; below 0: not known"
    )
    issue: bpy.props.StringProperty(override=OVERRIDABLE, description="What looks wrong")
    # The bone's rotation from rest in the armature's space, in the pose that calibrates.
    reference_rotation: bpy.props.FloatVectorProperty(override=OVERRIDABLE, size=4, default=(1.0, 0.0, 0.0, 0.0))
    reference_bone: bpy.props.StringProperty(override=OVERRIDABLE, description="Which bone it was that was posed so")


class FOOTFALL_PG_rig_setting(bpy.types.PropertyGroup):
    """A custom property of a bone that must have a value so that IK works."""

    bone: bpy.props.StringProperty(override=OVERRIDABLE, name="Bone", description="The bone that has the property")
    property_name: bpy.props.StringProperty(override=OVERRIDABLE, name="Property", description="The custom property")
    value: bpy.props.FloatProperty(override=OVERRIDABLE, name="Value", description="What it is set to by a bake")


class FOOTFALL_PG_ik_limb(bpy.types.PropertyGroup):
    """A foot or hand that can be posed by IK; without a name it is none."""

    name: bpy.props.StringProperty(override=OVERRIDABLE)
    control: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="Control",
        description="The bone that is put where the foot or hand shall be",
        update=_on_limb_changed,
    )
    pole: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Pole", description="The bone that knee or elbow points at", update=_on_limb_changed
    )
    toe: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="Toe",
        description="The bone that turns the toes while IK is on",
        update=_on_limb_changed,
    )
    switch_bone: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="Switch",
        description="The bone that has the switch between IK and FK",
        update=_on_limb_changed,
    )
    switch_property: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Property", description="The custom property that is the switch"
    )
    ik_value: bpy.props.FloatProperty(override=OVERRIDABLE, name="IK At", description="The switch's value for IK")
    fk_value: bpy.props.FloatProperty(
        override=OVERRIDABLE, name="FK At", description="The switch's value for FK", default=1.0
    )
    previous_bones: bpy.props.StringProperty(override=OVERRIDABLE, options={"HIDDEN"})
    settings: bpy.props.CollectionProperty(override=OVERRIDABLE_LIST, type=FOOTFALL_PG_rig_setting)


class FOOTFALL_PG_rig(bpy.types.PropertyGroup):
    """The rig map of an armature, and how well it fits; without roles there is none yet."""

    title: bpy.props.StringProperty(override=OVERRIDABLE, name="Rig", description="What the rig is called")
    preset: bpy.props.StringProperty(override=OVERRIDABLE, description="The preset that it was taken from")
    roles: bpy.props.CollectionProperty(override=OVERRIDABLE_LIST, type=FOOTFALL_PG_rig_role)
    active_role: bpy.props.IntProperty(
        override=OVERRIDABLE, name="Active Part", description="The marked one of the list, from 0"
    )
    list_filter: bpy.props.EnumProperty(
        override=OVERRIDABLE, items=FILTER_ITEMS, name="Show", description="Which parts of the body to list"
    )
    limbs: bpy.props.CollectionProperty(override=OVERRIDABLE_LIST, type=FOOTFALL_PG_ik_limb)
    translation_bone: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Carrier", description="The bone that travels, on a rig whose hips only turn"
    )
    translation_joint: bpy.props.StringProperty(
        override=OVERRIDABLE, description="The part of the body whose joint keeps its place on the carrier"
    )
    reference_pose: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=REFERENCE_POSE_ITEMS,
        name="Calibrate By",
        description="What makes the rig stand like the controller's character",
        update=_on_reference_pose_changed,
    )
    checked_controller: bpy.props.StringProperty(
        override=OVERRIDABLE, description="The controller whose skeleton it was last checked against"
    )
    check_result: bpy.props.StringProperty(override=OVERRIDABLE, description="What the last check found")
    check_passed: bpy.props.BoolProperty(override=OVERRIDABLE, description="Whether it found nothing wrong")


CLASSES = (
    FOOTFALL_PG_rig_role,
    FOOTFALL_PG_rig_setting,
    FOOTFALL_PG_ik_limb,
    FOOTFALL_PG_rig,
)

"""The rig map as stored with an armature object, editable in a list."""

from collections.abc import Callable
from typing import Final

import bpy

from ...core.body import BodyType
from ..ui import plain
from ..ui.overridable import OVERRIDABLE, choice, collection, flag, integer, number, text
from . import check, store

REFERENCE_POSE_ITEMS: Final = (
    ("AUTOMATIC", "Automatic", "Align arms and legs with the controller, whatever the rest poses are. Suits most rigs"),
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
    (
        "PROPORTIONS",
        "Proportions",
        "Distances are estimated from the leg length, because the rig has no mesh to measure",
    ),
    ("MESH", "Mesh", "Distances are measured on the meshes of the rig"),
    ("EDITED", "Edited", "Distances are entered by hand"),
)
UpdateCallback = Callable[[bpy.types.PropertyGroup, bpy.types.Context], None]


def _on_bone_changed(slot: str) -> UpdateCallback:
    """Return the update callback of a bone slot; it removes the chosen bone from all other roles."""

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
    """Push an undo step after a bone was chosen, since Blender's own bone fields do not."""
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

    name: text()
    bone: text("Bone", "Bone that deforms the body", update=_on_bone_changed("bone"))
    control: text(
        "FK Control", "FK control to key. Leave empty to key the bone itself", update=_on_bone_changed("control")
    )
    previous_bone: text(options={"HIDDEN"})
    previous_control: text(options={"HIDDEN"})
    confidence: number(description="Probability that the detected bone is right, 0 to 1")
    is_manual: flag(description="Whether the bone was chosen by hand, not detected")
    alignment_error: number(
        description="Angle between the bone and the controller's bone in degrees, negative if unknown", default=-1.0
    )
    issue: text(description="Problem that the rig check found with the bone")
    # The bone's rotation from rest in the armature's space, in the pose that calibrates.
    reference_rotation: bpy.props.FloatVectorProperty(override=OVERRIDABLE, size=4, default=(1.0, 0.0, 0.0, 0.0))
    reference_bone: text(description="Bone whose rotation in the reference pose is stored")


BODY_TYPE_ITEMS: Final = (
    (BodyType.MASCULINE.value, "Masculine", "Broad shoulders and narrow hips"),
    (BodyType.FEMININE.value, "Feminine", "Narrow shoulders, a narrow waist and broad hips"),
)


class FOOTFALL_PG_rig_setting(bpy.types.PropertyGroup):
    """A custom property of a bone that must have a value so that IK works."""

    bone: text("Bone", "Bone that has the custom property")
    property_name: text("Property", "Name of the custom property")
    value: number("Value", "Value that a bake sets the custom property to")


class FOOTFALL_PG_ik_limb(bpy.types.PropertyGroup):
    """A foot or hand that can be posed by IK; without a name it is none."""

    name: text()
    control: text("FK Control", "IK control bone of the foot or hand", update=_on_limb_changed)
    pole: text("Pole", "Bone at which the knee or elbow points", update=_on_limb_changed)
    toe: text("Toe", "Bone that rotates the toes while IK is on", update=_on_limb_changed)
    switch_bone: text(
        "Switch", "Bone with the custom property that switches between IK and FK", update=_on_limb_changed
    )
    switch_property: text("Property", "Name of the custom property that switches between IK and FK")
    ik_value: number("IK Value", "Value of the property that switches to IK")
    fk_value: number("FK Value", "Value of the property that switches to FK", 1.0)
    previous_bones: text(options={"HIDDEN"})
    settings: collection(FOOTFALL_PG_rig_setting)


class FOOTFALL_PG_rig(bpy.types.PropertyGroup):
    """The rig map of an armature, and how well it fits; without roles there is none yet."""

    title: text("Rig", "Name of the rig")
    preset: text(description="Preset from which the bone map was loaded")
    roles: collection(FOOTFALL_PG_rig_role)
    active_role: integer("Active Body Part", "Index of the active item in the list", low=0)
    list_filter: choice("Show", "Body parts to list", FILTER_ITEMS)
    limbs: collection(FOOTFALL_PG_ik_limb)
    translation_bone: text(
        "Translation Control", "Bone that moves the body if the hips control of the rig can only rotate"
    )
    translation_joint: text(description="Body part that the translation control moves")
    reference_pose: choice(
        "Reference Pose",
        "Pose of this rig that matches the rest pose of the controller",
        REFERENCE_POSE_ITEMS,
        update=_on_reference_pose_changed,
    )
    body_type: choice("Body Type", "Proportions of the body", BODY_TYPE_ITEMS)
    seat_thickness: plain.number("Seat", "Height of the hip joints above the skin of the seat", low=0.0, **THICKNESS)
    palm_thickness: bpy.props.FloatVectorProperty(
        **THICKNESS,
        name="Palms",
        description="Distance from the bones of the left and the right hand to the skin of the palm",
        size=2,
        min=0.0,
    )
    sole_thickness: plain.number(
        "Soles", "Height of the balls of the feet above the soles, or of the ankles if there are no toes", **THICKNESS
    )
    skin_source: choice(
        "Skin Source",
        "Origin of the distances from the bones to the skin: estimated, measured or entered",
        SKIN_SOURCE_ITEMS,
        default="PROPORTIONS",
    )
    skin_key: text(description="Checksum of the meshes and bones on which the skin was measured")
    # Of both palms, in the armature's space: out of it, and along the hand; then the skin of both hands, meters.
    palm_axes: bpy.props.FloatVectorProperty(override=OVERRIDABLE, size=(2, 2, 3))
    palm_skin: bpy.props.FloatVectorProperty(override=OVERRIDABLE, size=(2, 32, 24))
    checked_controller: text(description="Controller with which the rig was last compared")
    check_result: text(description="Result of the last rig check, as a sentence")
    check_passed: flag(description="Whether the last rig check found no issue")


CLASSES = (
    FOOTFALL_PG_rig_role,
    FOOTFALL_PG_rig_setting,
    FOOTFALL_PG_ik_limb,
    FOOTFALL_PG_rig,
)

"""Settings of a bake's output on a rig: the controls, the carrier, the destination of the keys, and their number."""

from typing import Final

import bpy

from ..ui.overridable import OVERRIDABLE
from ..ui.translations import CONTEXT

CONTROL_ITEMS: Final = (
    ("IK", "IK Where There Is", "Feet, hands and poles of rigs that have IK controls, with the switch keyed; else FK"),
    ("FK", "FK", "The bones' own rotations"),
)
DESTINATION_ITEMS: Final = (
    ("ACTION", "New Action", "A new action is assigned; the one before is kept"),
    ("STRIP", "NLA Strip", "A new action in an NLA strip over what is there"),
    ("RANGE", "Frames of This Action", "Frames of the action that is assigned, joined at both ends"),
)
ROOT_MOTION_ITEMS: Final = (
    ("HIPS", "Hips", "The hips travel; nothing else is moved"),
    ("ROOT_BONE", "Root Bone", "The bone that is mapped as the root travels, as games want it"),
    ("OBJECT", "Object", "The armature object itself travels"),
)


class FOOTFALL_PG_output(bpy.types.PropertyGroup):
    """Where a character's bakes go; kept with its armature."""

    controls: bpy.props.EnumProperty(
        override=OVERRIDABLE, items=CONTROL_ITEMS, name="Limbs", description="Which controls get the keys"
    )
    destination: bpy.props.EnumProperty(
        override=OVERRIDABLE, items=DESTINATION_ITEMS, name="Bake Into", description="Where the keys go"
    )
    blend_in: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Blend In",
        description="Frames over which the bake comes in",
        default=10,
        min=0,
        soft_max=100,
    )
    blend_out: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Blend Out",
        description="Frames over which the bake goes out",
        default=10,
        min=0,
        soft_max=100,
    )
    frame_start: bpy.props.IntProperty(
        override=OVERRIDABLE, name="First Frame", description="The walk starts here", default=1
    )
    frame_end: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Last Frame",
        description="Nothing after this frame is changed, even if the walk is longer",
        default=250,
    )
    reduce_keys: bpy.props.BoolProperty(
        override=OVERRIDABLE,
        name="Few Keys",
        description="As few keys as keep the body within an error, instead of one on every frame",
    )
    max_error: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Error",
        description="By how much a joint may be off; contacts are kept closer",
        default=0.002,
        min=0.0001,
        soft_max=0.02,
        max=0.1,
        step=0.01,
        precision=4,
        unit="LENGTH",
    )
    root_motion: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=ROOT_MOTION_ITEMS,
        name="Root Motion",
        description="Who carries the character along the path",
    )
    root_axes: bpy.props.BoolVectorProperty(
        override=OVERRIDABLE,
        name="Travels Along",
        description="Along which of the world's axes root bone or object travel; the hips do the rest",
        size=3,
        default=(True, True, False),
        subtype="XYZ",
    )
    root_rotation: bpy.props.BoolProperty(
        override=OVERRIDABLE,
        name="Turns",
        description="Whether root bone or object turn the way the character faces",
        translation_context=CONTEXT,
        default=True,
    )


def draw_output(layout: bpy.types.UILayout, output: FOOTFALL_PG_output) -> None:
    """Draw the rows of the panel Direct for the output of a bake."""
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    column.prop(output, "destination")
    if output.destination == "RANGE":
        row = column.row(align=True)
        row.prop(output, "frame_start", text="Frames")
        row.prop(output, "frame_end", text="")
    if output.destination != "ACTION":
        row = column.row(align=True)
        row.prop(output, "blend_in", text="Blend In, Out")
        row.prop(output, "blend_out", text="")
    column.prop(output, "controls")
    column.prop(output, "root_motion")
    if output.root_motion != "HIPS":
        column.row(align=True).prop(output, "root_axes", toggle=True)
        column.prop(output, "root_rotation")
    row = column.row(heading="Few Keys")
    row.prop(output, "reduce_keys", text="")
    sub = row.row()
    sub.active = output.reduce_keys
    sub.prop(output, "max_error", text="")

"""Settings of a bake's output on a rig: the controls, the carrier, the destination of the keys, and their number."""

from typing import Final

import bpy

from ..ui.overridable import OVERRIDABLE
from ..ui.translations import CONTEXT

CONTROL_ITEMS: Final = (
    (
        "IK",
        "IK if Available",
        "Key IK controls, poles and IK/FK switches where the rig has them, FK controls elsewhere",
    ),
    ("FK", "FK", "Key the FK controls or deforming bones"),
)
DESTINATION_ITEMS: Final = (
    ("ACTION", "New Action", "Assign a new action and keep the previous one"),
    ("STRIP", "NLA Strip", "New action in an NLA strip on top of the existing animation"),
    ("RANGE", "Replace Frame Range", "Replace part of the current action, blending at both ends"),
)
ROOT_MOTION_ITEMS: Final = (
    ("HIPS", "Hips", "The hips move and nothing else"),
    ("ROOT_BONE", "Root Bone", "The bone mapped as the root moves, as game engines expect"),
    ("OBJECT", "Object", "The armature object itself moves"),
)


class FOOTFALL_PG_output(bpy.types.PropertyGroup):
    """Where a character's bakes go; kept with its armature."""

    controls: bpy.props.EnumProperty(
        override=OVERRIDABLE, items=CONTROL_ITEMS, name="Controls", description="Controls that are keyed"
    )
    destination: bpy.props.EnumProperty(
        override=OVERRIDABLE, items=DESTINATION_ITEMS, name="Output", description="Where the keyframes are written"
    )
    blend_in: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Blend In",
        description="Frames over which the bake blends in",
        default=10,
        min=0,
        soft_max=100,
    )
    blend_out: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Blend Out",
        description="Frames over which the bake blends out",
        default=10,
        min=0,
        soft_max=100,
    )
    frame_start: bpy.props.IntProperty(
        override=OVERRIDABLE, name="First Frame", description="First frame of the walk", default=1
    )
    frame_end: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Last Frame",
        description="Last frame to change, even if the walk is longer",
        default=250,
    )
    reduce_keys: bpy.props.BoolProperty(
        override=OVERRIDABLE,
        name="Reduce Keys",
        description="Insert only the keys needed to stay within the error, instead of one per frame",
    )
    max_error: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Max Error",
        description="Largest allowed deviation of any joint. Contacts are kept closer",
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
        description="What moves along the path: hips, root bone or armature object",
    )
    root_axes: bpy.props.BoolVectorProperty(
        override=OVERRIDABLE,
        name="Root Axes",
        description="World axes along which the root moves. The hips take up the rest",
        size=3,
        default=(True, True, False),
        subtype="XYZ",
    )
    root_rotation: bpy.props.BoolProperty(
        override=OVERRIDABLE,
        name="Root Rotation",
        description="Rotate the root with the facing direction of the character",
        translation_context=CONTEXT,
        default=True,
    )


def draw_output(layout: bpy.types.UILayout, output: FOOTFALL_PG_output) -> None:
    """Draw the rows of the panel Output."""
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
    row = column.row(heading="Reduce Keys")
    row.prop(output, "reduce_keys", text="")
    sub = row.row()
    sub.active = output.reduce_keys
    sub.prop(output, "max_error", text="")

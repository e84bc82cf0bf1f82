"""Settings of a bake's output on a rig: the controls, the carrier, the destination of the keys, and their number."""

from typing import Final

import bpy

from ..ui.overridable import OVERRIDABLE, choice, flag, integer, number
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
    ("HIPS", "Hips", "Move only the hips along the path, without root motion"),
    ("ROOT_BONE", "Root Bone", "Move the bone mapped as the root along the path, as game engines expect"),
    ("OBJECT", "Object", "Move the armature object along the path"),
)


class FOOTFALL_PG_output(bpy.types.PropertyGroup):
    """Where a character's bakes go; kept with its armature."""

    controls: choice("Controls", "Rig controls that a bake keys", CONTROL_ITEMS)
    destination: choice("Output", "Where a bake writes the keyframes", DESTINATION_ITEMS)
    blend_in: integer(
        "Blend In", "Number of frames over which the bake blends in from the existing animation", 10, 0, soft_max=100
    )
    blend_out: integer(
        "Blend Out", "Number of frames over which the bake blends out to the existing animation", 10, 0, soft_max=100
    )
    frame_start: integer("First Frame", "First frame of the bake", 1)
    frame_end: integer("Last Frame", "Last frame to change, even if the bake is longer", 250)
    reduce_keys: flag("Reduce Keys", "Insert only the keys needed to stay within Max Error, instead of one per frame")
    max_error: number(
        "Max Error",
        "Largest distance by which reducing keys may move a joint. Contacts move less",
        0.002,
        0.0001,
        0.1,
        soft_max=0.02,
        step=0.01,
        precision=4,
        unit="LENGTH",
    )
    root_motion: choice(
        "Root Motion",
        "Part of the rig that moves along the path: hips, root bone or armature object",
        ROOT_MOTION_ITEMS,
    )
    root_axes: bpy.props.BoolVectorProperty(
        override=OVERRIDABLE,
        name="Root Axes",
        description="World axes along which the root moves. The hips do the remaining motion",
        size=3,
        default=(True, True, False),
        subtype="XYZ",
    )
    root_rotation: flag(
        "Root Rotation", "Rotate the root with the facing direction of the character", True, translation_context=CONTEXT
    )


def draw_output(layout: bpy.types.UILayout, output: FOOTFALL_PG_output) -> None:
    """Draw the rows of the Output panel."""
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
        row.prop(output, "blend_in", text="Blend In and Out")
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

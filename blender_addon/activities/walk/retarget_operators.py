"""Retargeting another armature's motion to the active rig."""

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.labelling import Labels, label_clip
from ....core.message import Message
from ....core.motion import Clip, rotations
from ....core.motion.proportions import scale_between
from ....core.retarget.rest_pose_from_motion import Stance
from ....core.retarget.retarget import retarget
from ...animation.fcurve_io.body_reader import read_body
from ...animation.layers import BakeSource
from ...animation.output import write_output
from ...label.labels import read_labels, write_labels
from ...rig.sole_height import floor_below, place_on_soles
from ...rig.store import calibrate_armature, rig_map_of
from ...ui.modal_operator import ModalWorkOperator, WorkSteps, part_of_work
from ...ui.operator_base import active_armature, require_armature, why_not_animatable


def source_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the only other selected armature with an action; ``None`` unless there is exactly one."""
    active = active_armature(context)
    others = [
        one
        for one in context.selected_objects
        if one.type == "ARMATURE" and one != active and one.animation_data and one.animation_data.action
    ]
    return others[0] if len(others) == 1 else None


class FOOTFALL_OT_retarget_motion(ModalWorkOperator, bpy.types.Operator):
    """Retarget the other selected armature's action to the active rig, preserving contacts"""

    bl_idname = "footfall.retarget_motion"
    bl_label = "Retarget Motion"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_not_animatable(context)
        if reason is None and source_armature(context) is None:
            return "Select an armature that has an action, then also select this rig"
        return reason

    def work(self, context: bpy.types.Context) -> WorkSteps:
        target, source = require_armature(context), source_armature(context)
        if source is None:
            raise FootfallError("Select an armature that has an action, then also select the rig to retarget to")
        action = source.animation_data.action
        reading = read_body(source, action, context.scene, rig_map_of(source))
        clip, first = yield from part_of_work(reading, 0.0, 0.7, Message("Reading the motion"))
        labels = contacts_for_retarget(source, action, clip, first)
        stance = Stance.of(clip)
        calibration = calibrate_armature(target, clip.skeleton, stance.pose)
        yield 0.8, Message("Retargeting the motion")
        contacts = dict(zip(labels.contact_joints, labels.contacts.T, strict=True))
        floor = floor_below(clip, source)
        made = place_like_source(clip, retarget(clip, calibration, contacts), floor)
        made = place_on_soles(made, target, (clip, source))
        yield 0.9, Message("Writing the keys")
        name, origin = f"{target.name}_{action.name}", BakeSource("RETARGET", source.name_full)
        written = write_output(target, rig_map_of(target), made, first, name, contacts, origin, floor)
        if written.record.kind != "RANGE":
            write_labels(target, written.record.action, labels, first)
        said: list[str] = [
            Message(
                "Retargeted {count} frames of '{source}' to '{target}'",
                count=len(made),
                source=action.name,
                target=target.name,
            ),
            written.record.message,
        ]
        if calibration.bad_roles():
            said.append(
                Message(
                    "These bones are not aligned with the source armature: {bones}",
                    bones=", ".join(calibration.bad_roles()),
                )
            )
        said += (*(calibration.doubts or stance.doubts), *calibration.assumptions)
        return Message.joined(". ", (part for part in (*said, *written.warnings) if part))


def contacts_for_retarget(armature: bpy.types.Object, action: bpy.types.Action, clip: Clip, first_frame: int) -> Labels:
    """Return the contacts of an action: its labels, else detected ones."""
    return read_labels(armature, action, clip, first_frame) if action.footfall.segments else label_clip(clip)


def place_like_source(source: Clip, retargeted: Clip, ground_height: float) -> Clip:
    """Return the retargeted clip moved to the start and the ground of its source."""
    scale = scale_between(source.skeleton, retargeted.skeleton)
    start = np.array([*source.root_positions[0, :2], ground_height])
    return retargeted.transformed(rotations.IDENTITY, (1.0 - scale) * start)

"""Operators for edited steps and retimed stretches: edit, remove, go to."""

from typing import Final

import bpy
import numpy as np

from ....core.control.edit.foot import foot_named
from ....core.message import Message
from ...animation.fcurve_io.body_reader import read_present_pose
from ...animation.fcurve_io.reader import scene_rate
from ...rig.store import rig_map_of
from ...ui.list_operators import CharacterListOperator, GoToFrameOperator, RemoveOperator
from ...ui.operator_base import require_armature, why_not_animatable
from ...units import meters_per_unit, to_units
from ..key_poses.store import stored_root
from .baking import time_before
from .properties import FEET

HANDLE_SIZE_M: Final = 0.15
"""Size of a footprint's arrows, meters."""
HANDLE_PROPERTY: Final = "footfall_footprint"
"""The property of empties that were created for edited steps, and are removed together with them."""
STRETCH_S: Final = 1.0
"""Duration of an added stretch, seconds."""


class _EditedSteps(CharacterListOperator):
    """A mix-in that names the list of edited steps."""

    collection, active = "edited_steps", "active_edited_step"


class _RetimedStretches(CharacterListOperator):
    """A mix-in that names the list of retimed stretches."""

    collection, active = "retimed_stretches", "active_retimed_stretch"


def _why_no_bake(context: bpy.types.Context) -> str | None:
    """Return the reason why there is no bake to edit at this frame; ``None`` if there is one."""
    reason = why_not_animatable(context)
    if reason is not None:
        return reason
    kept = stored_root(require_armature(context).footfall.baked_action)
    if kept is None:
        return "There is no bake whose steps could be edited: bake first"
    return (
        None
        if 0 <= context.scene.frame_current - kept[1] < len(kept[0])
        else "The current frame is outside the bake: go to a frame of the bake first"
    )


class FOOTFALL_OT_edit_step(_EditedSteps, bpy.types.Operator):
    """Add an empty for moving and turning the foot that is on the ground at the current frame"""

    bl_idname = "footfall.edit_step"
    bl_label = "Edit Step"

    foot: bpy.props.EnumProperty(
        items=FEET, name="Foot", description="Foot whose step is edited", options={"SKIP_SAVE"}
    )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return _why_no_bake(context)

    def run(self, context: bpy.types.Context) -> str:
        armature, scene = require_armature(context), context.scene
        action = armature.footfall.baked_action
        kept = stored_root(action)
        assert kept is not None, "as polled"
        pose = read_present_pose(armature, context.evaluated_depsgraph_get(), rig_map_of(armature))
        foot = foot_named(pose.skeleton, self.foot)
        item = self.insert_item(context)
        item.foot, item.frame = self.foot, scene.frame_current
        item.time = time_before(action, scene.frame_current - kept[1], scene_rate(scene))
        item.home, item.home_yaw = foot.places(pose)[0], foot.yaw(pose, 0)
        item.handle = _new_handle(context, item)
        return Message("Edited step added at frame {frame}: move its empty, then press Update Bake", frame=item.frame)


def _new_handle(context: bpy.types.Context, item: bpy.types.PropertyGroup) -> bpy.types.Object:
    """Return a new empty placed at a standing foot."""
    handle = bpy.data.objects.new(f"Footprint {item.foot}", None)
    handle.empty_display_type, handle.empty_display_size = "ARROWS", HANDLE_SIZE_M / meters_per_unit()
    handle.location, handle.rotation_euler = to_units(np.array(item.home)), (0.0, 0.0, item.home_yaw)
    handle.show_in_front = True
    handle[HANDLE_PROPERTY] = True
    context.collection.objects.link(handle)
    return handle


class FOOTFALL_OT_remove_edited_step(_EditedSteps, RemoveOperator, bpy.types.Operator):
    """Remove the active edited step from the list, and its empty from the scene"""

    bl_idname = "footfall.remove_edited_step"
    bl_label = "Remove Edited Step"

    def run(self, context: bpy.types.Context) -> str:
        handle = self.items(context)[self.active_index(context)].handle
        self.remove_active(context)
        if handle is not None and HANDLE_PROPERTY in handle:
            bpy.data.objects.remove(handle)
        return "Edited step removed: press Update Bake"


class FOOTFALL_OT_go_to_edited_step(_EditedSteps, GoToFrameOperator, bpy.types.Operator):
    """Jump to the frame of the active edited step"""

    bl_idname = "footfall.go_to_edited_step"
    bl_label = "Go to Edited Step"


class FOOTFALL_OT_retime_stretch(_RetimedStretches, bpy.types.Operator):
    """Slow down or speed up a range of the bake from the current frame on. Later frames shift"""

    bl_idname = "footfall.retime_stretch"
    bl_label = "Retime Range"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return _why_no_bake(context)

    def run(self, context: bpy.types.Context) -> str:
        armature, scene = require_armature(context), context.scene
        action, rate = armature.footfall.baked_action, scene_rate(scene)
        kept = stored_root(action)
        assert kept is not None, "as polled"
        begins = kept[1] + round(time_before(action, scene.frame_current - kept[1], rate) * rate)
        item = self.insert_item(context)
        item.first, item.last = begins, begins + round(STRETCH_S * rate)
        return Message(
            "Retimed range of frames {first} to {last} added: set its duration, then press Update Bake",
            first=item.first,
            last=item.last,
        )


class FOOTFALL_OT_remove_retimed_stretch(_RetimedStretches, RemoveOperator, bpy.types.Operator):
    """Remove the active range from the list. Its frames get their original timing back"""

    bl_idname = "footfall.remove_retimed_stretch"
    bl_label = "Remove Retimed Range"

    def run(self, context: bpy.types.Context) -> str:
        self.remove_active(context)
        return "Retimed range removed: press Update Bake"


CLASSES = (
    FOOTFALL_OT_edit_step,
    FOOTFALL_OT_remove_edited_step,
    FOOTFALL_OT_go_to_edited_step,
    FOOTFALL_OT_retime_stretch,
    FOOTFALL_OT_remove_retimed_stretch,
)

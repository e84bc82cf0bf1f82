"""Objects fitted to the user's clips, and clips adapted to other objects: material for custom interactions."""

from dataclasses import dataclass

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.message import Message
from ....core.motion.floor import estimate_floor_height
from ....core.scene.object_fitting import OBJECT_ACTIONS, floor_gap
from ....core.scene.object_retargeting import mean_jerk, retarget_to_object
from ...animation.fcurve_io.reader import scene_rate
from ...animation.layers import BakeSource, Destination, write
from ...animation.output import write_output
from ...label.labels import write_labels
from ...rig.store import rig_map_of
from ...scene.fitted_objects import FIT_PROPERTY, remember_adapted, source_names
from ...ui.operator_base import (
    FootfallOperator,
    require_armature,
    require_editable,
    why_no_armature,
    why_not_animatable,
)
from ...ui.redraw import tag_redraw_all
from ...ui.translations import CONTEXT
from . import object_fits
from .object_keys import object_tracks
from .properties import TASK_TYPES
from .selection import selected_meshes

MAX_FLOOR_GAP_M = 0.02
"""Distance of an object from the floor above which there is a warning, meters."""


def selected_mesh(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the selected mesh that is part of no character; ``None`` unless there is exactly one."""
    meshes = selected_meshes(context)
    return meshes[0] if len(meshes) == 1 else None


@dataclass(frozen=True, slots=True)
class FittedProp:
    """The result of fitting an object to a motion.

    Attributes:
        frame: the scene's frame at which the body rests on it, or holds it.
        contact_roles: roles of the joints that touch it.
        height_above_floor: meters by which it is over the floor; below 0 it is under it.
    """

    frame: int
    contact_roles: tuple[str, ...]
    height_above_floor: float


def fit_prop(
    armature: bpy.types.Object, obj: bpy.types.Object, interaction: str, context: bpy.types.Context
) -> FittedProp:
    """Fit an object to an armature's action, with contact points; a carried object gets keys.

    Raises:
        FootfallError: there is no such motion, or the object cannot be used so; nothing was changed.
    """
    require_editable(obj, "Object")
    fit, read, clip, first = object_fits.compute_fit(armature, obj, interaction, context.scene)
    moving = fit.animated_collider(clip)
    obj.matrix_world = object_fits.object_matrix_at(read, moving, fit.frame)
    context.view_layer.update()
    roles = object_fits.store_fit(obj, armature, fit, clip, read)
    if interaction == "carry":
        matrices = [object_fits.object_matrix_at(read, moving, frame) for frame in range(len(clip))]
        write(obj, object_tracks(obj, matrices), first, Destination(), f"{obj.name}_carried")
    return FittedProp(fit.frame + first, tuple(roles), float(floor_gap(fit, estimate_floor_height(clip))))


@dataclass(frozen=True, slots=True)
class AdaptedMotion:
    """The result of adapting a motion to an object.

    Attributes:
        action: the new action.
        frame_count: number of its frames.
        displacements: largest displacement of the joint of each contact, by role, meters.
        jerk_ratio: mean jerk of the new motion, as a multiple of the old motion's.
        warnings: sentences for the user.
    """

    action: bpy.types.Action
    frame_count: int
    displacements: dict[str, float]
    jerk_ratio: float
    warnings: tuple[str, ...]


def adapt_motion(armature: bpy.types.Object, obj: bpy.types.Object, scene: bpy.types.Scene) -> AdaptedMotion:
    """Adapt the motion that an object was fitted to, to the current shape and contact points of the object.

    Raises:
        FootfallError: it was put under none of this armature, or it has no contact points; nothing was changed.
    """
    require_editable(obj, "Object")
    whose, name = source_names(obj)
    action = bpy.data.actions.get(name)
    if action is None or whose != armature.name_full:
        raise FootfallError(
            "'{object}' was fitted to the action '{action}' of the armature '{armature}': select that armature",
            object=obj.name,
            action=name,
            armature=whose,
        )
    clip, first, labels = object_fits.read_labeled_motion(armature, action, scene)
    fit = object_fits.read_stored_fit(obj, clip)
    placed, points = object_fits.current_placement(obj, fit)
    if not points:
        raise FootfallError(
            "'{name}' has no contact points left: fit it again with Sit On, Carry or Open Door", name=obj.name
        )
    made = retarget_to_object(clip, fit.contacts, points, placed)
    moved = {
        role: float(np.linalg.norm((made.positions - clip.positions)[:, clip.skeleton.joint(role)], axis=-1).max())
        for role in points
    }
    contacts = dict(zip(labels.contact_joints, labels.contacts.T, strict=True))
    written = write_output(
        armature,
        rig_map_of(armature),
        made,
        first,
        f"{name}_on_{obj.name}",
        contacts,
        BakeSource("ADAPT", obj.name_full),
        labels.ground,
    )
    if written.record.kind != "RANGE":
        write_labels(armature, written.record.action, labels, first)
        remember_adapted(obj, written.record.action)
    return AdaptedMotion(
        written.record.action, len(made), moved, mean_jerk(made) / max(mean_jerk(clip), 1e-9), written.warnings
    )


class _FitOperator(FootfallOperator):
    """A mix-in for operators that need the active armature's action and one mesh."""

    needs_meters = True

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_armature(context)
        if reason is not None:
            return reason
        armature = require_armature(context)
        if armature.animation_data is None or armature.animation_data.action is None:
            return "The selected armature has no action: import a clip for it"
        if selected_mesh(context) is None:
            return "Select one mesh and then the armature that uses it"
        return None


class FOOTFALL_OT_fit_prop(_FitOperator, bpy.types.Operator):
    """Place the selected object where the captured motion uses it, and add its contact points"""

    bl_idname = "footfall.fit_prop"
    bl_label = "Fit Prop to Clip"

    interaction: bpy.props.EnumProperty(
        items=[item for item in TASK_TYPES if item[0] in OBJECT_ACTIONS],
        name="Action",
        description="Type of interaction with the object",
        translation_context=CONTEXT,
    )

    def run(self, context: bpy.types.Context) -> str:
        armature, thing = require_armature(context), selected_mesh(context)
        assert thing is not None
        fitted = fit_prop(armature, thing, self.interaction, context)
        said = [
            Message("'{name}' was fitted to the motion at frame {frame}", name=thing.name, frame=fitted.frame),
            Message("Contact points were added for {body_parts}", body_parts=", ".join(fitted.contact_roles))
            if fitted.contact_roles
            else Message("No contact points were found"),
        ]
        over = fitted.height_above_floor
        if abs(over) > MAX_FLOOR_GAP_M and self.interaction != "carry":
            said.append(
                Message(
                    "The object is {distance} cm above the floor: scale it"
                    if over > 0
                    else "The object is {distance} cm below the floor: scale it",
                    distance=f"{abs(over) * 100:.0f}",
                )
            )
        return Message.joined(". ", said)


class FOOTFALL_OT_adapt_motion(_FitOperator, bpy.types.Operator):
    """Adapt the motion to an object that was moved, scaled or replaced. Makes a new action"""

    bl_idname = "footfall.adapt_motion"
    bl_label = "Adapt Motion"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_not_animatable(context) or super().why_not(context)
        if reason is None:
            thing = selected_mesh(context)
            if thing is None or FIT_PROPERTY not in thing:
                return "The selected object is not fitted to a clip: use Sit On, Carry or Open Door first"
        return reason

    def run(self, context: bpy.types.Context) -> str:
        armature, thing = require_armature(context), selected_mesh(context)
        assert thing is not None
        adapted = adapt_motion(armature, thing, context.scene)
        tag_redraw_all()
        said = [
            Message(
                "Adapted {count} frames at {rate} fps to '{object}'",
                count=adapted.frame_count,
                rate=f"{scene_rate(context.scene):g}",
                object=thing.name,
            )
        ]
        said += [
            Message("The {body_part} was moved by {distance} cm", body_part=role, distance=f"{100 * far:.0f}")
            for role, far in adapted.displacements.items()
            if far > 0.005
        ]
        said.append(Message("The motion has {ratio} times the jerk of the original", ratio=f"{adapted.jerk_ratio:.2f}"))
        return Message.joined(". ", [*said, *adapted.warnings])


CLASSES = (FOOTFALL_OT_fit_prop, FOOTFALL_OT_adapt_motion)

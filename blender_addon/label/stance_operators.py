"""Root motion from stance: travel of an in-place animation, inferred from its standing feet."""

import bpy
import numpy as np

from ...core.errors import FootfallError
from ...core.message import Message
from ...core.motion.rotations import Array
from ...core.retarget.stance_travel import require_stance_velocity, travel_of
from .. import compat
from ..animation.fcurve_io.body_reader import read_body
from ..animation.fcurve_io.curves import curves_of, write_channel
from ..animation.fcurve_io.previous_action import keep_and_assign
from ..animation.fcurve_io.reader import object_matrices
from ..animation.fcurve_io.slots import slot_for
from ..animation.layers.root_motion_channels import object_tracks
from ..rig.store import rig_map_of
from ..ui.modal_operator import ModalWorkOperator, WorkSteps, part_of_work
from ..ui.operator_base import active_armature, require_armature, why_not_animatable

READ_WORK_SHARE = 0.95
"""Share of the work for reading the motion."""


class FOOTFALL_OT_root_motion_from_stance(ModalWorkOperator, bpy.types.Operator):
    """Derive root motion from the planted feet of an in-place animation, in a new action"""

    bl_idname = "footfall.root_motion_from_stance"
    bl_label = "Root Motion from Stance"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason, armature = why_not_animatable(context), active_armature(context)
        if reason is None and armature is not None and _action_of(armature) is None:
            return "The character has no action: bake or animate the character first"
        return reason

    def work(self, context: bpy.types.Context) -> WorkSteps:
        armature = require_armature(context)
        action = _action_of(armature)
        if action is None:
            raise FootfallError(
                "The character '{name}' has no action: bake or animate the character first", name=armature.name
            )
        reading = read_body(armature, action, context.scene, rig_map_of(armature))
        clip, first = yield from part_of_work(reading, 0.0, READ_WORK_SHARE, Message("Reading the motion"))
        velocity = require_stance_velocity(clip)
        kept = add_travel(armature, action, travel_of(velocity, len(clip), clip.rate), first)
        travelling = Message(
            "The armature '{name}' now moves at {speed} m/s",
            name=armature.name,
            speed=f"{np.linalg.norm(velocity):.2f}",
        )
        return Message.joined(". ", [part for part in (travelling, kept) if part])


def add_travel(armature: bpy.types.Object, action: bpy.types.Action, travel: Array, first_frame: int) -> str | None:
    """Assign a copy of an action in which the armature object also travels.

    Return a message about the change of the previous action.

    Args:
        armature: the armature.
        action: the armature's action.
        travel: (F, 3) in the world, meters.
        first_frame: the action's frame of the first frame of the travel.

    Raises:
        FootfallError: constraints or locks hold the object; nothing was changed.
    """
    held = next((held.name for held in armature.constraints if not held.mute and held.influence > 0), None)
    if held is not None:
        raise FootfallError(
            "'{name}' is held by its constraint '{constraint}' and cannot move: mute the constraint",
            name=armature.name,
            constraint=held,
        )
    slot = slot_for(armature, action)
    curves = curves_of(action, slot) if slot else {}
    frames = np.arange(first_frame, first_frame + len(travel), dtype=float)
    if not any(path == "location" for path, _ in curves):
        frames, travel = frames[[0, -1]], travel[[0, -1]]
    positions = object_matrices(armature, curves, frames)[:, 0, :3, 3] + travel
    location = object_tracks(armature, positions, np.zeros(len(positions)))[0]

    copy = action.copy()
    copy.name = f"{action.name} travelling"
    own = copy.slots[slot.identifier] if slot else compat.ensure_slot(copy, armature)
    channelbag = compat.ensure_channelbag(copy, own)
    write_channel(channelbag, location.path, location.group, frames, location.values.T, "LINEAR")
    kept = keep_and_assign(armature, copy, own)
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return kept


def _action_of(armature: bpy.types.Object) -> bpy.types.Action | None:
    """Return the action assigned to an armature."""
    return armature.animation_data.action if armature.animation_data else None


CLASSES = (FOOTFALL_OT_root_motion_from_stance,)

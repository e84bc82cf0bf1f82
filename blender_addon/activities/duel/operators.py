"""Operators for the beats of a duel, and their bake."""

from typing import Final

import bpy

from ....core.message import Message
from ...animation.layers import revert_with_companions, why_not_revertible
from ...ui.list_operators import CharacterListOperator, GoToFrameOperator, RemoveOperator
from ...ui.modal_operator import ModalWorkOperator, WorkSteps
from ...ui.operator_base import FootfallOperator
from .bake import DuelBake, is_of_duel
from .properties import marker_of
from .request import characters, why_no_duel

NEXT_BEAT_S: Final = 1.5
"""Time from the last beat to a new one."""


class _Beats(CharacterListOperator):
    """A mix-in that names the scene's list of beats."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return cls.why_too_short(context)

    @classmethod
    def items(cls, context: bpy.types.Context) -> bpy.types.bpy_prop_collection:
        return context.scene.footfall_duel.beats

    @classmethod
    def active_index(cls, context: bpy.types.Context) -> int:
        return min(context.scene.footfall_duel.active_beat, len(cls.items(context)) - 1)

    @classmethod
    def set_active(cls, context: bpy.types.Context, index: int) -> None:
        context.scene.footfall_duel.active_beat = index


class FOOTFALL_OT_add_beat(_Beats, bpy.types.Operator):
    """Add a beat with its marker: the active character attacks the other selected one"""

    bl_idname = "footfall.add_beat"
    bl_label = "Add Duel Beat"

    def run(self, context: bpy.types.Context) -> str:
        scene, beats = context.scene, self.items(context)
        last = max((beat.frame for beat in beats), default=None)
        previous = self.active_index(context)
        beat = beats.add()
        frame = scene.frame_current
        if last is not None and frame <= last:
            frame = last + round(NEXT_BEAT_S * scene.render.fps / scene.render.fps_base)
        marker = scene.timeline_markers.new(_free_name(scene), frame=frame)
        beat.marker, beat.kept_frame = marker.name, frame
        active = context.object if context.object is not None and context.object.type == "ARMATURE" else None
        chosen = [one for one in context.selected_objects if one.type == "ARMATURE" and one != active]
        if active is not None and chosen:
            beat.striker, beat.receiver = active, chosen[0]
        elif previous >= 0:  # the answer comes from the other character
            beat.striker, beat.receiver = beats[previous].receiver, beats[previous].striker
        context.scene.footfall_duel.active_beat = len(beats) - 1
        return Message("Beat at frame {frame}", frame=frame)


def _free_name(scene: bpy.types.Scene) -> str:
    """Return a name that is not used by any marker of a scene."""
    number = 1
    while f"Beat {number}" in scene.timeline_markers:
        number += 1
    return f"Beat {number}"


class FOOTFALL_OT_remove_beat(_Beats, RemoveOperator, bpy.types.Operator):
    """Remove the active beat and its timeline marker"""

    bl_idname = "footfall.remove_beat"
    bl_label = "Remove Duel Beat"

    def run(self, context: bpy.types.Context) -> str:
        marker = marker_of(self.items(context)[self.active_index(context)])
        if marker is not None:
            context.scene.timeline_markers.remove(marker)
        return Message("{count} beats", count=self.remove_active(context))


class FOOTFALL_OT_go_to_beat(_Beats, GoToFrameOperator, bpy.types.Operator):
    """Jump to the frame of the selected beat"""

    bl_idname = "footfall.go_to_beat"
    bl_label = "Go to Beat"


class _BakeDuelOperator(ModalWorkOperator):
    """A mix-in for operators that bake the scene's duel."""

    needs_meters = True

    cancel_message = "Bake canceled, nothing was changed"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_duel(context.scene)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        message = yield from DuelBake(context).work(context.scene)
        return message


class FOOTFALL_OT_bake_duel(_BakeDuelOperator, bpy.types.Operator):
    """Bake the beats of all characters in the duel to new actions. The old actions are kept"""

    bl_idname = "footfall.bake_duel"
    bl_label = "Bake Duel"


class FOOTFALL_OT_update_duel(_BakeDuelOperator, bpy.types.Operator):
    """Bake again after changes to beats. Characters with unchanged motion keep their actions"""

    bl_idname = "footfall.update_duel"
    bl_label = "Update Duel"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = super().why_not(context)
        if reason is None and not context.scene.footfall_duel.is_baked:
            return "The duel has not been baked yet"
        return reason


class FOOTFALL_OT_revert_duel(FootfallOperator, bpy.types.Operator):
    """Undo the last bake of the duel for all its characters. Actions and settings are restored"""

    bl_idname = "footfall.revert_duel"
    bl_label = "Revert Duel"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_duel(context.scene)
        if reason is not None:
            return reason
        baked = [one for one in characters(context.scene) if is_of_duel(one)]
        if not baked:
            return "The duel has not been baked yet"
        return next(filter(None, map(why_not_revertible, baked)), None)

    def run(self, context: bpy.types.Context) -> str:
        baked = [one for one in characters(context.scene) if is_of_duel(one)]
        context.scene.footfall_duel.is_baked = False
        return Message.joined("; ", [revert_with_companions(one) for one in baked])


CLASSES: Final = (
    FOOTFALL_OT_add_beat,
    FOOTFALL_OT_remove_beat,
    FOOTFALL_OT_go_to_beat,
    FOOTFALL_OT_bake_duel,
    FOOTFALL_OT_update_duel,
    FOOTFALL_OT_revert_duel,
)

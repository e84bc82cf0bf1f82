"""Bakes of several characters together, without collisions."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final

import bpy

from ....core.control.walk.crowd_walk import plan_and_batch
from ....core.errors import FootfallError
from ....core.message import Message
from ...controllers.library import is_known
from ...ui.modal_operator import ModalWorkOperator, WorkSteps
from .bake import BakeResult, WalkBake

SLICE_FRAMES: Final = 4
WALK_WORK_SHARE: Final = 0.7
"""Share of the work for all walks; writing them is the rest."""


def selected_characters(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected armatures with a path or waypoints, sorted by name."""
    found = {thing if thing.type == "ARMATURE" else thing.find_armature() for thing in context.selected_objects}
    going = [one for one in found if one is not None and (one.footfall.path is not None or one.footfall.waypoints)]
    return sorted(going, key=lambda one: one.name_full)


class FOOTFALL_OT_bake_crowd(ModalWorkOperator, bpy.types.Operator):
    """Bake all selected characters along their paths, so that they avoid each other"""

    bl_idname = "footfall.bake_crowd"
    bl_label = "Bake Crowd"
    cancel_message = "The bake was canceled: nothing was changed"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        going = selected_characters(context)
        if len(going) < 2:
            return "Select two or more characters that have paths"
        for armature in going:
            if not armature.is_editable:
                return Message(
                    "'{name}' is linked from another file: make a library override first", name=armature.name
                )
            if armature.mode == "EDIT":
                return "Leave Edit Mode first"
            if not is_known(armature.footfall.controller):
                return Message(
                    "The controller of '{name}' is no longer in the list: choose another one", name=armature.name
                )
        return None

    def work(self, context: bpy.types.Context) -> WorkSteps:
        made = yield from bake_crowd(selected_characters(context), context)
        told = [
            Message("'{armature_name}': {note}", armature_name=one.bake.armature_name, note=note)
            for one in made
            for note in one.notes
        ]
        return Message.joined(". ", [Message("Baked a crowd of {count} characters", count=len(made)), *told])


@dataclass(frozen=True, slots=True)
class CrowdMember:
    """The result for one character of a crowd bake.

    Attributes:
        bake: the bake.
        result: the result of its bake.
        notes: concessions and failures of the character, in sentences.
    """

    bake: WalkBake
    result: BakeResult
    notes: tuple[str, ...]


def bake_crowd(
    armatures: Sequence[bpy.types.Object], context: bpy.types.Context
) -> Generator[tuple[float, str], None, list[CrowdMember]]:
    """Bake characters that avoid each other; the file is changed only once all of them are done.

    Yields:
        the share done and the current activity.

    Raises:
        FootfallError: a character cannot be baked, or not together with the others.
    """
    bakes = [WalkBake(armature, context, crowd_index=number) for number, armature in enumerate(armatures)]
    _require_same_controller(bakes)
    first = min(bake.start_frame for bake in bakes)
    walks = [bake.walk for bake in bakes]
    rate, fps = walks[0].model.rate, bakes[0].frame_rate
    starts = [round((bake.start_frame - first) / fps * rate) for bake in bakes]
    for walk in walks:
        while walk.has_waypoints and walk.advance(SLICE_FRAMES):
            yield 0.0, Message("Planning the arrival at the waypoints")
    yield 0.0, Message("Planning paths that avoid each other")
    notes = plan_and_batch(walks, starts, [bake.armature_name for bake in bakes])
    while walks[0].advance(SLICE_FRAMES):
        yield WALK_WORK_SHARE * bakes[0].fraction, Message("Baking")
    for number, bake in enumerate(bakes):
        bake.start_frame = first
        bake.post_process()
        yield WALK_WORK_SHARE + (1 - WALK_WORK_SHARE) * (number + 1) / len(bakes), Message("Planting the feet")
    # Writing happens in one step, so that nothing is changed if the user cancels.
    results = [bake.finish(context.scene) for bake in bakes]
    return [CrowdMember(*one) for one in zip(bakes, results, notes, strict=True)]


def _require_same_controller(bakes: list[WalkBake]) -> None:
    """Raise :class:`FootfallError` if the characters' controllers differ too much to run in one batch."""
    for bake in bakes[1:]:
        if bake.walk.model is not bakes[0].walk.model:
            raise FootfallError(
                "'{first}' and '{second}' have different controllers: choose the same controller for all "
                "characters of the crowd",
                first=bake.armature_name,
                second=bakes[0].armature_name,
            )


CLASSES = (FOOTFALL_OT_bake_crowd,)

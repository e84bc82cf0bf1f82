"""A preview of strikes in the viewport: the body at the current frame, at each apex, and the targets."""

from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np

from ....core.control.strike.rig_fight import RigFight
from ....core.message import Message
from ....core.motion.rotations import Array, rotate
from ....core.motion.weapons import striking_places, weapon_role
from ...rig.figure import BodyMesh
from ...ui.gpu_drawing import draw_ghost, draw_lines, draw_points, scene_depth
from ...ui.modal_operator import ModalWorkOperator, WorkSteps, part_of_work
from ...ui.operator_base import FootfallOperator, require_armature
from ...ui.redraw import tag_redraw_all
from ...ui.viewport_preview import PreviewSlot, ViewportPreview, draw_headline
from .bake import StrikeBake
from .operators import why_no_strikes
from .request import StrikeRequest

APEX_COLOR: Final = (0.3, 0.9, 1.0, 0.7)
TIP_COLOR: Final = (1.0, 0.75, 0.2, 0.9)
TARGET_COLOR: Final = (1.0, 0.25, 0.2, 1.0)
LINE_WIDTH_PX: Final = 2.5
TARGET_SIZE_PX: Final = 9.0
TRAIL_S: Final = 0.35
"""Time before and after an apex for which the path of the tip is drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class PreviewedStrikes:
    """The strikes shown by a preview.

    Attributes:
        name: name of the armature.
        fight: the motion.
        request: the request for the strikes.
    """

    name: str
    fight: RigFight
    request: StrikeRequest

    def frame_at(self, frame: int) -> int:
        """Return the motion's frame at a scene frame, limited to the motion's range."""
        return int(np.clip(frame - self.request.start_frame, 0, len(self.fight.clip) - 1))

    def apex_lines(self) -> list[Array]:
        """Return, for each apex, the end points (2 B, 3) of the bones, meters, world."""
        clip = self.fight.clip
        parents = list(clip.skeleton.parents[1:])
        poses = [clip.positions[strike.frame] for strike in self.request.strikes]
        return [np.stack([pose[parents], pose[1:]], axis=1).reshape(-1, 3) for pose in poses]

    def tip_trails(self) -> list[Array]:
        """Return, for each apex, points (N, 3) along the path of the striking tip around it, meters, world."""
        clip, trails = self.fight.clip, []
        around = round(TRAIL_S * clip.rate)
        for strike in self.request.strikes:
            near = slice(max(strike.frame - around, 0), strike.frame + around)
            if weapon_role(clip.skeleton, strike.effector) != strike.effector:
                trails.append(striking_places(clip, strike.effector)[near])
                continue
            joint = clip.skeleton.joint(strike.effector)
            positions, rotations = (values[near, joint] for values in clip.world)
            trails.append(positions + rotate(rotations, np.broadcast_to(strike.tip, positions.shape)))
        return trails


class StrikePreview(ViewportPreview):
    """An active preview; its drawing uses no references to data of the file."""

    def __init__(self, shown: PreviewedStrikes) -> None:
        super().__init__()
        self.shown = shown
        body_type = bpy.data.objects[shown.name].footfall.rig.body_type
        self.figure = BodyMesh.of(shown.fight.clip.skeleton, body_type)
        self.apexes, self.trails = shown.apex_lines(), shown.tip_trails()

    def start(self) -> None:
        """Start drawing, and hide the character's own body."""
        super().start()
        self.hide_bodies(self.shown.name)

    def draw_scene(self) -> None:
        """Draw the body, the targets, the apex poses and the trails of the tips."""
        shown, frame = self.shown, self.shown.frame_at(bpy.context.scene.frame_current)
        vertices, colors = self.figure.posed_vertices(shown.fight.clip, frame)
        with scene_depth():
            draw_ghost(vertices, colors, self.figure.triangles)
            for apex, trail in zip(self.apexes, self.trails, strict=True):
                draw_lines(apex.astype(np.float32), APEX_COLOR, LINE_WIDTH_PX)
                draw_lines(trail.astype(np.float32), TIP_COLOR, LINE_WIDTH_PX, "LINE_STRIP")
            targets = np.stack([strike.target for strike in shown.request.strikes])
            draw_points(targets, TARGET_COLOR, TARGET_SIZE_PX)

    def draw_text(self) -> None:
        """Draw a description at the top of the viewport."""
        draw_headline(
            Message(
                "Preview of {name}: {count} strikes, frames {first} to {last}",
                name=self.shown.name,
                count=len(self.apexes),
                first=self.shown.request.start_frame,
                last=self.shown.request.start_frame + len(self.shown.fight.clip) - 1,
            )
        )


_slot: PreviewSlot[StrikePreview] = PreviewSlot()


def active_preview() -> PreviewedStrikes | None:
    """Return the strikes that the preview shows; ``None`` without a preview."""
    return _slot.preview.shown if _slot.preview else None


def stop_preview() -> None:
    """Stop the preview."""
    _slot.stop()


class FOOTFALL_OT_preview_strikes(ModalWorkOperator, bpy.types.Operator):
    """Preview the strikes at the current frame and at each apex, without changing the file"""

    bl_idname = "footfall.preview_strikes"
    bl_label = "Preview Strikes"
    bl_options = {"REGISTER"}
    needs_meters = True
    cancel_message = "There is no preview"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_strikes(context)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        bake = StrikeBake(require_armature(context), context, again=True)
        fight = yield from part_of_work(bake.make(), 0.0, 1.0, Message("strikes"))
        _slot.show(StrikePreview(PreviewedStrikes(bake.armature_name, fight, bake.request)))
        tag_redraw_all()
        return "The preview is shown"


class FOOTFALL_OT_end_strike_preview(FootfallOperator, bpy.types.Operator):
    """End the preview of the strikes"""

    bl_idname = "footfall.end_strike_preview"
    bl_label = "End Preview"
    bl_options = {"REGISTER"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None if active_preview() else "No preview is shown: press Preview first"

    def run(self, context: bpy.types.Context) -> str:
        stop_preview()
        tag_redraw_all()
        return "The preview is ended"


CLASSES: Final = (FOOTFALL_OT_preview_strikes, FOOTFALL_OT_end_strike_preview)

"""The beats of the active character as bars in Timeline and Dope Sheet, selected by a click, with ends to drag."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import bpy

from ....core.message import Message
from ...ui.colors import Color, palette_for, with_opacity
from ...ui.gpu_drawing import draw_boxes, draw_text, text_width
from ...ui.operator_base import FootfallOperator, active_armature, require_armature
from ...ui.overlay import Overlay
from ...ui.redraw import tag_redraw_all
from ...ui.translations import translate_interface
from ..interaction.properties import TASK_TITLES

RULER_PX: Final = 26.0
"""Height of the frame numbers at the upper edge, pixels at a resolution scale of 1."""
BAR_PX: Final = 16.0
TEXT_PX: Final = 10.0
END_PX: Final = 6.0
"""Largest distance of a drag from the end of a bar, pixels."""
SKIPPED_COLOR: Final = (0.8, 0.2, 0.15, 1.0)
KEYMAP: Final = "Dopesheet"


@dataclass(frozen=True, slots=True)
class Bar:
    """The bar of a beat in a region, pixels.

    Attributes:
        index: index of the beat.
        left, right: its ends.
        bottom, top: its edges.
    """

    index: int
    left: float
    right: float
    bottom: float
    top: float

    def contains(self, x: float, y: float) -> bool:
        """Return whether a point is in the bar or at its end."""
        return self.left <= x <= self.right + END_PX and self.bottom <= y <= self.top

    def is_end(self, x: float) -> bool:
        """Return whether a point of the bar is at its end."""
        return abs(x - self.right) <= END_PX


def bars_of(armature: bpy.types.Object, region: bpy.types.Region, scale: float) -> Iterator[Bar]:
    """Yield the bars of an armature's baked beats in a region, at a resolution scale."""
    top = region.height - RULER_PX * scale
    for index, beat in enumerate(armature.footfall.interaction_tasks):
        if beat.last_frame > beat.first_frame:
            left, right = (
                region.view2d.view_to_region(frame, 0.0, clip=False)[0] for frame in (beat.first_frame, beat.last_frame)
            )
            yield Bar(index, left, right, top - BAR_PX * scale, top)


def _draw(context: bpy.types.Context) -> None:
    armature = active_armature(context)
    if armature is None or not context.window_manager.footfall.show_beats:
        return
    settings, scale = armature.footfall, context.preferences.system.ui_scale
    palette = palette_for(context.preferences.themes[0].dopesheet_editor.space.back)
    for bar in bars_of(armature, context.region, scale):
        beat = settings.interaction_tasks[bar.index]
        is_active = bar.index == settings.active_interaction_task
        color: Color = SKIPPED_COLOR if beat.is_skipped else palette.label_color(beat.type)
        box = (bar.left, bar.bottom, max(bar.right - bar.left - 1.0, 1.0), bar.top - bar.bottom)
        draw_boxes([box], with_opacity(color, 1.0 if is_active else 0.7))
        if beat.has_end or is_active:
            draw_boxes([(bar.right - 3.0, bar.bottom, 3.0, bar.top - bar.bottom)], palette.outline)
        text = f"{bar.index + 1} {translate_interface(Message(TASK_TITLES[beat.type]))}"
        if text_width(text, TEXT_PX * scale) < bar.right - bar.left - 6.0:
            draw_text(text, bar.left + 4.0, bar.bottom + 4.0 * scale, TEXT_PX * scale, palette.text)


class FOOTFALL_OT_pick_beat(FootfallOperator, bpy.types.Operator):
    """Select the beat under the mouse. Drag its end to set its end frame"""

    bl_idname = "footfall.pick_beat"
    bl_label = "Pick Beat"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    index: bpy.props.IntProperty(
        name="Beat", description="Number of the beat in the list, from 0", options={"SKIP_SAVE"}
    )
    end_frame: bpy.props.IntProperty(
        name="End", description="Last frame of the beat. 0 leaves the end unchanged", options={"SKIP_SAVE"}
    )

    def run(self, context: bpy.types.Context) -> str:
        settings = require_armature(context).footfall
        beats = settings.interaction_tasks
        if not 0 <= self.index < len(beats):
            return "There is no beat with this number: choose another beat"
        settings.active_interaction_task = self.index
        if self.end_frame:
            beats[self.index].has_end, beats[self.index].end_frame = True, self.end_frame
            beats[self.index].end_marker = ""
            return Message("Beat {number} ends at frame {frame}", number=self.index + 1, frame=self.end_frame)
        return Message("Beat {number}", number=self.index + 1)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        armature = active_armature(context)
        if armature is None or context.region is None or not context.window_manager.footfall.show_beats:
            return {"PASS_THROUGH"}
        x, y = event.mouse_region_x, event.mouse_region_y
        scale = context.preferences.system.ui_scale
        bar = next((one for one in bars_of(armature, context.region, scale) if one.contains(x, y)), None)
        if bar is None:
            return {"PASS_THROUGH"}
        self.index = bar.index
        if not bar.is_end(x):
            return self.execute(context)
        self.beat = armature.footfall.interaction_tasks[bar.index]
        self.before = self.beat.last_frame
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if event.type in {"ESC", "RIGHTMOUSE"}:
            self.beat.last_frame = self.before
            tag_redraw_all()
            return {"CANCELLED"}
        if event.type == "MOUSEMOVE":
            frame = round(context.region.view2d.region_to_view(event.mouse_region_x, 0.0)[0])
            self.beat.last_frame = max(frame, self.beat.first_frame + 1)
            tag_redraw_all()
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            moved = self.beat.last_frame
            self.end_frame = moved if moved != self.before else 0
            return self.execute(context)
        return {"RUNNING_MODAL"}


_overlay = Overlay("beats", [(_draw, "POST_PIXEL")], space=bpy.types.SpaceDopeSheetEditor)


def register() -> None:
    """Draw the bars, and catch clicks on them, where Blender has windows."""
    _overlay.start()
    configuration = bpy.context.window_manager.keyconfigs.addon
    if configuration is not None:
        keymap = configuration.keymaps.new(name=KEYMAP, space_type="DOPESHEET_EDITOR")
        keymap.keymap_items.new(FOOTFALL_OT_pick_beat.bl_idname, "LEFTMOUSE", "PRESS", head=True)


def unregister() -> None:
    """Undo :func:`register`."""
    _overlay.stop()
    configuration = bpy.context.window_manager.keyconfigs.addon
    keymap = configuration.keymaps.get(KEYMAP) if configuration else None
    if keymap is None:
        return
    for item in [one for one in keymap.keymap_items if one.idname == FOOTFALL_OT_pick_beat.bl_idname]:
        keymap.keymap_items.remove(item)


CLASSES: Final = (FOOTFALL_OT_pick_beat,)

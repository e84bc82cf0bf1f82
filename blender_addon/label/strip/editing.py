"""Editing labels in the strip: a mode that handles the mouse over the strip only."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import bpy

from ....core.errors import FootfallError
from ....core.message import Message
from ...ui.operator_base import active_armature, require_armature, why_not_animatable
from ...ui.translations import translate_interface, translate_report
from .. import edits
from ..marks import sort_spans
from ..refresh import phase_from_labels
from ..store import read_editable_labels
from . import gestures
from .drawing import StripView, strip_view
from .gestures import Drag, Edit, Question
from .layout import Hit, hit_test
from .menu_choices import MenuChoice, menu_choices, question_choices
from .reading import to_strip_labels
from .shown import StripLabels
from .state import EditState, HighlightRange

HELP: Final = (
    "Edit Labels   |   Drag: Move a foot strike or the end of a label, or add a label   |   Ctrl Drag: Remove  "
    " |   X: Delete   |   S: Split   |   Right Click: Menu   |   Esc: Done"
)
HIT_CURSORS: Final = {
    "STRIKE": "MOVE_X",
    "START": "MOVE_X",
    "END": "MOVE_X",
    "SPAN": "DEFAULT",
    "EMPTY": "PAINT_BRUSH",
    "SPOT": "HAND",
}


def why_not_editable(context: bpy.types.Context) -> str | None:
    """Return the reason why there are no labels to edit; ``None`` if there are."""
    reason = why_not_animatable(context)
    if reason is not None:
        return reason
    armature = active_armature(context)
    data = armature.animation_data if armature else None
    if data is None or data.action is None or not edits.is_labeled(data.action):
        return "The action has no labels yet: press Detect Labels first"
    if data.action.is_editable:
        return None
    return Message(
        "Action '{name}' is linked from another file: make it local to edit its labels", name=data.action.name
    )


def apply_edit(context: bpy.types.Context, edit: Edit) -> None:
    """Apply an edit as a single undo step; raise :class:`FootfallError` if it is invalid."""
    armature = require_armature(context)
    done = False
    try:
        for function, arguments in edit.calls:
            getattr(edits, function)(armature, armature.animation_data.action, *arguments)
            done = True
    finally:
        if done:
            bpy.ops.ed.undo_push(message=edit.title)
        _redraw(context)


class FOOTFALL_OT_apply_label_edit(bpy.types.Operator):
    """Apply the chosen change to the label under the mouse"""

    bl_idname = "footfall.apply_label_edit"
    bl_label = "Edit Labels"
    bl_options = {"INTERNAL"}

    choice: bpy.props.IntProperty(name="Change", description="Change to make to the label", options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        reason = why_not_editable(context)
        if reason is not None:
            cls.poll_message_set(translate_report(reason))
        return reason is None

    def execute(self, context: bpy.types.Context) -> set[str]:
        if not 0 <= self.choice < len(EditState.choices):
            return {"CANCELLED"}  # no menu was opened
        try:
            apply_edit(context, EditState.choices[self.choice][1])
        except FootfallError as error:
            self.report({"ERROR"}, translate_report(str(error)))
            return {"CANCELLED"}
        return {"FINISHED"}


class LabelEditMode:
    """Mouse and keyboard events during the edit mode."""

    drag: Drag | None
    has_cursor: bool

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if EditState.end_requested or not EditState.running or why_not_editable(context) is not None:
            return self._end(context)
        if self.drag is not None:
            return self._drag(context, event)
        if event.type == "MOUSEMOVE":
            self._hover(context, event)
            return {"PASS_THROUGH"}
        if event.value == "PRESS" and event.type in ("ESC", "RET", "NUMPAD_ENTER"):
            playing = context.screen.is_animation_playing and event.type == "ESC"
            return {"PASS_THROUGH"} if playing else self._end(context)
        return self._press(context, event)

    def cancel(self, context: bpy.types.Context) -> None:
        """End the edit mode when Blender closes or loads another file."""
        self._end(context)

    def _end(self, context: bpy.types.Context) -> set[str]:
        EditState.end()
        self._set_cursor(context, None)
        context.workspace.status_text_set(None)
        _redraw(context)
        return {"FINISHED"}

    # Item under the mouse

    def _hover(self, context: bpy.types.Context, event: bpy.types.Event) -> StripView | None:
        """Highlight the item under the mouse; return the strip it is in, if any."""
        found = _strip_at_mouse(context, event)
        before = (EditState.area_pointer, EditState.hovered_hit)
        EditState.forget_mouse()
        scene = None
        if found is not None:
            area, scene, x, y = found
            EditState.area_pointer = area.as_pointer()
            EditState.hovered_hit = hit_test(scene.layout, scene.ruler, scene.strip_labels, x, y, scene.scale)
            if EditState.hovered_hit is not None and EditState.hovered_hit.kind == "SPOT":
                EditState.note = (x, y, scene.strip_labels.issues[EditState.hovered_hit.item].text)
        over = None if EditState.hovered_hit is None else HIT_CURSORS[EditState.hovered_hit.kind]
        if EditState.hovered_hit is not None and event.ctrl and EditState.hovered_hit.row.kind == "CONTACT":
            over = "ERASER"
        self._set_cursor(context, over)
        if before != (EditState.area_pointer, EditState.hovered_hit):
            _redraw(context)
        return scene

    def _set_cursor(self, context: bpy.types.Context, cursor: str | None) -> None:
        if cursor is not None:
            context.window.cursor_modal_set(cursor)
        elif self.has_cursor:
            context.window.cursor_modal_restore()
        self.has_cursor = cursor is not None

    # Keys and buttons

    def _press(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        keys = ("LEFTMOUSE", "RIGHTMOUSE", "X", "S", "LEFT_CTRL", "RIGHT_CTRL")
        if event.type not in keys or event.alt or event.shift or event.oskey:
            return {"PASS_THROUGH"}
        scene = self._hover(context, event)
        found = EditState.hovered_hit
        if scene is None or found is None or event.value != "PRESS" or event.type.endswith("CTRL"):
            return {"PASS_THROUGH"}
        if event.type == "LEFTMOUSE":
            self._begin(scene, found, event)
        elif event.ctrl:
            return {"PASS_THROUGH"}
        elif event.type == "RIGHTMOUSE":
            show_menu(context, found.row.title, menu_choices(scene, found))
        else:
            edit = gestures.erase_edit if event.type == "X" else gestures.split_edit
            self._apply(context, edit(scene.strip_labels, found))
        return {"RUNNING_MODAL"}

    def _apply(self, context: bpy.types.Context, edit: Edit | None) -> None:
        context.workspace.status_text_set(translate_interface(HELP))
        if edit is None:
            return
        try:
            apply_edit(context, edit)
        except FootfallError as error:
            context.workspace.status_text_set(translate_interface(Message("Footfall: {error}", error=error)))

    # Dragging

    def _begin(self, view: StripView, hit: Hit, event: bpy.types.Event) -> None:
        frames = (
            len(view.strip_labels.phase)
            or max(span.end for span in view.strip_labels.spans) - view.strip_labels.first_frame + 1
        )
        self.drag = Drag(
            hit,
            event.ctrl and hit.row.kind == "CONTACT",
            view.strip_labels.first_frame,
            view.strip_labels.first_frame + frames - 1,
        )
        self.scene = view
        self.start = (event.mouse_x, event.mouse_y)
        self.has_moved = False
        self.frame: int | None = None

    def _drag(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        drag, scene = self.drag, self.scene
        assert drag is not None
        if event.type in ("ESC", "RIGHTMOUSE"):
            self._cancel_drag(context)
        elif event.type == "MOUSEMOVE":
            far = 3 * scene.scale
            self.has_moved = self.has_moved or abs(event.mouse_x - self.start[0]) > far
            if self.has_moved:
                self._follow(context, event)
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            frame, moved = self.frame, self.has_moved
            self._cancel_drag(context)
            if not moved:
                _click(context, scene, drag.hit)
            elif frame is not None:
                self._finish(context, drag, scene, frame)
        elif event.type.startswith("TIMER"):
            return {"PASS_THROUGH"}
        return {"RUNNING_MODAL"}

    def _follow(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """Preview what releasing the mouse here would do."""
        drag, scene = self.drag, self.scene
        found = _region_of(context, EditState.area_pointer)
        if drag is None or found is None:
            return
        x, y = event.mouse_x - found.x, event.mouse_y - found.y
        frame = (
            scene.ruler.whole_frame_at(x)
            if drag.is_painting
            else drag.dragged_frame(scene.ruler, x, scene.strip_labels)
        )
        if frame == self.frame:
            return
        self.frame = frame
        if drag.is_painting:
            start, end = drag.painted_range(frame)
            row = drag.hit.row
            EditState.highlight = HighlightRange(row.bottom, row.height, start, end)
            template = Message(
                "Remove the label from frame {start} to {end}"
                if drag.is_erasing
                else "Label from frame {start} to {end}"
            )
            EditState.note = (x, y, Message(template, start=start, end=end))
        else:
            self._preview(context, drag, scene, frame, x, y)
        _redraw(context)

    def _preview(self, context: bpy.types.Context, drag: Drag, view: StripView, frame: int, x: float, y: float) -> None:
        EditState.hovered_hit = None  # the preview shows the move, and the numbers of strikes change
        if drag.hit.kind != "STRIKE":
            EditState.preview = gestures.with_moved_edge(view.strip_labels, drag.hit.item, drag.hit.kind, frame)
            EditState.note = (x, y, str(frame))
            return
        strike = view.strip_labels.strikes[drag.hit.item]
        try:
            EditState.preview = _preview_strike(context, view, strike.side, strike.frame, frame)
        except FootfallError as error:
            EditState.note = (x, y, str(error))
            return
        EditState.note = (x, y, f"{frame}  ({frame - strike.frame:+d})")

    def _finish(self, context: bpy.types.Context, drag: Drag, view: StripView, frame: int) -> None:
        result = drag.paint_edit(frame) if drag.is_painting else drag.move_edit(view.strip_labels, frame)
        if isinstance(result, Question):
            row = drag.hit.row
            EditState.highlight = HighlightRange(
                row.bottom, row.height, result.start, result.end
            )  # until the mouse moves again
            title = Message("Frames {start} to {end}", start=result.start, end=result.end)
            show_menu(context, title, question_choices(result))
        else:
            self._apply(context, result)

    def _cancel_drag(self, context: bpy.types.Context) -> None:
        self.drag = None
        EditState.preview, EditState.highlight, EditState.note = None, None, None
        _redraw(context)


class FOOTFALL_OT_edit_labels(LabelEditMode, bpy.types.Operator):
    """Edit contacts, foot strikes, gaits and activities with the mouse in the label strip"""

    bl_idname = "footfall.edit_labels"
    bl_label = "Edit Labels"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        reason = None if EditState.running else why_not_editable(context)
        if reason is not None:
            cls.poll_message_set(translate_report(reason))
        return reason is None

    def execute(self, _context: bpy.types.Context) -> set[str]:
        self.report(
            {"ERROR"}, translate_report("Editing labels needs a mouse and a window: start Blender with a window")
        )
        return {"CANCELLED"}

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if bpy.app.background or context.window is None:
            return self.execute(context)
        if EditState.running:
            EditState.request_end()
            return {"FINISHED"}
        EditState.begin()
        context.scene.footfall_label_overlays.show_strip = True
        self.drag, self.has_cursor = None, False
        context.workspace.status_text_set(translate_interface(HELP))
        context.window_manager.modal_handler_add(self)
        _redraw(context)
        return {"RUNNING_MODAL"}


def _preview_strike(
    context: bpy.types.Context, view: StripView, side: str, old_frame: int, new_frame: int
) -> StripLabels:
    """Return the labels with a strike, its contact and the phase moved; nothing is written."""
    armature = require_armature(context)
    marks = read_editable_labels(armature.animation_data.action)
    marks.move_strike(side, old_frame, new_frame)
    return to_strip_labels(
        replace(marks, spans=sort_spans(marks.spans)), phase_from_labels(marks), tuple(view.strip_labels.issues)
    )


def _click(context: bpy.types.Context, view: StripView, hit: Hit) -> None:
    """Activate the clicked segment in the panel's list, or go to the clicked review spot or strike."""
    labels = require_armature(context).animation_data.action.footfall
    if hit.kind == "SPOT":
        spot = view.strip_labels.issues[hit.item]
        labels.active_issue = spot.index
        context.scene.frame_set(spot.frame)
    elif hit.kind == "STRIKE":
        context.scene.frame_set(view.strip_labels.strikes[hit.item].frame)
    elif hit.kind != "EMPTY":
        labels.active_segment = hit.item
    _redraw(context)


# Menus


def show_menu(context: bpy.types.Context, title: str, choices: Sequence[MenuChoice]) -> None:
    """Open a menu at the mouse."""
    if not choices:
        return
    EditState.choices = tuple(choices)

    def draw(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
        for number, (text, _) in enumerate(choices):
            menu.layout.operator(
                FOOTFALL_OT_apply_label_edit.bl_idname, text=translate_interface(text), translate=False
            ).choice = number

    context.window_manager.popup_menu(draw, title=translate_interface(title))


# Place of the mouse


def _strip_at_mouse(
    context: bpy.types.Context, event: bpy.types.Event
) -> tuple[bpy.types.Area, StripView, float, float] | None:
    """Return the editor whose strip is under the mouse, that strip, and the mouse in pixels of the region."""
    for area in context.window.screen.areas:
        if area.type != "DOPESHEET_EDITOR" or not _contains_mouse(area, event):
            continue
        inside = [region for region in area.regions if _contains_mouse(region, event)]
        if [region.type for region in inside] != ["WINDOW"]:
            return None  # a header, or a sidebar that lies over the strip
        region = inside[0]
        scene = strip_view(context, area.spaces.active, region)
        x, y = event.mouse_x - region.x, event.mouse_y - region.y
        return None if scene is None or scene.layout.row_at(y) is None else (area, scene, x, y)
    return None


def _contains_mouse(place: bpy.types.Area | bpy.types.Region, event: bpy.types.Event) -> bool:
    inside = place.x <= event.mouse_x < place.x + place.width and place.y <= event.mouse_y < place.y + place.height
    return inside and place.width > 1 and place.height > 1


def _region_of(context: bpy.types.Context, pointer: int) -> bpy.types.Region | None:
    """Return the main region of the editor that a pointer identifies."""
    areas = [area for area in context.window.screen.areas if area.as_pointer() == pointer]
    return next((region for area in areas for region in area.regions if region.type == "WINDOW"), None)


def _redraw(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "DOPESHEET_EDITOR":
                area.tag_redraw()

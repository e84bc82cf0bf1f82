"""Editing labels in the strip: a mode that takes the mouse over the strip and nothing else."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import bpy

from ....core.errors import FootfallError
from ...ui.operator_base import active_armature, require_armature, why_not_animatable
from ...ui.translations import reported, shown
from .. import edits
from ..refresh import phase_of
from ..store import read_marks
from . import gestures
from .drawing import Scene, scene_of
from .gestures import Drag, Edit, Question
from .layout import Hit, hit
from .reading import as_shown
from .shown import Shown
from .state import Editing, Range

HELP: Final = (
    "Edit labels   |   Drag: move a strike or an edge, paint in a row   |   Ctrl-drag: erase   |   X: delete   |   "
    "S: split   |   Right click: menu   |   Esc: done"
)
CURSORS: Final = {
    "STRIKE": "MOVE_X",
    "START": "MOVE_X",
    "END": "MOVE_X",
    "SPAN": "DEFAULT",
    "EMPTY": "PAINT_BRUSH",
    "SPOT": "HAND",
}
SIDES: Final = {"L": "Left", "R": "Right"}


def why_not_editable(context: bpy.types.Context) -> str | None:
    """Why there are no labels to edit; ``None`` where there are."""
    reason = why_not_animatable(context)
    if reason is not None:
        return reason
    armature = active_armature(context)
    data = armature.animation_data if armature else None
    if data is None or data.action is None or not edits.is_labelled(data.action):
        return "Label the armature's action first"
    return None if data.action.is_editable else f"Action '{data.action.name}' is linked from another file"


def apply(context: bpy.types.Context, edit: Edit) -> None:
    """Does an edit as one step of undo; raises :class:`FootfallError` where it makes no sense."""
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


class FOOTFALL_OT_choose_edit(bpy.types.Operator):
    """Change the labels here"""

    bl_idname = "footfall.choose_edit"
    bl_label = "Edit Labels"
    bl_options = {"INTERNAL"}

    choice: bpy.props.IntProperty(name="Change", description="Which one of the menu's", options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        reason = why_not_editable(context)
        if reason is not None:
            cls.poll_message_set(reported(reason))
        return reason is None

    def execute(self, context: bpy.types.Context) -> set[str]:
        try:
            apply(context, Editing.choices[self.choice][1])
        except FootfallError as error:
            self.report({"ERROR"}, reported(str(error)))
            return {"CANCELLED"}
        return {"FINISHED"}


class _LabelMode:
    """The mouse and the keys while labels are edited."""

    drag: Drag | None
    has_cursor: bool

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if Editing.asked_to_end or not Editing.running or why_not_editable(context) is not None:
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
        """Blender closes or loads another file."""
        self._end(context)

    def _end(self, context: bpy.types.Context) -> set[str]:
        Editing.running = Editing.asked_to_end = False
        Editing.forget_mouse()
        self._set_cursor(context, None)
        context.workspace.status_text_set(None)
        _redraw(context)
        return {"FINISHED"}

    # What is under the mouse

    def _hover(self, context: bpy.types.Context, event: bpy.types.Event) -> Scene | None:
        """Finds what is under the mouse, has it highlighted, and returns the strip that the mouse is over."""
        found = _strip_under(context, event)
        before = (Editing.area, Editing.hover)
        Editing.forget_mouse()
        scene = None
        if found is not None:
            area, scene, x, y = found
            Editing.area = area.as_pointer()
            Editing.hover = hit(scene.layout, scene.ruler, scene.shown, x, y, scene.scale)
            if Editing.hover is not None and Editing.hover.what == "SPOT":
                Editing.note = (x, y, scene.shown.spots[Editing.hover.item].text)
        over = None if Editing.hover is None else CURSORS[Editing.hover.what]
        if Editing.hover is not None and event.ctrl and Editing.hover.row.kind == "CONTACT":
            over = "ERASER"
        self._set_cursor(context, over)
        if before != (Editing.area, Editing.hover):
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
        found = Editing.hover
        if scene is None or found is None or event.value != "PRESS" or event.type.endswith("CTRL"):
            return {"PASS_THROUGH"}
        if event.type == "LEFTMOUSE":
            self._begin(scene, found, event)
        elif event.ctrl:
            return {"PASS_THROUGH"}
        elif event.type == "RIGHTMOUSE":
            ask(context, found.row.title, choices_for(scene, found))
        else:
            edit = gestures.erased if event.type == "X" else gestures.divided
            self._apply(context, edit(scene.shown, found))
        return {"RUNNING_MODAL"}

    def _apply(self, context: bpy.types.Context, edit: Edit | None) -> None:
        context.workspace.status_text_set(shown(HELP))
        if edit is None:
            return
        try:
            apply(context, edit)
        except FootfallError as error:
            context.workspace.status_text_set(f"Footfall: {error}")

    # Dragging

    def _begin(self, scene: Scene, found: Hit, event: bpy.types.Event) -> None:
        frames = len(scene.shown.phase) or max(span.end for span in scene.shown.spans) - scene.shown.first + 1
        self.drag = Drag(
            found,
            event.ctrl and found.row.kind == "CONTACT",
            scene.shown.first,
            scene.shown.first + frames - 1,
        )
        self.scene = scene
        self.start = (event.mouse_x, event.mouse_y)
        self.has_moved = False
        self.frame: int | None = None

    def _drag(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        drag, scene = self.drag, self.scene
        assert drag is not None
        if event.type in ("ESC", "RIGHTMOUSE"):
            self._drop(context)
        elif event.type == "MOUSEMOVE":
            far = 3 * scene.scale
            self.has_moved = self.has_moved or abs(event.mouse_x - self.start[0]) > far
            if self.has_moved:
                self._follow(context, event)
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            frame, moved = self.frame, self.has_moved
            self._drop(context)
            if not moved:
                _click(context, scene, drag.hit)
            elif frame is not None:
                self._finish(context, drag, scene, frame)
        elif event.type.startswith("TIMER"):
            return {"PASS_THROUGH"}
        return {"RUNNING_MODAL"}

    def _follow(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """Shows what would be were the mouse let go here."""
        drag, scene = self.drag, self.scene
        found = _region_of(context, Editing.area)
        if drag is None or found is None:
            return
        x, y = event.mouse_x - found.x, event.mouse_y - found.y
        frame = scene.ruler.frame(x) if drag.paints else drag.edge_at(scene.ruler, x, scene.shown)
        if frame == self.frame:
            return
        self.frame = frame
        if drag.paints:
            start, end = drag.range_to(frame)
            row = drag.hit.row
            Editing.range = Range(row.bottom, row.height, start, end)
            Editing.note = (x, y, f"{'Erase ' if drag.erases else ''}{start} to {end}")
        else:
            self._preview(context, drag, scene, frame, x, y)
        _redraw(context)

    def _preview(self, context: bpy.types.Context, drag: Drag, scene: Scene, frame: int, x: float, y: float) -> None:
        Editing.hover = None  # what moves is seen to move, and the numbers of strikes change
        if drag.hit.what != "STRIKE":
            Editing.preview = gestures.with_edge(scene.shown, drag.hit.item, drag.hit.what, frame)
            Editing.note = (x, y, str(frame))
            return
        strike = scene.shown.strikes[drag.hit.item]
        try:
            Editing.preview = _with_strike(context, scene, strike.side, strike.frame, frame)
        except FootfallError as error:
            Editing.note = (x, y, str(error))
            return
        Editing.note = (x, y, f"{frame}  ({frame - strike.frame:+d})")

    def _finish(self, context: bpy.types.Context, drag: Drag, scene: Scene, frame: int) -> None:
        result = drag.painted(frame) if drag.paints else drag.moved(scene.shown, frame)
        if isinstance(result, Question):
            row = drag.hit.row
            Editing.range = Range(row.bottom, row.height, result.start, result.end)  # until the mouse moves again
            ask(context, f"Frames {result.start} to {result.end}", answers_to(result))
        else:
            self._apply(context, result)

    def _drop(self, context: bpy.types.Context) -> None:
        self.drag = None
        Editing.preview, Editing.range, Editing.note = None, None, None
        _redraw(context)


class FOOTFALL_OT_edit_labels(_LabelMode, bpy.types.Operator):
    """Edit contacts, strikes, gaits and actions with the mouse in the strip of Timeline and Dope Sheet; again: done"""

    bl_idname = "footfall.edit_labels"
    bl_label = "Edit Labels"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        reason = None if Editing.running else why_not_editable(context)
        if reason is not None:
            cls.poll_message_set(reported(reason))
        return reason is None

    def execute(self, _context: bpy.types.Context) -> set[str]:
        self.report(
            {"ERROR"}, reported("Labels are edited with the mouse, which needs a window: start Blender with one.")
        )
        return {"CANCELLED"}

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if bpy.app.background or context.window is None:
            return self.execute(context)
        if Editing.running:
            Editing.asked_to_end = True
            return {"FINISHED"}
        Editing.running, Editing.asked_to_end = True, False
        Editing.forget_mouse()
        context.scene.footfall_overlays.show_strip = True
        self.drag, self.has_cursor = None, False
        context.workspace.status_text_set(shown(HELP))
        context.window_manager.modal_handler_add(self)
        _redraw(context)
        return {"RUNNING_MODAL"}


def _with_strike(context: bpy.types.Context, scene: Scene, side: str, old: int, new: int) -> Shown:
    """The labels with a strike moved, its contact and the phase with it; nothing is written."""
    armature = require_armature(context)
    marks = read_marks(armature, armature.animation_data.action)
    marks.move_strike(side, old, new)
    return as_shown(replace(marks, spans=edits.in_order(marks.spans)), phase_of(marks), tuple(scene.shown.spots))


def _click(context: bpy.types.Context, scene: Scene, found: Hit) -> None:
    """Selects a segment in the panel's list, or goes to a suspicious spot."""
    labels = require_armature(context).animation_data.action.footfall
    if found.what == "SPOT":
        spot = scene.shown.spots[found.item]
        labels.active_spot = spot.index
        context.scene.frame_set(spot.frame)
    elif found.what == "STRIKE":
        context.scene.frame_set(scene.shown.strikes[found.item].frame)
    elif found.what != "EMPTY":
        labels.active = found.item
    _redraw(context)


# Menus

Choice = tuple[str, Edit]


def choices_for(scene: Scene, found: Hit) -> Sequence[Choice]:
    """What can be done with what is under the mouse: a text and an edit for each."""
    shown, choices = scene.shown, []
    spans = gestures.under(shown, found)
    split, delete = gestures.divided(shown, found), gestures.erased(shown, found)
    if found.what != "STRIKE":
        if split is not None:
            choices.append((f"Split at Frame {found.frame}", split))
        choices += [
            ("Merge with Next", Edit("Merge Labels", (("merge", (span.index,)),)))
            for span in spans[:1]
            if gestures.has_next(shown, span)
        ]
    if delete is not None:
        choices.append((delete.title, delete))
    if found.row.kind == "CONTACT" and found.row.side in SIDES and found.what != "STRIKE":
        add = ("add_strike", (found.row.side, found.frame))
        choices.append((f"Add {SIDES[found.row.side]} Strike at Frame {found.frame}", Edit("Add Foot Strike", (add,))))
    for span in spans[:1] if found.row.kind != "CONTACT" else []:
        answers = answers_to(Question(span.kind, span.start, span.end))
        choices += [(f"Set to {name}", edit) for name, edit in answers if name != span.name.capitalize()]
    return choices


def answers_to(question: Question) -> Sequence[Choice]:
    """A gait or an action for some frames."""
    title = f"Set {gestures.KINDS[question.kind]}"
    return [
        (name.capitalize(), Edit(title, (("set_span", (question.kind, name, question.start, question.end)),)))
        for name in edits.NAMES[question.kind]
    ]


def ask(context: bpy.types.Context, title: str, choices: Sequence[Choice]) -> None:
    """Opens a menu at the mouse."""
    if not choices:
        return
    Editing.choices = tuple(choices)

    def draw(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
        for number, (text, _) in enumerate(choices):
            menu.layout.operator(FOOTFALL_OT_choose_edit.bl_idname, text=text).choice = number

    context.window_manager.popup_menu(draw, title=title)


# Where the mouse is


def _strip_under(
    context: bpy.types.Context, event: bpy.types.Event
) -> tuple[bpy.types.Area, Scene, float, float] | None:
    """The editor whose strip the mouse is over, the strip, and the mouse in the region's pixels."""
    for area in context.window.screen.areas:
        if area.type != "DOPESHEET_EDITOR" or not _holds(area, event):
            continue
        inside = [region for region in area.regions if _holds(region, event)]
        if [region.type for region in inside] != ["WINDOW"]:
            return None  # a header, or a sidebar that lies over the strip
        region = inside[0]
        scene = scene_of(context, area.spaces.active, region)
        x, y = event.mouse_x - region.x, event.mouse_y - region.y
        return None if scene is None or scene.layout.row_at(y) is None else (area, scene, x, y)
    return None


def _holds(place: bpy.types.Area | bpy.types.Region, event: bpy.types.Event) -> bool:
    inside = place.x <= event.mouse_x < place.x + place.width and place.y <= event.mouse_y < place.y + place.height
    return inside and place.width > 1 and place.height > 1


def _region_of(context: bpy.types.Context, pointer: int) -> bpy.types.Region | None:
    """The main region of an editor."""
    areas = [area for area in context.window.screen.areas if area.as_pointer() == pointer]
    return next((region for area in areas for region in area.regions if region.type == "WINDOW"), None)


def _redraw(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "DOPESHEET_EDITOR":
                area.tag_redraw()

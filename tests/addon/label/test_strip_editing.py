"""In Blender, without a window: the strip's edits are steps of undo, its modal operator and what it leaves behind."""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from footfall.blender_addon.label.strip import drawing, editing, reading
from footfall.blender_addon.label.strip.gestures import Edit
from footfall.blender_addon.label.strip.state import EditState
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.refusals import refused

pytestmark = needs_clips

WIDTH, HEIGHT = 700, 300


@pytest.fixture
def labelled() -> bpy.types.Object:
    armature = import_bvh(WALK)
    bpy.ops.footfall.detect_labels()
    return armature


def shown_of(armature: bpy.types.Object) -> reading.StripLabels:
    return reading.read_strip_labels(armature, armature.animation_data.action)


def strikes(side: str) -> list[int]:
    action = bpy.context.object.animation_data.action
    return [strike.frame for strike in shown_of(bpy.context.object).strikes if strike.side == side and action]


class Window:
    """Stands in for a window with one Timeline, two pixels a frame."""

    def __init__(self) -> None:
        self.status: list[str | None] = []
        self.cursors: list[str] = []
        view = SimpleNamespace(region_to_view=lambda x, y: (x / 2, y))
        self.region = SimpleNamespace(type="WINDOW", x=0, y=0, width=WIDTH, height=HEIGHT, view2d=view)
        self.area = SimpleNamespace(
            type="DOPESHEET_EDITOR",
            x=0,
            y=0,
            width=WIDTH,
            height=HEIGHT,
            regions=[self.region],
            spaces=SimpleNamespace(active=SimpleNamespace(mode="TIMELINE")),
            as_pointer=lambda: 1,
            tag_redraw=lambda: None,
        )
        screen = SimpleNamespace(areas=[self.area], is_animation_playing=False)
        window = SimpleNamespace(
            screen=screen, cursor_modal_set=self.cursors.append, cursor_modal_restore=self.cursors.clear
        )
        self.context = SimpleNamespace(
            object=bpy.context.object,
            scene=bpy.context.scene,
            screen=screen,
            window=window,
            workspace=SimpleNamespace(status_text_set=self.status.append),
            # Without a window the interface's scale is 0.
            preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0), themes=bpy.context.preferences.themes),
            window_manager=SimpleNamespace(windows=[window], popup_menu=self.popup),
        )
        self.menus: list[str] = []
        self.operator = Operator()
        EditState.begin()

    def popup(self, _draw: object, title: str) -> None:
        self.menus.append(title)

    def send(self, kind: str, x: float, y: float, value: str = "PRESS", ctrl: bool = False) -> set[str]:
        event = SimpleNamespace(
            type=kind, value=value, mouse_x=x, mouse_y=y, ctrl=ctrl, alt=False, shift=False, oskey=False
        )
        return self.operator.modal(self.context, event)

    def drag(self, x: float, to: float, y: float, ctrl: bool = False, end: str = "LEFTMOUSE") -> None:
        self.send("MOUSEMOVE", x, y, "NOTHING")
        assert self.send("LEFTMOUSE", x, y, ctrl=ctrl) == {"RUNNING_MODAL"}
        for place in np.linspace(x, to, 5):
            self.send("MOUSEMOVE", place, y, "NOTHING", ctrl)
        self.send(end, to, y, "RELEASE" if end == "LEFTMOUSE" else "PRESS", ctrl)

    def scene(self) -> drawing.StripView:
        found = drawing.strip_view(self.context, self.area.spaces.active, self.region)
        assert found is not None
        return found

    def y(self, title: str) -> float:
        rows = self.scene().layout
        row = next(row for row in rows.rows if row.title == title)
        return rows.y(row.bottom + row.height / 2)


class Operator(editing.LabelEditMode):
    """The operator without Blender around it, as it is once it has begun."""

    def __init__(self) -> None:
        self.drag, self.has_cursor = None, False


def test_dragging_a_strike_moves_contact_and_phase_and_is_one_step_of_undo(labelled: bpy.types.Object) -> None:
    bpy.ops.ed.undo_push(message="Before")
    window = Window()
    old = strikes("L")[1]
    phase = shown_of(bpy.context.object).phase.copy()
    window.drag(2 * (old - 0.5), 2 * (old + 9.5), window.y("L heel"))
    assert old + 10 in strikes("L") and old not in strikes("L")
    segments = bpy.context.object.animation_data.action.footfall.segments
    assert old + 10 in [segment.start for segment in segments if segment.name == "foot.L"]
    after = shown_of(bpy.context.object).phase
    assert not np.allclose(after, phase)
    first = shown_of(bpy.context.object).first_frame
    halfway = (after[old + 9 - first] + after[old + 10 - first]) / 2
    assert abs(halfway - 0.5) < 0.02, "the phase is half a cycle between the frames before and at the strike"
    bpy.ops.ed.undo()
    assert old in strikes("L") and np.allclose(shown_of(bpy.context.object).phase, phase)


def test_the_preview_is_what_will_be(labelled: bpy.types.Object) -> None:
    window = Window()
    old = strikes("L")[1]
    x, y = 2 * (old - 0.5), window.y("L heel")
    window.send("MOUSEMOVE", x, y, "NOTHING")
    window.send("LEFTMOUSE", x, y)
    window.send("MOUSEMOVE", x + 12, y, "NOTHING")
    preview = EditState.preview
    assert preview is not None and old + 6 in [strike.frame for strike in preview.strikes]
    window.send("LEFTMOUSE", x + 12, y, "RELEASE")
    shown = shown_of(bpy.context.object)
    assert EditState.preview is None and np.allclose(preview.phase, shown.phase, atol=1e-5)
    assert [(s.name, s.start, s.end) for s in preview.spans] == [(s.name, s.start, s.end) for s in shown.spans]


def test_escape_during_a_drag_changes_nothing(labelled: bpy.types.Object) -> None:
    window = Window()
    revision = bpy.context.object.animation_data.action.footfall.revision
    old = strikes("L")[1]
    window.drag(2 * (old - 0.5), 2 * (old + 9.5), window.y("L heel"), end="ESC")
    assert old in strikes("L") and EditState.preview is None and EditState.running
    assert bpy.context.object.animation_data.action.footfall.revision == revision


def test_painting_and_erasing_a_contact(labelled: bpy.types.Object) -> None:
    window = Window()
    spans = [span for span in shown_of(bpy.context.object).spans if span.name == "toe.L"]
    gap = (spans[0].end + spans[1].start) // 2
    window.drag(2 * gap, 2 * (gap + 8), window.y("L toe"))
    painted = [span for span in shown_of(bpy.context.object).spans if span.name == "toe.L" and span.by_user]
    assert [(span.start, span.end) for span in painted] == [(gap, gap + 8)]
    window.drag(2 * (gap - 5), 2 * (gap + 20), window.y("L toe"), ctrl=True)
    after = [span for span in shown_of(bpy.context.object).spans if span.name == "toe.L"]
    assert [(span.start, span.end) for span in after] == [(span.start, span.end) for span in spans]


def test_a_range_of_gait_asks_which_one(labelled: bpy.types.Object) -> None:
    armature = labelled
    window = Window()
    window.drag(200, 300, window.y("Gait"))
    assert window.menus == ["Frames 100 to 150"] and EditState.highlight is not None
    choice = next(number for number, (text, _) in enumerate(EditState.choices) if text == "Crouch")
    assert bpy.ops.footfall.apply_label_edit(choice=choice) == {"FINISHED"}
    spans = [span for span in shown_of(armature).spans if span.name == "crouch"]
    assert [(span.kind, span.start, span.end) for span in spans] == [("GAIT", 100, 150)]


def test_keys_and_clicks(labelled: bpy.types.Object) -> None:
    armature = labelled
    window, labels = Window(), armature.animation_data.action.footfall
    span = next(span for span in shown_of(armature).spans if span.name == "foot.R" and span.end > span.start + 30)
    inside, y = 2 * (span.start + 15), window.y("R heel")
    window.drag(inside, inside, y)
    assert labels.active_segment == span.index, "a click selects"
    window.send("S", inside, y)
    parts = [s for s in shown_of(armature).spans if s.name == "foot.R" and span.start <= s.start <= span.end]
    assert [s.start for s in parts] == [span.start, span.start + 15]
    window.send("X", inside, y)
    parts = [s for s in shown_of(armature).spans if s.name == "foot.R" and span.start <= s.start <= span.end]
    assert [s.start for s in parts] == [span.start]
    window.send("RIGHTMOUSE", 2 * (span.start + 5), y)
    assert next(text for text, _ in EditState.choices) == f"Split at Frame {span.start + 5}"


def test_everything_else_passes_through(labelled: bpy.types.Object) -> None:
    window = Window()
    above = window.scene().layout.top + 20
    for kind in ("LEFTMOUSE", "RIGHTMOUSE", "X", "S"):
        assert window.send(kind, 100, above) == {"PASS_THROUGH"}
    for kind in ("MIDDLEMOUSE", "WHEELUPMOUSE", "Z", "SPACE"):
        assert window.send(kind, 100, window.y("L heel")) == {"PASS_THROUGH"}
    window.context.screen.is_animation_playing = True
    assert window.send("ESC", 100, above) == {"PASS_THROUGH"}, "Esc ends the playback first"


def test_escape_enter_and_the_button_end_the_mode(labelled: bpy.types.Object) -> None:
    for kind in ("ESC", "RET"):
        window = Window()
        assert window.send(kind, 100, 100) == {"FINISHED"} and not EditState.running and window.status[-1] is None
    window = Window()
    EditState.request_end()
    assert window.send("MOUSEMOVE", 100, 100) == {"FINISHED"} and not EditState.running


def test_a_refusal_is_told_and_changes_nothing(labelled: bpy.types.Object) -> None:
    armature = labelled
    revision = armature.animation_data.action.footfall.revision
    assert "has no foot strike" in refused(
        editing.apply_edit, bpy.context, Edit("Move", (("move_strike", ("L", 100, 106)),))
    )
    assert armature.animation_data.action.footfall.revision == revision


def test_without_labels_there_is_nothing_to_edit() -> None:
    assert not bpy.ops.footfall.edit_labels.poll()

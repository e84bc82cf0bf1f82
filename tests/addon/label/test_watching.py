"""Marks that are dragged by hand, and undone."""

from types import SimpleNamespace

import bpy
import pytest

from footfall.blender_addon.label import watch
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips

pytestmark = needs_clips


@pytest.fixture
def labelled() -> str:
    """The name of a labelled action, which is watched."""
    armature = import_bvh(WALK)
    bpy.ops.footfall.detect_labels()
    poll()
    return armature.animation_data.action.name


def poll(context=None) -> bool:
    return watch.poll(context or bpy.context)


def markers(name: str, side: str) -> list[int]:
    return sorted(m.frame for m in bpy.data.actions[name].pose_markers if m.name == f"Foot Strike {side}")


def strikes(name: str, side: str) -> list[int]:
    stored = bpy.data.actions[name].footfall.foot_strikes
    return sorted(s.frame for s in stored if s.side == side and not s.removed)


def drag(name: str, side: str, old: int, new: int) -> None:
    marker = next(m for m in bpy.data.actions[name].pose_markers if (m.name, m.frame) == (f"Foot Strike {side}", old))
    marker.frame = new


def phase_at(name: str, frame: int) -> float:
    action = bpy.data.actions[name]
    curves = action.layers[0].strips[0].channelbag(action.slots[0]).fcurves
    return curves.find('["footfall_phase"]').evaluate(frame)


def test_nothing_to_do_is_nothing_done(labelled: str) -> None:
    name = labelled
    revision = bpy.data.actions[name].footfall.revision
    assert not any(poll() for _ in range(3)) and bpy.data.actions[name].footfall.revision == revision


def test_the_phase_follows_a_dragged_marker(labelled: str) -> None:
    name = labelled
    old = markers(name, "L")[1]
    drag(name, "L", old, old + 7)
    assert poll() and not poll()
    assert strikes(name, "L") == markers(name, "L") and old + 7 in strikes(name, "L")
    assert phase_at(name, old + 6) < 0.5 < phase_at(name, old + 7)
    starts = [s.start for s in bpy.data.actions[name].footfall.segments if s.name == "foot.L"]
    assert old + 7 in starts and old not in starts, "the contact begins with the strike"


def test_added_and_deleted_markers(labelled: str) -> None:
    name = labelled
    action = bpy.data.actions[name]
    gone = markers(name, "R")[1]
    action.pose_markers.remove(next(m for m in action.pose_markers if (m.name, m.frame) == ("Foot Strike R", gone)))
    assert poll() and gone not in strikes(name, "R")
    action.pose_markers.new("Foot Strike R").frame = gone + 60
    assert poll() and gone + 60 in strikes(name, "R") and not poll()
    bpy.ops.footfall.detect_labels()
    assert markers(name, "R") == strikes(name, "R") and gone not in markers(name, "R")


def test_a_marker_where_it_cannot_be_goes_back(labelled: str) -> None:
    name = labelled
    old = markers(name, "L")[1]
    drag(name, "L", old, 4000)
    assert poll() and not poll()
    assert old in markers(name, "L") == strikes(name, "L")
    assert "Frames 4000 to 4000 are not all labeled" in bpy.context.window_manager.footfall.label_error


def test_a_renamed_marker_changes_its_side(labelled: str) -> None:
    name = labelled
    frame = markers(name, "L")[1]
    next(m for m in bpy.data.actions[name].pose_markers if m.frame == frame).name = "Foot Strike R"
    assert poll() and not poll()
    assert frame in strikes(name, "R") and frame not in strikes(name, "L")


def test_undo_and_redo_settle(labelled: str) -> None:
    name = labelled
    bpy.ops.ed.undo_push(message="labelled")
    old = markers(name, "L")[1]
    drag(name, "L", old, old + 7)
    bpy.ops.ed.undo_push(message="the drag, as Blender records it")
    assert poll() and not poll()
    bpy.ops.ed.undo()
    assert not poll() and old in strikes(name, "L") and markers(name, "L") == strikes(name, "L")
    bpy.ops.ed.redo()
    assert poll() and not poll(), "the drag is back, and its edit follows"
    assert old + 7 in strikes(name, "L") and markers(name, "L") == strikes(name, "L")
    bpy.ops.ed.undo()
    assert not poll() and old in strikes(name, "L")


def test_hands_off_while_something_plays_or_is_dragged(labelled: str) -> None:
    name = labelled
    old = markers(name, "L")[1]
    drag(name, "L", old, old + 7)
    still = SimpleNamespace(is_animation_playing=False)
    playing = SimpleNamespace(screen=SimpleNamespace(is_animation_playing=True), modal_operators=[])
    dragging = SimpleNamespace(screen=still, modal_operators=[SimpleNamespace(bl_idname="MARKER_OT_move")])
    quiet = SimpleNamespace(screen=still, modal_operators=[SimpleNamespace(bl_idname="FOOTFALL_OT_edit_labels")])
    for window, done in ((playing, False), (dragging, False), (quiet, True)):
        manager = SimpleNamespace(windows=[window], footfall=SimpleNamespace(label_error=""))
        assert poll(SimpleNamespace(object=bpy.context.object, window_manager=manager)) == done
    assert old + 7 in strikes(name, "L")


def test_a_timer_has_no_window_and_watches_all_the_same(labelled: str) -> None:
    name = labelled
    old = markers(name, "L")[1]
    drag(name, "L", old, old + 7)
    context = bpy.context
    assert poll(SimpleNamespace(view_layer=context.view_layer, window_manager=context.window_manager))
    assert old + 7 in strikes(name, "L")

"""A bake slice by slice, as in a window; events and window are played by the script."""

from pathlib import Path

import bpy
import pytest

from footfall.blender_addon.activities.shot import operators
from footfall.blender_addon.ui import modal_operator
from footfall.tests.addon.support.clips import needs_clips
from footfall.tests.addon.support.modal_window import ESCAPE, KEY, TICK, OperatorInWindow, Window

pytestmark = needs_clips


class Operator(OperatorInWindow, operators.ShotOperator):
    """A bake that has begun."""


@pytest.fixture
def ready(statue: Path) -> bpy.types.Object:
    """A character with a path."""
    bpy.ops.footfall.add_character(controller="file", filepath=str(statue))
    armature = bpy.context.object
    data = bpy.data.curves.new("Path", "CURVE")
    data.splines.new("POLY").points.add(1)
    data.splines[0].points[1].co = (4, 0, 0, 1)
    armature.footfall.path = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(armature.footfall.path)
    return armature


def test_ticks_until_it_is_done(ready: bpy.types.Object) -> None:
    armature, window = ready, Window()
    operator = Operator(window)
    assert operator.modal(window, KEY) == {"RUNNING_MODAL"}
    fractions = []
    while (result := operator.modal(window, TICK)) == {"RUNNING_MODAL"}:
        fractions.append(window.window_manager.footfall.work_fraction)
        assert armature.animation_data is None, "nothing changes before the end"
    assert result == {"FINISHED"} and armature.animation_data.action
    assert len(fractions) > 10 and fractions == sorted(fractions) and fractions[-1] <= 1.0
    assert "Esc: Cancel" in window.status[0] and window.status[-1] is None and window.timers == 0
    assert operator.reports[-1][0] == {"INFO"} and not modal_operator.ModalWorkOperator.running


def test_escape_changes_nothing(ready: bpy.types.Object) -> None:
    armature, window = ready, Window()
    operator = Operator(window)
    operator.modal(window, TICK)
    assert not bpy.ops.footfall.bake_shot.poll(), "one bake at a time"
    assert operator.modal(window, ESCAPE) == {"CANCELLED"}
    assert armature.animation_data is None and not bpy.data.actions
    assert window.timers == 0 and window.status[-1] is None and window.window_manager.footfall.work_fraction == -1.0
    assert bpy.ops.footfall.bake_shot.poll()


def test_an_armature_that_is_deleted_meanwhile(ready: bpy.types.Object) -> None:
    armature, window = ready, Window()
    operator = Operator(window)
    operator.modal(window, TICK)
    bpy.data.objects.remove(armature)
    while (result := operator.modal(window, TICK)) == {"RUNNING_MODAL"}:
        pass
    assert result == {"CANCELLED"} and "was deleted" in operator.reports[-1][1] and window.timers == 0

"""Overlays, memos and idle tasks: what the drawing in editors is made of."""

import bpy
import pytest

from footfall.blender_addon.ui.idle_task import IdleTask
from footfall.blender_addon.ui.memo import Memo, clear_all
from footfall.blender_addon.ui.overlay import Overlay
from footfall.blender_addon.ui.viewport_preview import PreviewSlot, ViewportPreview


def test_an_overlay_reports_an_error_once_and_frees_its_memory(capfd: pytest.CaptureFixture[str]) -> None:
    freed = []

    def draw(_context: bpy.types.Context) -> None:
        raise ValueError("no such shader")

    overlay = Overlay("nothing", [(draw, "POST_VIEW")], free=lambda: freed.append(True))
    overlay.start()
    assert not overlay.is_drawing, "there are no windows here"
    overlay.draw_guarded(draw, "POST_PIXEL")
    said = capfd.readouterr().err
    assert "no such shader" in said and "the overlay 'nothing' is switched off" in said and freed == [True]


def test_undo_load_and_changes_drop_results() -> None:
    keeps: Memo[int] = Memo()
    until_update: Memo[int] = Memo(until_update=True)
    for memo in (keeps, until_update):
        memo.get("key", lambda: 1)
    bpy.data.objects.new("new", None)
    bpy.context.collection.objects.link(bpy.data.objects["new"])
    bpy.context.view_layer.update()
    assert keeps.get("key", lambda: 2) == 1
    assert until_update.get("key", lambda: 2) == 2
    bpy.ops.wm.read_homefile(use_empty=True)
    assert keeps.get("key", lambda: 3) == 3
    clear_all()
    assert keeps.get("key", lambda: 4) == 4


def test_an_idle_task_runs_once_for_all_requests() -> None:
    runs: list[int] = []
    task = IdleTask(lambda: runs.append(1))
    task.request()
    task.request()
    assert task.is_pending
    assert task.on_timer() is None and runs == [1]
    task.cancel()
    assert not task.is_pending


def test_one_preview_of_a_kind_is_shown() -> None:
    stopped: list[str] = []

    class Named(ViewportPreview):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

        def stop(self) -> None:
            super().stop()
            stopped.append(self.name)

    slot: PreviewSlot[Named] = PreviewSlot()
    slot.show(Named("first"))
    slot.show(Named("second"))
    assert stopped == ["first"] and slot.preview is not None and slot.preview.name == "second"
    slot.stop()
    slot.stop()
    assert stopped == ["first", "second"] and slot.preview is None

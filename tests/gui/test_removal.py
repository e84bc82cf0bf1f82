"""The extension is switched off, on again, and removed: nothing of it is left in the running Blender."""

from pathlib import Path

from footfall.tests.gui.window import Window

TRACES = Path(__file__).parent.parent / "contract" / "traces.py"


def test_it_is_there(gui: Window) -> None:
    gui.open_tab("Footfall")
    gui.ask(TRACES.read_text(encoding="utf-8"))
    gui.ask("enabled = traces()")
    assert gui.ask("enabled['classes']") and gui.ask("enabled['translations']") is not None


def test_switched_off_nothing_works_on(gui: Window) -> None:
    gui.ask("bpy.ops.preferences.addon_disable(module=MODULE)")
    assert gui.ask("left_behind(UNTIL_RESTART)") == {}
    gui.shot("disabled")


def test_switched_on_it_is_as_before(gui: Window) -> None:
    gui.ask("bpy.ops.preferences.addon_enable(module=MODULE)")
    for _ in range(20):  # some of what it does at first is done a moment later
        changed = gui.ask(
            "{kind: set(now) ^ set(was) for (kind, was), now in zip(enabled.items(), traces().values()) if now != was}"
        )
        if not changed:
            break
        gui.settle()
    assert changed == {}


def test_removed_nothing_is_left(gui: Window) -> None:
    gui.ask("""
names = [one.module for one in bpy.context.preferences.extensions.repos]
bpy.ops.extensions.package_uninstall(repo_index=names.index("user_default"), pkg_id="footfall")
""")
    gui.wait("MODULE not in bpy.context.preferences.addons")
    gui.settle()
    assert gui.ask("left_behind()") == {}
    assert gui.ask("files_left_behind()") == []
    gui.shot("removed")

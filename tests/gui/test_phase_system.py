"""A controller gated by local phases is chosen, follows as closely as it is told to, and its walk is baked."""

from footfall.tests.gui.drawn_walk import SHOT, bake
from footfall.tests.gui.window import Window


def test_the_controller_is_chosen_under_direct(gui: Window) -> None:
    gui.ask(SHOT)
    gui.open_tab("Footfall")
    gui.settle()
    gui.choose("footfall.controller_choice", "hero().footfall.controller == 'preset:phase_system'")
    gui.shot("chosen")


def test_its_responsiveness_is_typed_and_the_walk_is_baked(gui: Window) -> None:
    gui.unfold("directing#variation")
    gui.set_number("footfall.responsiveness", "0.9")
    assert gui.ask("round(hero().footfall.responsiveness, 3)") == 0.9
    bake(gui, "footfall.bake_shot", "close")
    assert gui.ask("hero().footfall.quality_summary")
    gui.shot("baked")


def test_it_has_arrived_at_the_end_of_the_path(gui: Window) -> None:
    gui.ask("bpy.context.scene.frame_set(int(hero().animation_data.action.frame_range[1]))")
    x, y = gui.ask("(hero().matrix_world @ hero().pose.bones[0].head).xy[:]")
    assert abs(x - 2.5) < 0.3 and abs(y) < 0.3
    gui.settle()
    gui.shot("arrived")


def test_another_responsiveness_is_another_walk(gui: Window) -> None:
    gui.set_number("footfall.responsiveness", "0.2")
    bake(gui, "footfall.update_bake", "loose")
    assert gui.ask("loose != close")
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("ctrl+z")
    assert gui.ask("keys() == close"), "one step takes the bake back"
    gui.key("ctrl+shift+z")
    assert gui.ask("keys() == loose")


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log() and "Error" not in gui.log(), gui.log()

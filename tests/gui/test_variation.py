"""A walk is varied: a seed is typed, the slider is moved, and each bake is another walk of the same person."""

from footfall.tests.gui.drawn_walk import SHOT, bake
from footfall.tests.gui.window import Window


def test_a_seed_is_typed_and_the_walk_is_baked(gui: Window) -> None:
    gui.ask(SHOT)
    gui.open_tab("Footfall")
    gui.settle()
    gui.unfold("directing#variation")
    gui.set_number("footfall.seed", "3")
    assert gui.ask("hero().footfall.seed") == 3
    gui.find("footfall.control_variation")
    gui.shot("seed")
    bake(gui, "footfall.bake_shot", "varied")


def test_the_slider_is_moved_to_zero(gui: Window) -> None:
    gui.set_number("footfall.control_variation", "0")
    assert gui.ask("hero().footfall.control_variation") == 0.0
    bake(gui, "footfall.update_bake", "plain")
    assert gui.ask("plain != varied")
    gui.shot("plain")


def test_it_is_taken_back_and_done_again(gui: Window) -> None:
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("ctrl+z")
    assert gui.ask("keys() == varied"), "one step takes the bake back"
    gui.key("ctrl+shift+z")
    assert gui.ask("keys() == plain")


def test_the_same_variation_is_the_same_walk(gui: Window) -> None:
    gui.set_number("footfall.control_variation", "0.8")
    bake(gui, "footfall.update_bake", "again")
    assert gui.ask("again == varied")


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log() and "Error" not in gui.log(), gui.log()

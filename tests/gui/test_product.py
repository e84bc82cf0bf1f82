"""Everything is found by F3, panels have presets and question marks, and all of it speaks German where Blender does."""

from footfall.tests.gui.window import Window

ADDON = "__import__('importlib').import_module('bl_ext.user_default.footfall.blender_addon.{}')"


def search(gui: Window, words: str) -> None:
    """Looks for words in all menus, with F3."""
    gui.over("VIEW_3D", at=(0.3, 0.6))
    gui.key("F3")
    gui.type(words)
    gui.settle()


def test_the_search_finds_a_character_and_adds_it(gui: Window) -> None:
    gui.key("x", "Return")
    search(gui, "footfall character")
    gui.shot("search")
    gui.key("Return")
    gui.wait("bpy.context.object is not None and bpy.context.object.type == 'ARMATURE'")


def test_the_search_finds_what_the_buttons_do(gui: Window) -> None:
    for words, title in (("detect bones", "guess_rig"), ("walk surface obstacle", ""), ("detect labels", "")):
        search(gui, words)
        gui.shot(f"search_{words.replace(' ', '_')}")
        gui.key("Return" if title else "Escape")
        gui.settle()
    assert gui.ask("len(bpy.context.object.footfall.rig.roles) > 0"), "the search has guessed the rig"


def test_a_preset_is_saved_in_the_panels_header(gui: Window) -> None:
    gui.open_tab("Footfall")
    gui.ask("bpy.context.object.footfall.speed = 0.7")
    gui.ask("bpy.ops.footfall.save_direct_preset(name='Slow')")
    gui.settle()
    gui.shot("headers")
    file = "bpy.utils.preset_find('Slow', 'footfall/direct')"
    assert gui.ask(f"{file} is not None")
    gui.ask("bpy.context.object.footfall.speed = 2.5")
    gui.ask(f"bpy.ops.script.execute_preset(filepath={file}, menu_idname='FOOTFALL_PT_direct_presets')")
    assert gui.ask("round(bpy.context.object.footfall.speed, 3)") == 0.7


def test_the_manual_travels_along(gui: Window) -> None:
    links = ADDON.format("ui.manual_links")
    assert str(gui.ask(f"str({links}.manual_file('rig#presets'))")).endswith("docs/manual/at/rig-presets.html")
    assert gui.ask(f"{links}.topic_of('bpy.ops.footfall.guess_rig')") == "rig"


def test_the_preferences_page(gui: Window) -> None:
    gui.ask("bpy.ops.preferences.addon_show(module='bl_ext.user_default.footfall')")
    gui.settle()
    gui.shot("preferences")
    gui.ask("""
with bpy.context.temp_override(window=bpy.context.window_manager.windows[-1]):
    bpy.ops.wm.window_close()
""")
    gui.settle()
    assert gui.ask("len(bpy.context.window_manager.windows)") == 1


def test_panels_are_german_where_blender_is(gui: Window) -> None:
    gui.ask("""
view = bpy.context.preferences.view
view.language = "de_DE"
view.use_translate_interface = view.use_translate_tooltips = view.use_translate_reports = True
""")
    gui.settle()
    gui.shot("german")
    assert gui.ask("bpy.app.translations.pgettext_iface('Bake Shot', 'Operator')") == "Shot backen"
    translations = ADDON.format("ui.translations")
    assert gui.ask(f"{translations}.translate_interface('Select an armature')") == "Eine Armature auswählen"
    gui.ask("bpy.context.preferences.view.language = 'en_US'")
    gui.settle()

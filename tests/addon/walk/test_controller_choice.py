"""The controller that a new character walks by, where none was chosen."""

import bpy

from footfall.blender_addon.controllers import library


def test_the_locomotion_controller_is_the_default_whatever_else_ships() -> None:
    library.refresh()
    names = [item[0] for item in library.enum_items(None, None)]
    assert names[0] == "preset:locomotion" and "preset:dribble" in names
    assert library.find("", "")[0] == "locomotion"
    assert bpy.ops.footfall.add_character() == {"FINISHED"}
    assert bpy.context.object.footfall.controller == "preset:locomotion"

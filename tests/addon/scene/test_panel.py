"""The panel *Ground*: what it draws, recorded by a layout that knows what Blender would accept."""

from pathlib import Path
from types import SimpleNamespace

import bpy

from footfall.blender_addon.scene import operators, panel
from footfall.blender_addon.scene.ground_tags import set_tag
from footfall.tests.addon.support.clips import needs_clips
from footfall.tests.addon.support.panel_layout import Layout, drawn
from footfall.tests.addon.support.scenes import add_box

pytestmark = needs_clips


def test_the_ground_is_shown_in_plain_words(statue: Path) -> None:
    rock = add_box("Rock", (0, 0, 0), (1, 1, 1))
    bpy.context.view_layer.objects.active = rock
    set_tag(rock, "obstacle")
    assert drawn(panel.FOOTFALL_PT_ground) == ["{Set Walk Surface}", "<footfall_show_ground>", "'Rock': obstacle"]
    set_tag(rock, None)
    bpy.ops.footfall.add_character(controller="file", filepath=str(statue))
    seen = drawn(panel.FOOTFALL_PT_ground)
    assert seen[:3] == ["<collection>", "<obstacles>", "{Set Walk Surface}"], seen
    assert "The character walks on level ground" in seen
    set_tag(rock, "walkable")
    bpy.context.view_layer.update()
    assert "The character walks on 1 object" in drawn(panel.FOOTFALL_PT_ground), "the panel follows a tag"
    set_tag(rock, None)
    boxes = [add_box(f"Box {number}", (number, 0, 0), (1, 1, 1)) for number in range(7)]
    for box in boxes:
        set_tag(box, "walkable")
        box.hide_viewport = box != boxes[0]
    bpy.context.view_layer.update()
    seen = drawn(panel.FOOTFALL_PT_ground)
    assert "The character walks on 1 object" in seen and "2 more objects cannot be used" in seen, seen
    assert sum(text.startswith("'Box") for text in seen) == 4
    layout = Layout()
    operators.FOOTFALL_MT_walk_surface.draw(SimpleNamespace(layout=layout), bpy.context)
    assert layout.seen == ["[Walkable]", "[Jump Over]", "[Obstacle]", "[Ceiling]", "[Ignored]", "[Clear]"]

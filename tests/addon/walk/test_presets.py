"""Presets of the panel Direct."""

from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

import footfall
from footfall.blender_addon.activities.walk import presets
from footfall.blender_addon.animation.output_settings import FOOTFALL_PG_output
from footfall.blender_addon.app.settings import FOOTFALL_PG_character
from footfall.blender_addon.ui.registry import own_properties
from footfall.tests.addon.support.armatures import make_armature
from footfall.tests.addon.support.empty_blender import empty_blender
from footfall.tests.addon.support.panel_layout import Layout

SHOTS_OWN = {
    "character": {
        *(
            "path",
            "seed",
            "rig",
            "ground",
            "controller_choice",
            "baked_action",
            "bake_records",
            "quality_summary",
            "quality_report",
            "likeness_report",
            "detour",
            "bake_inputs",
            "bake_plan",
        ),
        *("interaction_controller_file", "interaction_tasks", "active_interaction_task", "attachment", "output"),
        *(
            "strike_controller_file",
            "dance",
            "dance_file",
            "combination",
            "key_poses",
            "active_key_pose",
            "inserted_clips",
            "active_inserted_clip",
            "takes",
            "active_take",
        ),
        *("edited_steps", "active_edited_step", "retimed_stretches", "active_retimed_stretch"),
        *("path_events", "active_path_event", "speed_from_radius", "waypoints", "active_waypoint"),
    },
    "output": {"frame_start", "frame_end"},
}
"""What no preset has: the shot's, the rig's, errands', and what came of a bake."""
FILE = "Games_slow.py"


def preset_file() -> Path:
    return Path(bpy.utils.user_resource("SCRIPTS", path="presets")) / presets.PRESET_SUBFOLDER / FILE


@pytest.fixture
def saved() -> Path:
    """The file of a preset that was saved by a character, which is gone."""
    assert not preset_file().parent.exists(), "nothing is there before its user saves one"
    assert not bpy.ops.footfall.save_direct_preset.poll(), "no character"
    settings = make_armature().footfall
    settings.speed, settings.style, settings.start, settings.seed = 0.75, "sneak", "CURRENT", 7
    settings.output.root_motion, settings.output.root_axes = "ROOT_BONE", (True, False, True)
    settings.output.reduce_keys, settings.output.max_error, settings.output.frame_end = True, 0.005, 99
    assert bpy.ops.footfall.save_direct_preset(name="Games slow") == {"FINISHED"}
    assert preset_file().is_file()
    empty_blender()
    return preset_file()


def choose(file: Path) -> None:
    bpy.ops.script.execute_preset(filepath=str(file), menu_idname="FOOTFALL_PT_direct_presets")


def test_a_setting_is_a_presets_or_the_shots() -> None:
    character = {item.identifier for item in own_properties(FOOTFALL_PG_character)}
    output = {item.identifier for item in own_properties(FOOTFALL_PG_output)}
    for there, kept, own in (
        (character, presets.CHARACTER_PROPERTIES, SHOTS_OWN["character"]),
        (output, presets.OUTPUT_PROPERTIES, SHOTS_OWN["output"]),
    ):
        assert there == {*kept, *own}, f"in direct_presets.py, or in SHOTS_OWN here: {there ^ {*kept, *own}}"


def test_the_small_window_says_what_to_do() -> None:
    layout = Layout()
    panel = presets.FOOTFALL_PT_direct_presets
    window = SimpleNamespace(
        layout=layout, preset_subdir=panel.preset_subdir, preset_add_operator=panel.preset_add_operator
    )
    panel.draw(window, bpy.context)
    assert layout.seen == ["Select an armature"]
    make_armature()
    layout.seen.clear()
    panel.draw(window, bpy.context)
    assert layout.seen == ["<preset_name>", "[]"], "a name, and the button that saves"


def test_a_preset_is_saved_and_taken_by_another_character(saved: Path) -> None:
    other = make_armature().footfall
    choose(saved)
    assert abs(other.speed - 0.75) < 1e-6 and other.style == "sneak" and other.start == "CURRENT"
    assert other.output.root_motion == "ROOT_BONE" and tuple(other.output.root_axes) == (True, False, True)
    assert other.output.reduce_keys and abs(other.output.max_error - 0.005) < 1e-6
    assert other.seed == 0 and other.output.frame_end == 250, "the shot's own"


def test_a_mesh_of_the_character_is_as_good(saved: Path) -> None:
    armature = make_armature()
    body = bpy.data.objects.new("Body", bpy.data.meshes.new("Body"))
    bpy.context.collection.objects.link(body)
    body.parent = armature
    body.modifiers.new("Armature", "ARMATURE").object = armature
    bpy.context.view_layer.objects.active = body
    choose(saved)
    assert armature.footfall.style == "sneak" and body.footfall.style == ""


def test_presets_outlive_footfall(saved: Path) -> None:
    footfall.unregister()
    assert saved.is_file(), "it is its user's"
    footfall.register()

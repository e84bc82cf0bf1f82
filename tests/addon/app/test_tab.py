"""The tab in the sidebar: four panels, all others below them, and one of the four behind a preference."""

import bpy
import pytest

from footfall.blender_addon.activities.interaction.panel import FOOTFALL_PT_interactions
from footfall.blender_addon.ui.motion_capture_panel import FOOTFALL_PT_motion_capture
from footfall.blender_addon.ui.registry import registered_classes
from footfall.tests.addon.support.panel_layout import drawn

pytestmark = pytest.mark.every_blender


def tab() -> dict[str, type]:
    """The panels of the tab in the 3D viewport."""
    found = {cls.__name__: cls for cls in registered_classes(bpy.types.Panel) if cls.bl_space_type == "VIEW_3D"}
    return {name: cls for name, cls in found.items() if getattr(cls, "bl_category", "") == "Footfall"}


def test_four_panels_stand_at_the_top() -> None:
    top = [cls.bl_label for cls in tab().values() if not getattr(cls, "bl_parent_id", "")]
    assert sorted(top) == ["Interactions", "Locomotion", "Motion Capture", "Rig"]


def test_every_other_panel_is_below_one_of_them() -> None:
    panels = tab()
    for cls in panels.values():
        parent = getattr(cls, "bl_parent_id", "")
        assert not parent or parent in panels, f"{cls.__name__} is below {parent}, which is not there"


def test_training_tools_are_behind_a_preference(preferences: bpy.types.AddonPreferences) -> None:
    assert FOOTFALL_PT_motion_capture.poll(bpy.context)
    preferences.show_training_tools = False
    assert not FOOTFALL_PT_motion_capture.poll(bpy.context)


def test_interactions_say_that_they_need_a_character() -> None:
    assert drawn(FOOTFALL_PT_interactions) == ["Select a character, or add one under", "Locomotion"]

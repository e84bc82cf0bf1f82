"""The tab in the sidebar: three panels, all others below them, and one of the three behind a preference."""

import bpy
import pytest

from footfall.blender_addon.activities.shot.panel import FOOTFALL_PT_more
from footfall.blender_addon.ui.motion_capture_panel import FOOTFALL_PT_motion_capture
from footfall.blender_addon.ui.registry import registered_classes
from footfall.tests.addon.support.panel_layout import drawn

pytestmark = pytest.mark.every_blender


def tab() -> dict[str, type]:
    """The panels of the tab in the 3D viewport."""
    found = {cls.__name__: cls for cls in registered_classes(bpy.types.Panel) if cls.bl_space_type == "VIEW_3D"}
    return {name: cls for name, cls in found.items() if getattr(cls, "bl_category", "") == "Footfall"}


def test_three_panels_stand_at_the_top() -> None:
    top = [cls.bl_label for cls in tab().values() if not getattr(cls, "bl_parent_id", "")]
    assert sorted(top) == ["Motion Capture", "Rig", "Shot"]


def test_every_other_panel_is_below_one_of_them() -> None:
    panels = tab()
    for cls in panels.values():
        parent = getattr(cls, "bl_parent_id", "")
        assert not parent or parent in panels, f"{cls.__name__} is below {parent}, which is not there"


def test_training_tools_are_behind_a_preference(preferences: bpy.types.AddonPreferences) -> None:
    assert FOOTFALL_PT_motion_capture.poll(bpy.context)
    preferences.show_training_tools = False
    assert not FOOTFALL_PT_motion_capture.poll(bpy.context)


def test_more_says_that_it_needs_a_character() -> None:
    assert drawn(FOOTFALL_PT_more) == ["Select a character, or add one under", "Shot"]

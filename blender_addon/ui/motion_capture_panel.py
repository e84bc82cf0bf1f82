"""The panel Motion Capture, which holds the panels of labeling and training."""

from typing import Final

import bpy

from .panel_parts import FootfallPanel
from .preferences import addon_preferences


def shows_training_tools() -> bool:
    """Return whether the user wants to see the motion capture tools; true without preferences."""
    own = addon_preferences()
    return own is None or own.show_training_tools


class FOOTFALL_PT_motion_capture(FootfallPanel, bpy.types.Panel):
    """Labels of clips, and controllers trained on them; each trade has its subpanel."""

    bl_label = "Motion Capture"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return shows_training_tools()

    def draw(self, context: bpy.types.Context) -> None:
        """Draw nothing, since the subpanels draw the content."""


CLASSES: Final = (FOOTFALL_PT_motion_capture,)

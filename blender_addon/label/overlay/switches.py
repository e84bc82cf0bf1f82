"""Switches of the overlays; saved with the scene."""

import bpy

from ...ui.plain import flag
from ...ui.redraw import tag_redraw_all


def _redraw(_switches: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    tag_redraw_all()


class FOOTFALL_PG_label_overlays(bpy.types.PropertyGroup):
    """Which of a motion's labels are drawn, and where."""

    show_strip: flag(
        "Label Strip",
        "Show contacts, foot strikes, phase, gaits and activities below Timeline and Dope Sheet",
        True,
        update=_redraw,
    )
    show_footprints: flag(
        "Footprints",
        "Show the footprints of the labeled foot contacts on the ground in the viewport",
        False,
        update=_redraw,
    )
    show_trajectory: flag(
        "Trajectory",
        "Show the trajectory and facing direction of the root on the ground in the viewport",
        False,
        update=_redraw,
    )
    show_phase_dials: flag(
        "Phase Dials",
        "Show the local phase of the selected bones, or of both feet, in the viewport",
        False,
        update=_redraw,
    )

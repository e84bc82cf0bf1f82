"""Switches of the overlays; saved with the scene."""

import bpy

from ...ui.redraw import tag_redraw_all


def _redraw(_switches: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    tag_redraw_all()


class FOOTFALL_PG_label_overlays(bpy.types.PropertyGroup):
    """Which of a motion's labels are drawn, and where."""

    show_strip: bpy.props.BoolProperty(
        name="Label Strip",
        description="Show contacts, foot strikes, phase, gaits and activities below Timeline and Dope Sheet",
        default=True,
        update=_redraw,
    )
    show_footprints: bpy.props.BoolProperty(
        name="Footprints",
        description="Show the footprints on the ground in the viewport",
        default=False,
        update=_redraw,
    )
    show_trajectory: bpy.props.BoolProperty(
        name="Trajectory",
        description="Show the trajectory and facing direction of the root on the ground in the viewport",
        default=False,
        update=_redraw,
    )
    show_phase_dials: bpy.props.BoolProperty(
        name="Phase Dials",
        description="Show the local phase of the selected bones, or of both feet, in the viewport",
        default=False,
        update=_redraw,
    )

"""Drawing footprints, trajectory and phase dials in the 3D viewport."""

from typing import Final

import bpy
import gpu
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d

from ....core.motion.rotations import Array
from ...ui.colors import DARK, Color, with_opacity
from ...ui.gpu_drawing import draw_fill_batch, draw_line_batch, fill_batch, line_batch, scene_depth
from ...ui.memo import Memo
from ...ui.operator_base import active_armature
from ..strip.layout import side_of
from .dials import PhaseDials, circle
from .finding import get_overlay
from .footprints import Footprints
from .trajectory import RootTrajectory

FOOTPRINT_WINDOW_S: Final = 10.0  # seconds from the current frame beyond which footprints are left out
TRAJECTORY_COLOR: Final = (0.95, 0.85, 0.35, 0.55)
ARROW_HEIGHT_RATIO: Final = 0.004
"""Height of the current frame's arrow over the trajectory, leg lengths."""
CURRENT_ARROW_COLOR: Final = (1.0, 0.92, 0.45, 0.7)
DIAL_RADIUS_PX: Final = 20.0  # pixels, a dial's radius
DIAL_BACKGROUND_COLOR: Final = (0.05, 0.05, 0.05, 0.6)
FILL_OPACITY_RATIO: Final = 0.35
"""Opacity relative to the outline: the inside of a footprint with the foot on it."""


def labeled_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the active armature if its action has labels and the viewport shows overlays; else ``None``."""
    armature = active_armature(context)
    data = armature.animation_data if armature else None
    if data is None or data.action is None or not data.action.footfall.segments:
        return None
    return armature if context.space_data.overlay.show_overlays else None


def draw_on_ground(context: bpy.types.Context) -> None:
    """Draw footprints and trajectory in the 3D scene."""
    switches = context.scene.footfall_label_overlays
    armature = labeled_armature(context)
    if armature is None or not (switches.show_footprints or switches.show_trajectory):
        return
    frame = context.scene.frame_current
    first = armature.animation_data.action.footfall.first_frame
    with scene_depth(writes=False):  # hidden by bodies, but not by itself
        if switches.show_trajectory and isinstance(way := get_overlay(armature, "trajectory"), RootTrajectory):
            _draw_trajectory(way, frame - first)
        if switches.show_footprints and isinstance(prints := get_overlay(armature, "footprints"), Footprints):
            _draw_footprints(prints, frame)


_trajectory_batches: Memo[gpu.types.GPUBatch] = Memo()
"""The last drawn trajectory: it only changes with the labels."""


def free_gpu_resources() -> None:
    """Free the buffers in GPU memory."""
    _trajectory_batches.clear()


def _draw_trajectory(trajectory: RootTrajectory, frame: int) -> None:
    draw_line_batch(_trajectory_batches.get(trajectory, lambda: _trajectory_batch(trajectory)), 2.0)
    here = trajectory.arrows_at(np.array([min(max(frame, 0), len(trajectory.points) - 1)]), size=1.4)
    here[..., 2] += ARROW_HEIGHT_RATIO * trajectory.leg_length
    _fill(here.reshape(-1, 3), np.tile(np.array(CURRENT_ARROW_COLOR, np.float32), (3, 1)))


def _trajectory_batch(trajectory: RootTrajectory) -> gpu.types.GPUBatch:
    heads = trajectory.arrows()[:, [0, 1, 1, 2]]
    points = np.concatenate([trajectory.line_segments().reshape(-1, 3), heads.reshape(-1, 3)])
    return line_batch(points, np.tile(np.array(TRAJECTORY_COLOR, np.float32), (len(points), 1)))


def _draw_footprints(footprints: Footprints, frame: int) -> None:
    reach = FOOTPRINT_WINDOW_S * footprints.rate
    near = np.flatnonzero((footprints.starts < frame + reach) & (footprints.ends > frame - reach))
    if not len(near):
        return
    sides = np.array([DARK.side_color(footprints.sides[number]) for number in near], dtype=np.float32)
    colours = sides.copy()
    colours[:, 3] = footprints.opacity(frame)[near]
    lines = footprints.outline_segments()[near]
    vertices = lines.shape[1] * 2
    draw_line_batch(line_batch(lines.reshape(-1, 3), np.repeat(colours, vertices, axis=0)), 2.0)
    standing = (footprints.starts[near] <= frame) & (frame <= footprints.ends[near])
    if standing.any():
        outlines = footprints.outlines[near][standing]
        fans = np.stack([np.broadcast_to(outlines.mean(axis=1)[:, None], outlines.shape), outlines], axis=2)
        triangles = np.concatenate([fans, np.roll(outlines, -1, axis=1)[:, :, None]], axis=2).reshape(-1, 3)
        inside = np.repeat(colours[standing] * (1, 1, 1, FILL_OPACITY_RATIO), outlines.shape[1] * 3, axis=0)
        _fill(triangles, inside)


def draw_dials(context: bpy.types.Context) -> None:
    """Draw a dial beside each selected bone, in pixels of the region."""
    armature = labeled_armature(context)
    if armature is None or not context.scene.footfall_label_overlays.show_phase_dials:
        return
    dials = get_overlay(armature, "dials")
    if not isinstance(dials, PhaseDials):
        return
    gpu.state.blend_set("ALPHA")
    hands = dials.vectors_at(context.scene.frame_current)
    selected = {bone.name for bone in context.selected_pose_bones or ()}
    middle = _bone_on_screen(context, armature, armature.pose.bones[0])
    for number in dials.visible_joints(selected):
        bone = armature.pose.bones.get(dials.bones[number])
        place = None if bone is None else _bone_on_screen(context, armature, bone)
        if place is not None:
            # Beside the bone, away from the body, so that both stay visible.
            outward = -1.0 if middle is not None and place[0] < middle[0] else 1.0
            colour = DARK.side_color(side_of(dials.joints[number], ""))
            _draw_dial(context, place, outward, hands[number], colour)
    gpu.state.blend_set("NONE")


def _bone_on_screen(context: bpy.types.Context, armature: bpy.types.Object, bone: bpy.types.PoseBone) -> Array | None:
    """Return the head of a bone in pixels of the region; ``None`` if it is behind the camera."""
    place = location_3d_to_region_2d(context.region, context.region_data, armature.matrix_world @ bone.head)
    return None if place is None else np.array(place)


def _draw_dial(context: bpy.types.Context, place: Array, outward: float, hand: Array, color: Color) -> None:
    scale = context.preferences.system.ui_scale
    radius = DIAL_RADIUS_PX * scale
    centre = place + np.array([1.6 * radius * outward, 0.0])
    rim = circle(centre, radius)
    after = np.roll(rim, -1, axis=0)
    fan = np.stack([np.broadcast_to(centre, rim.shape), rim, after], axis=1).reshape(-1, 2)
    _fill(_to_3d(fan), np.tile(np.array(DIAL_BACKGROUND_COLOR, np.float32), (len(fan), 1)))
    _stroke(_to_3d(np.stack([rim, after], axis=1).reshape(-1, 2)), with_opacity(color, 0.8), 1.5 * scale)
    _stroke(_to_3d(np.stack([place, place + (centre - place) * 0.4])), with_opacity(color, 0.5), 1.0 * scale)
    _stroke(_to_3d(np.stack([centre, centre + 0.9 * radius * hand])), color, 3.0 * scale)


def _to_3d(places: Array) -> Array:
    return np.column_stack([places, np.zeros(len(places))])


def _fill(points: Array, colors: Array) -> None:
    draw_fill_batch(fill_batch(points, colors))


def _stroke(points: Array, color: Color, width: float) -> None:
    draw_line_batch(line_batch(points, np.tile(np.array(color, np.float32), (len(points), 1))), width)

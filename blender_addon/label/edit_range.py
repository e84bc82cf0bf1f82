"""The frame range edited by a button of the Label panel."""

import bpy
import numpy as np

from ..animation.fcurve_io.curves import curves_of
from ..animation.fcurve_io.slots import slot_for


def edit_range(armature: bpy.types.Object, action: bpy.types.Action, scene: bpy.types.Scene) -> tuple[int, int]:
    """Return the range of frames to edit.

    It lies between the selected keys or pose markers; without any, it is the preview range, else the current frame. If
    all keys are selected, as after an import, the selection is ignored.
    """
    frames = [*selected_keys(armature, action), *(marker.frame for marker in action.pose_markers if marker.select)]
    if frames:
        return round(min(frames)), round(max(frames))
    if scene.use_preview_range:
        return scene.frame_preview_start, scene.frame_preview_end
    return scene.frame_current, scene.frame_current


def selected_keys(armature: bpy.types.Object, action: bpy.types.Action) -> list[float]:
    """Return the first and last frame of the selected keys; empty if no keys or all keys are selected."""
    slot = slot_for(armature, action)
    times, selections = [], []
    for curve in (curves_of(action, slot) if slot else {}).values():
        points = curve.keyframe_points
        selected = np.empty(len(points), dtype=bool)
        points.foreach_get("select_control_point", selected)
        selections.append(selected)
        if selected.any():
            keys = np.empty(2 * len(points), dtype=np.float32)
            points.foreach_get("co", keys)
            times.append(keys[0::2][selected])
    if not times or all(selected.all() for selected in selections):
        return []
    chosen = np.concatenate(times)
    return [float(chosen.min()), float(chosen.max())]

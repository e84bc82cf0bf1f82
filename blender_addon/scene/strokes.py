"""Hand-drawn strokes of grease pencil objects and annotations, as lines in the world."""

from collections.abc import Iterator

import bpy
import numpy as np

from ...core.motion.rotations import Array
from ..compat import annotation_data
from ..units import to_meters


def read_strokes(pencil: bpy.types.Object) -> list[Array]:
    """Return the world points (N, 3) of each visible grease pencil stroke; closed strokes repeat their start."""
    lines: list[Array] = []
    for layer in pencil.data.layers:
        frame = None if layer.hide else layer.current_frame()
        if frame is None:
            continue
        world = to_meters(pencil.matrix_world @ layer.matrix_local)
        for stroke in frame.drawing.strokes:
            points = np.array([point.position[:] for point in stroke.points], dtype=float).reshape(-1, 3)
            placed = points @ world[:3, :3].T + world[:3, 3]
            lines.append(np.concatenate([placed, placed[:1]]) if stroke.cyclic else placed)
    return lines


def newest_annotation(scene: bpy.types.Scene) -> Array | None:
    """Return the world points (N, 3) of the latest visible stroke of a scene's annotations; ``None`` without any.

    Strokes are visible in the current frame of visible layers.
    """
    strokes = list(_annotated(scene))
    if not strokes:
        return None
    return np.array([point.co[:] for point in strokes[-1].points], dtype=float).reshape(-1, 3)


def _annotated(scene: bpy.types.Scene) -> Iterator[bpy.types.bpy_struct]:
    """Yield the annotation strokes drawn in the 3D view."""
    notes = annotation_data(scene)
    for layer in notes.layers if notes is not None else ():
        shown = [frame for frame in layer.frames if frame.frame_number <= scene.frame_current]
        if shown and not layer.annotation_hide:
            last = max(shown, key=lambda frame: frame.frame_number)
            yield from (one for one in last.strokes if one.display_mode == "3DSPACE" and len(one.points) > 1)

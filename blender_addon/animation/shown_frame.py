"""Reading of a scene at a frame other than the shown one."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy


@contextmanager
def shown_at(scene: bpy.types.Scene, frame: int) -> Iterator[None]:
    """Show a scene frame during the body and return to the previous frame; do nothing if it is already shown."""
    now, part = scene.frame_current, scene.frame_subframe
    if (now, part) == (frame, 0.0):
        yield
        return
    scene.frame_set(frame)
    try:
        yield
    finally:
        scene.frame_set(now, subframe=part)

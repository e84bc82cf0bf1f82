"""Showing a preview in every 3D viewport: which frame it is at, and drawing it."""

import time
from typing import Final

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ....core.message import Message
from ....core.motion.rotations import UP
from ...rig.figure import BodyMesh
from ...ui.viewport_preview import ViewportPreview, draw_headline
from .rollout import PreviewWalk

LOOP_PAUSE_S: Final = 0.6
"""Seconds at the end, before the walk begins anew."""
PATH_HEIGHT_M: Final = 0.01
"""Metres by which the path is drawn over the ground."""
PATH_COLOR: Final = (1.0, 0.75, 0.2, 0.9)


class RunPreview(ViewportPreview):
    """A preview that is being shown; it hangs on no data of the file."""

    def __init__(self, preview_walk: PreviewWalk) -> None:
        super().__init__()
        self.preview_walk = preview_walk
        self.body_mesh = BodyMesh.of(preview_walk.clip.skeleton)
        self.loop_started_at = time.monotonic()

    def frame_at(self, now: float) -> int:
        """Return the frame that is shown at a time (``time.monotonic``): from the first to the last, then anew."""
        clip = self.preview_walk.clip
        passed = (now - self.loop_started_at) % (clip.duration + LOOP_PAUSE_S)
        return min(int(passed * clip.rate), len(clip) - 1)

    def draw_scene(self) -> None:
        """Draw path and body into the scene, behind what is before them."""
        gpu.state.depth_test_set("LESS_EQUAL")
        gpu.state.depth_mask_set(True)
        gpu.state.blend_set("ALPHA")
        way = (self.preview_walk.path_points + PATH_HEIGHT_M * UP).astype(np.float32)
        shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
        shader.bind()
        shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
        shader.uniform_float("lineWidth", 2.0)
        shader.uniform_float("color", PATH_COLOR)
        batch_for_shader(shader, "LINE_STRIP", {"pos": way}).draw(shader)
        places, colours = self.body_mesh.posed_vertices(self.preview_walk.clip, self.frame_at(time.monotonic()))
        shader = gpu.shader.from_builtin("SMOOTH_COLOR")
        content = {"pos": places, "color": colours}
        batch_for_shader(shader, "TRIS", content, indices=self.body_mesh.triangles).draw(shader)
        gpu.state.blend_set("NONE")
        gpu.state.depth_mask_set(False)
        gpu.state.depth_test_set("NONE")

    def draw_text(self) -> None:
        """Say what is shown."""
        draw_headline(
            Message(
                "Preview of {title}: {quality}   |   Esc ends it",
                title=self.preview_walk.title,
                quality=self.preview_walk.quality,
            )
        )

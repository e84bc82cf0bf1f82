"""Showing a preview in every 3D viewport: which frame it is at, and drawing it."""

import time
from typing import Final

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ....core.motion.rotations import UP
from ...rig.figure import Figure
from ...ui.viewport_preview import ShownPreview, draw_headline
from .rollout import Preview

PAUSE: Final = 0.6
"""Seconds at the end, before the walk begins anew."""
LIFT: Final = 0.01
"""Metres by which the path is drawn over the ground."""
WAY: Final = (1.0, 0.75, 0.2, 0.9)


class Showing(ShownPreview):
    """A preview that is being shown; it hangs on no data of the file."""

    def __init__(self, preview: Preview) -> None:
        super().__init__()
        self.preview = preview
        self.figure = Figure.of(preview.clip.skeleton)
        self.begun = time.monotonic()

    def frame(self, now: float) -> int:
        """The frame that is shown at a time (``time.monotonic``): from the first to the last, then anew."""
        clip = self.preview.clip
        passed = (now - self.begun) % (clip.duration + PAUSE)
        return min(int(passed * clip.rate), len(clip) - 1)

    def draw_scene(self) -> None:
        """Draws path and body into the scene, behind what is before them."""
        gpu.state.depth_test_set("LESS_EQUAL")
        gpu.state.depth_mask_set(True)
        gpu.state.blend_set("ALPHA")
        way = (self.preview.way + LIFT * UP).astype(np.float32)
        shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
        shader.bind()
        shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
        shader.uniform_float("lineWidth", 2.0)
        shader.uniform_float("color", WAY)
        batch_for_shader(shader, "LINE_STRIP", {"pos": way}).draw(shader)
        places, colours = self.figure.at(self.preview.clip, self.frame(time.monotonic()))
        shader = gpu.shader.from_builtin("SMOOTH_COLOR")
        content = {"pos": places, "color": colours}
        batch_for_shader(shader, "TRIS", content, indices=self.figure.triangles).draw(shader)
        gpu.state.blend_set("NONE")
        gpu.state.depth_mask_set(False)
        gpu.state.depth_test_set("NONE")

    def draw_text(self) -> None:
        """Says what is shown."""
        draw_headline(f"Preview of {self.preview.title}: {self.preview.quality}   |   Esc ends it")

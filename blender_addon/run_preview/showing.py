"""Showing a preview in every 3D viewport: which frame it is at, and drawing it."""

import sys
import time
import traceback
from typing import Final

import blf
import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ...core.motion.rotations import UP
from ..redraw import redraw
from .figure import Figure
from .walking import Preview

PAUSE: Final = 0.6
"""Seconds at the end, before the walk begins anew."""
LIFT: Final = 0.01
"""Metres by which the path is drawn over the ground."""
WAY: Final = (1.0, 0.75, 0.2, 0.9)
TEXT: Final = (1.0, 1.0, 1.0, 1.0)
SHADOW: Final = (0.0, 0.0, 0.0, 0.8)
SIZE: Final = 13.0
FONT: Final = 0


class Showing:
    """A preview that is being shown; it hangs on no data of the file."""

    def __init__(self, preview: Preview) -> None:
        self.preview = preview
        self.figure = Figure.of(preview.clip.skeleton)
        self.begun = time.monotonic()
        self._handles: list[object] = []

    def start(self) -> None:
        """Begins to draw, where Blender has windows."""
        if bpy.app.background:
            return
        for draw, when in ((self.draw_walk, "POST_VIEW"), (self.draw_text, "POST_PIXEL")):
            self._handles.append(bpy.types.SpaceView3D.draw_handler_add(self._guarded, (draw,), "WINDOW", when))

    def stop(self) -> None:
        """Draws no more."""
        while self._handles:
            bpy.types.SpaceView3D.draw_handler_remove(self._handles.pop(), "WINDOW")
        redraw()

    def frame(self, now: float) -> int:
        """The frame that is shown at a time (``time.monotonic``): from the first to the last, then anew."""
        clip = self.preview.clip
        passed = (now - self.begun) % (clip.duration + PAUSE)
        return min(int(passed * clip.rate), len(clip) - 1)

    def _guarded(self, draw) -> None:
        """Draws, or, after an error, says so once and never draws again: a broken overlay must not fill the console."""
        try:
            draw()
        except Exception:
            traceback.print_exc()
            print("Footfall: the preview is switched off after this error.", file=sys.stderr)
            self.stop()

    def draw_walk(self) -> None:
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
        """Says what is shown, at the upper edge."""
        context = bpy.context
        scale = context.preferences.system.ui_scale
        text = f"Preview of {self.preview.title}: {self.preview.quality}   |   Esc ends it"
        blf.size(FONT, SIZE * scale)
        x = (context.region.width - blf.dimensions(FONT, text)[0]) / 2
        y = context.region.height - 90 * scale
        for colour, shift in ((SHADOW, scale), (TEXT, 0.0)):
            blf.color(FONT, *colour)
            blf.position(FONT, x + shift, y - shift, 0.0)
            blf.draw(FONT, text)

"""What previews have in common that are drawn into every 3D viewport: beginning, ending, errors, a line of text."""

import sys
import traceback
from collections.abc import Callable
from typing import Final

import blf
import bpy

from .redraw import redraw

TEXT: Final = (1.0, 1.0, 1.0, 1.0)
SHADOW: Final = (0.0, 0.0, 0.0, 0.8)
SIZE: Final = 13.0
FONT: Final = 0
BELOW: Final = 90.0
"""Pixels from a viewport's upper edge to the line of text."""


class ShownPreview:
    """A preview that is being shown; it hangs on no data of the file."""

    def __init__(self) -> None:
        self._handles: list[object] = []

    def start(self) -> None:
        """Begins to draw, where Blender has windows."""
        if bpy.app.background:
            return
        for draw, when in ((self.draw_scene, "POST_VIEW"), (self.draw_text, "POST_PIXEL")):
            self._handles.append(bpy.types.SpaceView3D.draw_handler_add(self._guarded, (draw,), "WINDOW", when))

    def stop(self) -> None:
        """Draws no more."""
        while self._handles:
            bpy.types.SpaceView3D.draw_handler_remove(self._handles.pop(), "WINDOW")
        redraw()

    def draw_scene(self) -> None:
        """Draws into the scene, behind what is before it."""
        raise NotImplementedError

    def draw_text(self) -> None:
        """Draws over the viewport."""
        raise NotImplementedError

    def _guarded(self, draw: Callable[[], None]) -> None:
        """Draws, or, after an error, says so once and never draws again: a broken overlay must not fill the console."""
        try:
            draw()
        except Exception:
            traceback.print_exc()
            print("Footfall: the preview is switched off after this error.", file=sys.stderr)
            self.stop()


def draw_headline(text: str) -> None:
    """A line of text at the viewport's upper edge, in the middle."""
    context = bpy.context
    scale = context.preferences.system.ui_scale
    blf.size(FONT, SIZE * scale)
    x = (context.region.width - blf.dimensions(FONT, text)[0]) / 2
    y = context.region.height - BELOW * scale
    for colour, shift in ((SHADOW, scale), (TEXT, 0.0)):
        blf.color(FONT, *colour)
        blf.position(FONT, x + shift, y - shift, 0.0)
        blf.draw(FONT, text)

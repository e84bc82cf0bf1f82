"""Common code of previews drawn into every 3D viewport: beginning, ending, errors, a line of text."""

import sys
import traceback
from collections.abc import Callable
from typing import Final

import blf
import bpy

from .redraw import tag_redraw_all
from .translations import translate_interface

TEXT_COLOR: Final = (1.0, 1.0, 1.0, 1.0)
SHADOW_COLOR: Final = (0.0, 0.0, 0.0, 0.8)
TEXT_SIZE_PX: Final = 13.0
FONT_ID: Final = 0
TOP_MARGIN_PX: Final = 90.0
"""Pixels from a viewport's upper edge to the line of text."""


class ViewportPreview:
    """A preview that is being shown; it hangs on no data of the file."""

    def __init__(self) -> None:
        self._handles: list[object] = []

    def start(self) -> None:
        """Begin to draw, where Blender has windows."""
        if bpy.app.background:
            return
        for draw, when in ((self.draw_scene, "POST_VIEW"), (self.draw_text, "POST_PIXEL")):
            self._handles.append(bpy.types.SpaceView3D.draw_handler_add(self._draw_guarded, (draw,), "WINDOW", when))

    def stop(self) -> None:
        """Draw no more."""
        while self._handles:
            bpy.types.SpaceView3D.draw_handler_remove(self._handles.pop(), "WINDOW")
        tag_redraw_all()

    def draw_scene(self) -> None:
        """Draw into the scene, behind what is before it."""
        raise NotImplementedError

    def draw_text(self) -> None:
        """Draw over the viewport."""
        raise NotImplementedError

    def _draw_guarded(self, draw: Callable[[], None]) -> None:
        """Draw, or, after an error, say so once and never draw again: a broken overlay must not fill the console."""
        try:
            draw()
        except Exception:
            traceback.print_exc()
            print("Footfall: the preview is switched off after this error.", file=sys.stderr)
            self.stop()


def draw_headline(text: str) -> None:
    """Draw a line of text, in the user's language, at the viewport's upper edge, in the middle."""
    context, text = bpy.context, translate_interface(text)
    scale = context.preferences.system.ui_scale
    blf.size(FONT_ID, TEXT_SIZE_PX * scale)
    x = (context.region.width - blf.dimensions(FONT_ID, text)[0]) / 2
    y = context.region.height - TOP_MARGIN_PX * scale
    for colour, shift in ((SHADOW_COLOR, scale), (TEXT_COLOR, 0.0)):
        blf.color(FONT_ID, *colour)
        blf.position(FONT_ID, x + shift, y - shift, 0.0)
        blf.draw(FONT_ID, text)

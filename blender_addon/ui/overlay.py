"""Drawing in an editor's regions, switched off after an error."""

import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import bpy
import gpu

from ..units import meters_per_unit
from .redraw import tag_redraw_all

DrawFunction = Callable[[bpy.types.Context], None]


class Overlay:
    """Functions that Blender calls whenever it draws the regions of an editor.

    Args:
        name: for the message after an error, such as ``"ground"``.
        draws: each function and when it is called: ``"POST_VIEW"`` in world space, ``"POST_PIXEL"`` in pixels.
        space: the type of the editors.
        free: called when the drawing stops, to free memory of the graphics card.
        in_meters: whether world space is drawn in meters, and not in the scene's units.
    """

    def __init__(
        self,
        name: str,
        draws: Sequence[tuple[DrawFunction, str]],
        space: Any = bpy.types.SpaceView3D,
        free: Callable[[], None] = lambda: None,
        in_meters: bool = False,
    ) -> None:
        self.name = name
        self.draws = tuple(draws)
        self.space = space
        self.free = free
        self.in_meters = in_meters
        self._handles: list[object] = []

    @property
    def is_drawing(self) -> bool:
        """True while the draw functions are registered with Blender."""
        return bool(self._handles)

    def start(self) -> None:
        """Register the draw functions, once; do nothing without windows."""
        if self._handles or bpy.app.background:
            return
        for draw, when in self.draws:
            self._handles.append(self.space.draw_handler_add(self.draw_guarded, (draw, when), "WINDOW", when))

    def stop(self) -> None:
        """Remove the draw functions and free their GPU memory."""
        self.free()
        while self._handles:
            self.space.draw_handler_remove(self._handles.pop(), "WINDOW")
        tag_redraw_all()

    def draw_guarded(self, draw: DrawFunction, when: str) -> None:
        """Call a draw function; report its first error and stop the overlay, to avoid flooding the console."""
        try:
            if self.in_meters and when == "POST_VIEW":
                with gpu.matrix.push_pop():
                    gpu.matrix.scale_uniform(1.0 / meters_per_unit())
                    draw(bpy.context)
            else:
                draw(bpy.context)
        except Exception:
            traceback.print_exc()
            print(f"Footfall: the overlay '{self.name}' is switched off after this error.", file=sys.stderr)
            self.stop()

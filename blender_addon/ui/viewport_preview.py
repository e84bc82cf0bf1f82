"""Previews drawn into every 3D viewport: one of each kind is shown at a time, until Esc or an error."""

from typing import ClassVar, Final, Generic, TypeVar

import bpy
from bpy.app.handlers import persistent

from .gpu_drawing import draw_text, text_width
from .hidden_bodies import hide_body, show_body
from .overlay import Overlay
from .redraw import tag_redraw_all
from .translations import translate_interface

SHADOW_COLOR: Final = (0.0, 0.0, 0.0, 0.8)
TEXT_SIZE_PX: Final = 13.0
TICK_INTERVAL_S: Final = 1 / 30
TOP_MARGIN_PX: Final = 90.0
"""Pixels from a viewport's upper edge to the line of text."""


class ViewportPreview:
    """An active preview; it keeps no references to data of the file.

    Attributes:
        in_meters: whether it draws into the scene in meters, and not in the scene's units.
    """

    in_meters: ClassVar[bool] = True

    def __init__(self) -> None:
        draws = ((lambda _context: self.draw_scene(), "POST_VIEW"), (lambda _context: self.draw_text(), "POST_PIXEL"))
        self._overlay = Overlay("preview", draws, in_meters=self.in_meters)
        self._hidden: tuple[str, ...] = ()

    def start(self) -> None:
        """Start drawing, unless Blender runs without windows."""
        self._overlay.start()

    def stop(self) -> None:
        """Stop drawing."""
        self._overlay.stop()
        self.hide_bodies()

    def hide_bodies(self, *armature_names: str) -> None:
        """Hide the meshes of exactly these armatures while ghosts are drawn in their place."""
        if armature_names == self._hidden:
            return
        before, self._hidden = self._hidden, armature_names
        for name in before:
            show_body(name)
        for name in armature_names:
            hide_body(name)

    def tick(self) -> None:
        """Compute the next part of the preview; called by a :class:`TickingSlot`."""
        raise NotImplementedError

    def note_changes(self, depsgraph: bpy.types.Depsgraph) -> None:
        """Record relevant changes in the scene; called by a :class:`TickingSlot`."""
        raise NotImplementedError

    def draw_scene(self) -> None:
        """Draw into the 3D scene, hidden by objects in front."""
        raise NotImplementedError

    def draw_text(self) -> None:
        """Draw text over the viewport."""
        raise NotImplementedError


Preview = TypeVar("Preview", bound=ViewportPreview)


class PreviewSlot(Generic[Preview]):
    """The one visible preview of a kind, if any."""

    def __init__(self) -> None:
        self.preview: Preview | None = None

    def show(self, preview: Preview) -> None:
        """Show a preview, replacing the current one."""
        self.stop()
        self.preview = preview
        preview.start()

    def stop(self) -> None:
        """End the current preview."""
        preview, self.preview = self.preview, None
        if preview is not None:
            preview.stop()


class TickingSlot(PreviewSlot[Preview]):
    """The one visible preview of a kind that updates itself after changes of the file."""

    def __init__(self) -> None:
        super().__init__()

        def tick() -> float | None:
            if self.preview is None:
                return None
            self.preview.tick()
            tag_redraw_all()
            return TICK_INTERVAL_S

        @persistent
        def note(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
            if self.preview is not None:
                self.preview.note_changes(depsgraph)
                tag_redraw_all()

        self._tick, self._note = tick, note

    def show(self, preview: Preview) -> None:
        """Show a preview, replacing the current one, and keep it up to date."""
        super().show(preview)
        bpy.app.handlers.depsgraph_update_post.append(self._note)
        bpy.app.timers.register(self._tick)

    def stop(self) -> None:
        """End the current preview."""
        if self.preview is not None:
            bpy.app.handlers.depsgraph_update_post.remove(self._note)
            if bpy.app.timers.is_registered(self._tick):
                bpy.app.timers.unregister(self._tick)
        super().stop()


class PreviewModal:
    """A mix-in for operators that keep a preview moving until Esc ends it.

    Attributes:
        slot: the slot of the preview.
        tick_interval: seconds between ticks.
        status: text to show in the status bar while the preview runs.
    """

    slot: PreviewSlot
    tick_interval: float = 1 / 30
    status: str

    def start_ticking(self, context: bpy.types.Context) -> None:
        """Start the timer and show the status text."""
        self.timer = context.window_manager.event_timer_add(self.tick_interval, window=context.window)
        context.workspace.status_text_set(translate_interface(self.status))

    def stop_ticking(self, context: bpy.types.Context) -> None:
        """End the preview and its timer, and clear the status text."""
        self.slot.stop()
        context.window_manager.event_timer_remove(self.timer)
        context.workspace.status_text_set(None)
        tag_redraw_all()

    def ends_preview(self, event: bpy.types.Event) -> bool:
        """Return whether the preview ends, because of Esc or because it was stopped elsewhere."""
        return self.slot.preview is None or (event.type == "ESC" and event.value == "PRESS")


def draw_headline(text: str) -> None:
    """Draw a line of text in the user's language, centered at the top of the viewport."""
    context, text = bpy.context, translate_interface(text)
    scale = context.preferences.system.ui_scale
    size = TEXT_SIZE_PX * scale
    x = (context.region.width - text_width(text, size)) / 2
    y = context.region.height - TOP_MARGIN_PX * scale
    draw_text(text, x + scale, y - scale, size, SHADOW_COLOR)
    draw_text(text, x, y, size)

"""State of the mouse in the strip, for drawing; it is not saved."""

from dataclasses import dataclass
from typing import ClassVar

from .gestures import Edit
from .layout import Hit
from .shown import StripLabels


@dataclass(frozen=True, slots=True)
class HighlightRange:
    """Painted frames of a row, both ends included."""

    bottom: float
    height: float
    start: int
    end: int


class EditState:
    """State of the edit mode, once per Blender."""

    running: ClassVar[bool] = False
    end_requested: ClassVar[bool] = False
    area_pointer: ClassVar[int] = 0
    """The editor under the mouse, as a pointer."""
    hovered_hit: ClassVar[Hit | None] = None
    highlight: ClassVar[HighlightRange | None] = None
    preview: ClassVar[StripLabels | None] = None
    """The labels after a release of the mouse at its current place."""
    note: ClassVar[tuple[float, float, str] | None] = None
    """A remark beside the mouse: x, y in the region, text."""

    choices: ClassVar[tuple[tuple[str, Edit], ...]] = ()
    """The choices of the last opened menu: texts and edits."""

    @classmethod
    def begin(cls) -> None:
        """Begin the edit mode."""
        cls.running, cls.end_requested = True, False
        cls.forget_mouse()

    @classmethod
    def request_end(cls) -> None:
        """Ask the edit mode to end at the next event."""
        cls.end_requested = True

    @classmethod
    def end(cls) -> None:
        """End the edit mode."""
        cls.running = cls.end_requested = False
        cls.forget_mouse()

    @classmethod
    def forget_mouse(cls) -> None:
        """Forget the item under the mouse and the drag."""
        cls.area_pointer, cls.hovered_hit, cls.highlight, cls.preview, cls.note = 0, None, None, None, None

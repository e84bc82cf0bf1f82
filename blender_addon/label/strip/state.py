"""State of the mouse in the strip, for the drawing; nothing of it is kept with the file."""

from dataclasses import dataclass
from typing import ClassVar

from .gestures import Edit
from .layout import Hit
from .shown import StripLabels


@dataclass(frozen=True, slots=True)
class HighlightRange:
    """Frames of a row that the mouse has been drawn over; both ends are in it."""

    bottom: float
    height: float
    start: int
    end: int


class EditState:
    """The one edit mode of this Blender."""

    running: ClassVar[bool] = False
    end_requested: ClassVar[bool] = False
    area_pointer: ClassVar[int] = 0
    """The editor that the mouse is in, as a pointer."""
    hovered_hit: ClassVar[Hit | None] = None
    highlight: ClassVar[HighlightRange | None] = None
    preview: ClassVar[StripLabels | None] = None
    """The labels as they would be were the mouse let go now."""
    note: ClassVar[tuple[float, float, str] | None] = None
    """A remark beside the mouse: x, y in the region, text."""

    choices: ClassVar[tuple[tuple[str, Edit], ...]] = ()
    """The choices of the menu that was opened last: texts and edits."""

    @classmethod
    def forget_mouse(cls) -> None:
        """Nothing is under the mouse and nothing is dragged."""
        cls.area_pointer, cls.hovered_hit, cls.highlight, cls.preview, cls.note = 0, None, None, None, None

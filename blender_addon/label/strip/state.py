"""What the mouse is doing in the strip, for the drawing; nothing of it is kept with the file."""

from dataclasses import dataclass
from typing import ClassVar

from .gestures import Edit
from .layout import Hit
from .shown import Shown


@dataclass(frozen=True, slots=True)
class Range:
    """Frames of a row that the mouse has been drawn over; both ends are in it."""

    bottom: float
    height: float
    start: int
    end: int


class Editing:
    """The one edit mode of this Blender."""

    running: ClassVar[bool] = False
    asked_to_end: ClassVar[bool] = False
    area: ClassVar[int] = 0
    """The editor that the mouse is in, as a pointer."""
    hover: ClassVar[Hit | None] = None
    range: ClassVar[Range | None] = None
    preview: ClassVar[Shown | None] = None
    """The labels as they would be were the mouse let go now."""
    note: ClassVar[tuple[float, float, str] | None] = None
    """A remark beside the mouse: x, y in the region, text."""

    choices: ClassVar[tuple[tuple[str, Edit], ...]] = ()
    """What the menu that was opened last offers: texts and edits."""

    @classmethod
    def forget_mouse(cls) -> None:
        """Nothing is under the mouse and nothing is dragged."""
        cls.area, cls.hover, cls.range, cls.preview, cls.note = 0, None, None, None, None

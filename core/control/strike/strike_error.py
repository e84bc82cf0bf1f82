"""The error of a strike that misses its target or frame."""

from math import ceil
from typing import Final, Self

from ...errors import FootfallError
from ...message import Message

FRAME_FIELDS: Final = frozenset({"frame", "before", "after"})
"""Fields of a strike's message whose values are frames; *count* is a number of frames."""


class StrikeError(FootfallError):
    """The error of a strike that misses its target or frame; the message gives the error.

    Frames in the field *frame* and those of :func:`by_frames` are at the controller's rate, or at the scene's after
    :meth:`retold`.
    """

    def retold(self, **fields: object) -> Self:
        """Return the same error with some of its message's fields replaced, such as frames at another rate."""
        return type(self)(self.template, **{**self.fields, **fields})


def by_frames(count: int) -> dict[str, object]:
    """Return the message fields for a number of frames: *frames*, the number with its unit, and *count*, the number."""
    return {"count": count, "frames": Message("1 frame") if count == 1 else Message("{count} frames", count=count)}


def retimed(told: str, start: float, ratio: float = 1.0) -> Message:
    """Return an error message about strikes with its frame numbers converted to another frame rate and start.

    Args:
        told: the message, in the old frames.
        start: new frame number of the old frame 0.
        ratio: new frames per old frame.
    """
    told = Message(told)
    fields = dict(told.fields)
    for name in FRAME_FIELDS & fields.keys():
        fields[name] = round(start + fields[name] * ratio)
    if "count" in fields:
        fields |= by_frames(ceil(fields["count"] * ratio - 1e-6))
    return Message(told.template, **fields)

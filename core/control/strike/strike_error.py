"""The error of a strike that misses its target or frame."""

from typing import Self

from ...errors import FootfallError
from ...message import Message


class StrikeError(FootfallError):
    """A strike that misses its target or frame; the message says which, and by how much.

    Frames in the field *frame* and those of :func:`by_frames` are at the controller's rate, or at the scene's after
    :meth:`retold`.
    """

    def retold(self, **fields: object) -> Self:
        """Return the same error with some of its message's fields replaced, such as frames at another rate."""
        return type(self)(self.template, **{**self.fields, **fields})


def by_frames(count: int) -> dict[str, object]:
    """Return the fields of an error's message about a number of frames: the text *frames* and the number *count*."""
    return {"count": count, "frames": Message("1 frame") if count == 1 else Message("{count} frames", count=count)}

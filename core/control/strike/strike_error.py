"""The error of a strike that cannot be met."""

from typing import Self

from ...errors import FootfallError
from ...message import Message


class StrikeError(FootfallError):
    """A strike that cannot be met: the message names its frame, usually its end effector, and by how much it fails.

    The fields *frame* and those of :func:`by_frames` are at the controller's rate, or at the scene's after
    :meth:`retold`.
    """

    def retold(self, **fields: object) -> Self:
        """Return the same error with some fields replaced, for example with frames in other units."""
        return type(self)(self.template, **{**self.fields, **fields})


def by_frames(count: int) -> dict[str, object]:
    """Return the fields of an error that tell a number of frames: the text *frames* and the number *count*."""
    return {"count": count, "frames": Message("1 frame") if count == 1 else Message("{count} frames", count=count)}

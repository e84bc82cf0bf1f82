"""The error of a strike that cannot be met."""

from typing import Self

from ...errors import FootfallError
from ...message import Message


class StrikeError(FootfallError):
    """A strike cannot be met: the sentence names its frame, usually its end effector, and the amount of the failure.

    The fields *frame* and those of :func:`by_frames` are at the controller's rate, or the scene's after :meth:`retold`.
    """

    def retold(self, **fields: object) -> Self:
        """Return the same sentence with other fields, in the units of the order."""
        return type(self)(self.template, **{**self.fields, **fields})


def by_frames(count: int) -> dict[str, object]:
    """Return the fields of an error of a number of frames: its words, *frames*, and its *count*."""
    return {"count": count, "frames": Message("1 frame") if count == 1 else Message("{count} frames", count=count)}

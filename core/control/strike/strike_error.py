"""The error of a strike that cannot be met."""

from typing import Self

from ...errors import FootfallError
from ...message import Message


class StrikeError(FootfallError):
    """A strike cannot be met: the sentence names its frame, mostly its end effector, and by how much it fails.

    The fields *frame* and those of :func:`by_frames` are of the controller, or of the scene after :meth:`retold`.
    """

    def retold(self, **fields: object) -> Self:
        """Return the same sentence with other fields, in the units of the order."""
        return type(self)(self.template, **{**self.fields, **fields})


def by_frames(count: int) -> dict[str, object]:
    """Return the fields of an error that is a number of frames off: these in words, *frames*, and their *count*."""
    return {"count": count, "frames": Message("1 frame") if count == 1 else Message("{count} frames", count=count)}

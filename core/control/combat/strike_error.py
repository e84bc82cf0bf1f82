"""The error of a strike that cannot be met."""

from typing import Self

from ...errors import FootfallError


class StrikeError(FootfallError):
    """A strike cannot be met: the sentence names its frame, mostly its end effector, and by how much it fails.

    The fields *frame* and *count* are frames of the controller, or of the scene after :meth:`retold`.
    """

    def retold(self, **fields: object) -> Self:
        """Return the same sentence with other fields, in the units of the order."""
        return type(self)(self.template, **{**self.fields, **fields})

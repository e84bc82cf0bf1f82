"""The pace of a reader, which decides how many inputs are enough for it."""

from dataclasses import dataclass
from typing import Final

QUICK_SECONDS: Final = 0.001
"""Processor time of an input below which a reader is quick."""
QUICK_AIM: Final = 100_000
AIM: Final = 20_000
"""Inputs that are enough for a quick reader, and for any other."""


@dataclass
class Pace:
    """A count of inputs, and of those that were quick.

    Attributes:
        tried: inputs so far.
        quick: those that took the reader less than ``QUICK_SECONDS``; making an input does not count.
    """

    tried: int = 0
    quick: int = 0

    def add(self, seconds: float) -> None:
        self.tried += 1
        self.quick += seconds < QUICK_SECONDS

    @property
    def aim(self) -> int:
        """The number of inputs that are enough: of a reader that is quick with half of them, or of a slow one."""
        return QUICK_AIM if 2 * self.quick >= self.tried else AIM

"""Notes on the reading of a motion file: repairs and questions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from ..message import Message
from .axes import UpAxis

QUESTION_DOUBT: Final = 0.3
"""Doubt at or above which a note is a question, as in the review of labels."""


@dataclass(frozen=True, slots=True)
class ReadingNote:
    """A note on the reading of a motion file.

    Attributes:
        text: one sentence for the user.
        doubt: estimated probability that the file was read wrongly, in [0, 1].
        up: up axis that would correct the reading, if any.
        unit: meters per unit that would correct the reading, if any.
    """

    text: Message
    doubt: float = 0.0
    up: UpAxis | None = None
    unit: float | None = None

    @property
    def is_question(self) -> bool:
        """True if the doubt is large enough to ask the user to check the reading."""
        return self.doubt >= QUESTION_DOUBT

    def entry(self) -> dict[str, Any]:
        """Return the note as plain data for a JSON report; axis and unit are left out if the note has none."""
        mend = {"up": self.up, "unit": self.unit}
        return {
            "text": str(self.text),
            "doubt": round(float(self.doubt), 3),
            **{name: value for name, value in mend.items() if value is not None},
        }


def total_doubt(notes: Iterable[ReadingNote]) -> float:
    """Return the sum of the notes' doubts, by which clips are ranked for review."""
    return float(sum(note.doubt for note in notes))

"""Content of the strip for an action: its labels as plain data, in frames of the scene."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class StripSpan:
    """A range of frames, both ends included, and its label.

    Attributes:
        kind: CONTACT, GAIT, ACTION or GOAL.
        name: a contact's joint, a gait, an action.
        confidence: confidence of the label, in [0, 1].
        by_user: whether the user made or corrected it.
        index: index of the span among the action's segments.
    """

    kind: str
    name: str
    start: int
    end: int
    confidence: float
    by_user: bool
    index: int


@dataclass(frozen=True, slots=True)
class StripStrike:
    """A foot strike just before ``frame``, the first of the contact."""

    frame: int
    side: str
    by_user: bool


@dataclass(frozen=True, slots=True)
class StripIssue:
    """A review spot; ``index`` is its index among the action's review spots."""

    frame: int
    error_probability: float
    text: str
    index: int


@dataclass(frozen=True, eq=False)
class StripLabels:
    """The labels of one action.

    Attributes:
        first_frame: scene frame of the first label.
        frame_rate: frames per second.
        contact_feet: foot of each joint with labeled contacts, by the joint's name: L, R, FL, FR or nothing.
        spans: in the order of the action's segments.
        strikes: foot strikes, in any order.
        issues: review spots, in any order.
        phase: (F) phase, cycles in [0, 1), from ``first_frame`` on; empty without a phase.
    """

    first_frame: int
    frame_rate: float
    contact_feet: Mapping[str, str]
    spans: Sequence[StripSpan]
    strikes: Sequence[StripStrike]
    issues: Sequence[StripIssue]
    phase: Array

    @property
    def standing(self) -> NDArray[np.bool_]:
        """True in each frame (F) in which the phase is that of a standing character."""
        state = np.zeros(len(self.phase), dtype=bool)
        for span in self.spans:
            if span.kind == "GAIT" and span.name == "stand":
                state[max(span.start - self.first_frame, 0) : max(span.end - self.first_frame + 1, 0)] = True
        return state


def spans_in_row(spans: Iterable[StripSpan], kind: str, names: tuple[str, ...] = ()) -> list[StripSpan]:
    """Return the spans with a kind, and optionally with certain names, sorted by start."""
    found = [span for span in spans if span.kind == kind and (not names or span.name in names)]
    return sorted(found, key=lambda span: span.start)


def merge_spans(spans: Iterable[StripSpan]) -> list[StripSpan]:
    """Return the spans sorted by start; adjacent and overlapping spans are merged with the highest confidence."""
    result: list[StripSpan] = []
    for span in sorted(spans, key=lambda span: span.start):
        if not result or span.start > result[-1].end + 1:
            result.append(span)
            continue
        last = result[-1]
        result[-1] = replace(
            last,
            end=max(last.end, span.end),
            confidence=max(last.confidence, span.confidence),
            by_user=last.by_user or span.by_user,
        )
    return result

"""Meaning of a drag or a click in the strip; plain data, without a window.

A drag becomes an edit when the mouse is released. Dragging over a gait's or action's row needs a name, so it becomes a
question instead.
"""

from dataclasses import dataclass, replace
from typing import Final

from ....core.message import Message
from .layout import Hit, Ruler
from .shown import StripLabels, StripSpan, spans_in_row

KIND_TITLES: Final = {"CONTACT": Message("Contact"), "GAIT": Message("Gait"), "ACTION": Message("Activity")}
EXCLUSIVE_KINDS: Final = ("GAIT", "ACTION")

EditCall = tuple[str, tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Edit:
    """One undo step: its name, and the functions of ``label_edits`` to call, with their arguments after the action."""

    title: str
    calls: tuple[EditCall, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A request for the gait or action from ``start`` to ``end``, both included."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Drag:
    """A drag that began on an item.

    Attributes:
        is_erasing: whether Ctrl is held, so that contacts are removed.
        first_frame: first labeled frame.
        last_frame: last labeled frame.
    """

    hit: Hit
    is_erasing: bool
    first_frame: int
    last_frame: int

    @property
    def is_painting(self) -> bool:
        """True if the drag paints frames of a row rather than moving an item."""
        return self.is_erasing or self.hit.kind in ("SPAN", "EMPTY")

    def painted_range(self, frame: int) -> tuple[int, int]:
        """Return the painted frames, both ends included, if the mouse is at ``frame``."""
        start, end = sorted((self.hit.frame, frame))
        return max(start, self.first_frame), min(end, self.last_frame)

    def dragged_frame(self, ruler: Ruler, x: float, strip_labels: StripLabels) -> int:
        """Return the frame for a dragged edge or strike, limited to its span and to the labels."""
        if self.hit.kind == "STRIKE":
            return min(max(ruler.first_frame_at(x), self.first_frame), self.last_frame)
        span = span_at(strip_labels, self.hit.item)
        if self.hit.kind == "START":
            return min(max(ruler.first_frame_at(x), self.first_frame), span.end)
        return max(min(ruler.last_frame_at(x), self.last_frame), span.start)

    def move_edit(self, strip_labels: StripLabels, frame: int) -> Edit | None:
        """Return the edit that moves the edge or strike to a frame; ``None`` if it would not move."""
        if self.hit.kind == "STRIKE":
            strike = strip_labels.strikes[self.hit.item]
            if frame == strike.frame:
                return None
            return Edit("Move Foot Strike", (("move_strike", (strike.side, strike.frame, frame)),))
        span = span_at(strip_labels, self.hit.item)
        edge = "start" if self.hit.kind == "START" else "end"
        if frame == getattr(span, edge):
            return None
        return Edit(
            Message("Move End of {kind}", kind=KIND_TITLES[span.kind]), (("move_edge", (span.index, edge, frame)),)
        )

    def paint_edit(self, frame: int) -> Edit | Question | None:
        """Return the edit that paints a row up to a frame; ``None`` if no labeled frame is included."""
        start, end = self.painted_range(frame)
        row = self.hit.row
        if start > end:
            return None
        if row.kind != "CONTACT":
            return None if self.is_erasing else Question(row.kind, start, end)
        if self.is_erasing:
            return Edit("Remove Contact", tuple(("erase_contact", (name, start, end)) for name in row.names))
        return Edit("Add Contact", (("paint_contact", (row.names[0], start, end)),))


def span_at(strip_labels: StripLabels, index: int) -> StripSpan:
    """Return the span of the segment with an index."""
    return next(span for span in strip_labels.spans if span.index == index)


def spans_under(strip_labels: StripLabels, hit: Hit) -> list[StripSpan]:
    """Return the spans in the row under the mouse at its frame; a row of merged joints can have several."""
    spans = spans_in_row(strip_labels.spans, hit.row.kind, hit.row.names)
    return [span for span in spans if span.start <= hit.frame <= span.end]


def erase_edit(strip_labels: StripLabels, hit: Hit) -> Edit | None:
    """Return the edit that removes a strike or contacts under the mouse; ``None`` for gaits and actions."""
    if hit.kind == "STRIKE":
        strike = strip_labels.strikes[hit.item]
        return Edit("Remove Foot Strike", (("remove_strike", (strike.side, strike.frame)),))
    spans = spans_under(strip_labels, hit) if hit.row.kind == "CONTACT" else []
    if not spans:
        return None
    return Edit("Delete Contact", tuple(("erase_contact", (s.name, s.start, s.end)) for s in spans))


def split_edit(strip_labels: StripLabels, hit: Hit) -> Edit | None:
    """Return the edit that splits the item under the mouse before that frame; ``None`` if nothing can be split."""
    spans = [span for span in spans_under(strip_labels, hit) if span.start < hit.frame]
    if not spans:
        return None
    # A split adds segments, which changes the numbers of later ones: the last one first.
    spans.sort(key=lambda span: span.index, reverse=True)
    return Edit(
        Message("Split {kind}", kind=KIND_TITLES[spans[0].kind]),
        tuple(("split", (span.index, hit.frame)) for span in spans),
    )


def has_following(strip_labels: StripLabels, span: StripSpan) -> bool:
    """Return whether a later span has the same kind and name."""
    return any(other.start > span.end for other in spans_in_row(strip_labels.spans, span.kind, (span.name,)))


def with_moved_edge(strip_labels: StripLabels, index: int, edge: str, frame: int) -> StripLabels:
    """Return the labels with the ``"START"`` or ``"END"`` of a span moved to a frame.

    The neighbors of the span are shortened or extended.
    """
    span = span_at(strip_labels, index)
    new = replace(span, start=frame) if edge == "START" else replace(span, end=frame)
    spans = [new if other is span else _adjust_neighbor(other, span, new) for other in strip_labels.spans]
    return replace(strip_labels, spans=[other for other in spans if other.start <= other.end])


def _adjust_neighbor(other: StripSpan, old: StripSpan, new: StripSpan) -> StripSpan:
    """Return a span adjusted to the new start or end of its changed neighbor."""
    exclusive = other.kind == old.kind and (old.kind in EXCLUSIVE_KINDS or other.name == old.name)
    if not exclusive:
        return other
    if other.end < old.start and (
        other.end >= new.start or (old.kind in EXCLUSIVE_KINDS and other.end == old.start - 1)
    ):
        return replace(other, end=new.start - 1)
    if other.start > old.end and (
        other.start <= new.end or (old.kind in EXCLUSIVE_KINDS and other.start == old.end + 1)
    ):
        return replace(other, start=new.end + 1)
    return other

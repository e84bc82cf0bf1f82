"""What a drag or a click in the strip means; plain data, without a window.

A drag becomes an edit when the mouse is let go. Dragging over a gait's or action's row asks for a name, so it becomes
a question instead.
"""

from dataclasses import dataclass, replace
from typing import Final

from .layout import Hit, Ruler
from .shown import Shown, Span, in_row

KINDS: Final = {"CONTACT": "Contact", "GAIT": "Gait", "ACTION": "Action"}
EXCLUSIVE: Final = ("GAIT", "ACTION")

Call = tuple[str, tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Edit:
    """One step of undo: its name, and the functions of ``label_edits`` to call, with what follows the action."""

    title: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Which gait or action goes on from ``start`` to ``end``, both included?"""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Drag:
    """The mouse was pressed on something.

    Attributes:
        hit: on what.
        erases: whether Ctrl is held: contacts are taken away.
        first, last: the labelled frames.
    """

    hit: Hit
    erases: bool
    first: int
    last: int

    @property
    def paints(self) -> bool:
        """Whether frames of a row are drawn over, rather than something moved."""
        return self.erases or self.hit.what in ("SPAN", "EMPTY")

    def range_to(self, frame: int) -> tuple[int, int]:
        """The frames drawn over when the mouse is at a frame, both ends included."""
        start, end = sorted((self.hit.frame, frame))
        return max(start, self.first), min(end, self.last)

    def edge_at(self, ruler: Ruler, x: float, shown: Shown) -> int:
        """The frame that a dragged edge or strike has come to, kept within its span and the labels."""
        if self.hit.what == "STRIKE":
            return min(max(ruler.first(x), self.first), self.last)
        span = span_at(shown, self.hit.item)
        if self.hit.what == "START":
            return min(max(ruler.first(x), self.first), span.end)
        return max(min(ruler.last(x), self.last), span.start)

    def moved(self, shown: Shown, frame: int) -> Edit | None:
        """The edit that moves the edge or strike to a frame; ``None`` where it stays."""
        if self.hit.what == "STRIKE":
            strike = shown.strikes[self.hit.item]
            if frame == strike.frame:
                return None
            return Edit("Move Foot Strike", (("move_strike", (strike.side, strike.frame, frame)),))
        span = span_at(shown, self.hit.item)
        edge = "start" if self.hit.what == "START" else "end"
        if frame == getattr(span, edge):
            return None
        return Edit(f"Move {KINDS[span.kind]} Edge", (("move_edge", (span.index, edge, frame)),))

    def painted(self, frame: int) -> Edit | Question | None:
        """What drawing over a row up to a frame means; ``None`` where no labelled frame is among it."""
        start, end = self.range_to(frame)
        row = self.hit.row
        if start > end:
            return None
        if row.kind != "CONTACT":
            return None if self.erases else Question(row.kind, start, end)
        if self.erases:
            return Edit("Erase Contact", tuple(("erase_contact", (name, start, end)) for name in row.names))
        return Edit("Paint Contact", (("paint_contact", (row.names[0], start, end)),))


def span_at(shown: Shown, index: int) -> Span:
    """The span of a segment."""
    return next(span for span in shown.spans if span.index == index)


def under(shown: Shown, hit: Hit) -> list[Span]:
    """The spans of the hit's row that hold its frame: of merged joints there can be several."""
    spans = in_row(shown.spans, hit.row.kind, hit.row.names)
    return [span for span in spans if span.start <= hit.frame <= span.end]


def erased(shown: Shown, hit: Hit) -> Edit | None:
    """The edit that takes away what is under the mouse: a strike or contacts; gaits and actions cannot be nothing."""
    if hit.what == "STRIKE":
        strike = shown.strikes[hit.item]
        return Edit("Remove Foot Strike", (("remove_strike", (strike.side, strike.frame)),))
    spans = under(shown, hit) if hit.row.kind == "CONTACT" else []
    if not spans:
        return None
    return Edit("Delete Contact", tuple(("erase_contact", (s.name, s.start, s.end)) for s in spans))


def divided(shown: Shown, hit: Hit) -> Edit | None:
    """The edit that splits what is under the mouse before the frame there; ``None`` where there is nothing to split."""
    spans = [span for span in under(shown, hit) if span.start < hit.frame]
    if not spans:
        return None
    # A split adds segments, which moves the numbers of those after it: the last one first.
    spans.sort(key=lambda span: span.index, reverse=True)
    return Edit(f"Split {KINDS[spans[0].kind]}", tuple(("split", (span.index, hit.frame)) for span in spans))


def has_next(shown: Shown, span: Span) -> bool:
    """Whether another span of its kind and name comes later."""
    return any(other.start > span.end for other in in_row(shown.spans, span.kind, (span.name,)))


def with_edge(shown: Shown, index: int, edge: str, frame: int) -> Shown:
    """The labels with a span's ``"START"`` or ``"END"`` at another frame, its neighbours giving way or following."""
    span = span_at(shown, index)
    new = replace(span, start=frame) if edge == "START" else replace(span, end=frame)
    spans = [new if other is span else _beside(other, span, new) for other in shown.spans]
    return replace(shown, spans=[other for other in spans if other.start <= other.end])


def _beside(other: Span, old: Span, new: Span) -> Span:
    """A span of the same kind next to one that changes: it ends or begins where that one now begins or ends."""
    exclusive = other.kind == old.kind and (old.kind in EXCLUSIVE or other.name == old.name)
    if not exclusive:
        return other
    if other.end < old.start and (other.end >= new.start or (old.kind in EXCLUSIVE and other.end == old.start - 1)):
        return replace(other, end=new.start - 1)
    if other.start > old.end and (other.start <= new.end or (old.kind in EXCLUSIVE and other.start == old.end + 1)):
        return replace(other, start=new.end + 1)
    return other

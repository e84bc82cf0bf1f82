"""Where everything of the plot is: panes, curves, ticks and names, in pixels, without a window."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..run_curves import Curve, Curves, in_unit, title_of
from .axis import Axis, written

Role = Literal["back", "pane", "grid", "stage", "text", "faint", "first", "second", "third"]
Points = NDArray[np.float32]
Measure = Callable[[str, float], float]
"""The width in pixels of a text of some size."""

SIZE: Final = 11.0  # of letters, before the interface's scale
SMALL: Final = 10.0
PAD: Final = 9.0
LINE: Final = 15.0  # from one line of text to the next
LOSSES: Final = 0.58  # of the height, where there are measures below
TICKS: Final = 46.0  # pixels from one tick to the next, at least
DENSE: Final = 2.0  # pixels for which a curve has one point at most
MOST_MEASURES: Final = 5
NARROWEST: Final = 118.0  # pixels of a measure's pane
LOSS_ROLES: Final[Mapping[str, Role]] = {"loss": "first", "validation_loss": "second"}


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, pixels from the lower left."""

    left: float
    low: float
    right: float
    high: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From the lower edge to the upper."""
        return self.high - self.low

    def inset(self, left: float, low: float, right: float, high: float) -> "Box":
        """The box that is left when its edges move inwards."""
        return Box(self.left + left, self.low + low, self.right - right, self.high - high)


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; ``x`` is its left end, ``y`` its base line."""

    x: float
    y: float
    text: str
    size: float
    role: Role = "text"


@dataclass(frozen=True, eq=False, slots=True)
class Line:
    """A curve through points (N, 2)."""

    points: Points
    role: Role
    width: float = 1.0


@dataclass(frozen=True, eq=False, slots=True)
class Drawing:
    """All that is drawn, in this order."""

    boxes: Sequence[tuple[Box, Role]] = ()
    lines: Sequence[Line] = ()
    texts: Sequence[Text] = ()


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What every part of the plot needs to know."""

    scale: float
    measure: Measure

    def text(self, x: float, y: float, text: str, role: Role = "text", align: float = 0.0, size: float = SMALL) -> Text:
        """A text whose anchor is at its left end (``align`` 0), its middle (0.5) or its right end (1)."""
        size *= self.scale
        return Text(x - align * self.measure(text, size), y, text, size, role)


def lay_out(curves: Curves, box: Box, title: str, scale: float, measure: Measure) -> Drawing:
    """The plot of a run.

    Args:
        curves: the run's.
        box: where there is room.
        title: the run's name.
        scale: of the interface.
        measure: how wide texts are.
    """
    sheet = _Sheet(scale, measure)
    inside = box.inset(PAD * scale, PAD * scale, PAD * scale, PAD * scale)
    head = sheet.text(inside.left, inside.high - SIZE * scale, title, size=SIZE)
    room = inside.inset(0.0, 0.0, 0.0, (SIZE + 7.0) * scale)
    if not curves.losses and not curves.measures:
        middle = (room.low + room.high) / 2
        nothing = sheet.text((room.left + room.right) / 2, middle, "no curves yet", "faint", 0.5)
        return Drawing([(box, "back")], (), [head, nothing])
    names = curves.ranked()[: min(MOST_MEASURES, max(int(room.width / (NARROWEST * scale)), 1))]
    parts: list[Drawing] = [Drawing([(box, "back")], (), [head, *_legend(curves, inside, head, sheet)])]
    below = room.height * (1 - LOSSES) if names and curves.losses else room.height if names else 0.0
    if curves.losses:
        parts.append(_losses(curves, room.inset(0.0, below, 0.0, 0.0), sheet))
    for number, name in enumerate(names):
        width = room.width / len(names)
        place = Box(room.left + number * width, room.low, room.left + (number + 1) * width, room.low + below)
        gap = PAD * scale if number else 0.0
        parts.append(_measure(curves, name, place.inset(gap, 0.0, 0.0, 0.0), sheet))
    return Drawing(*(list(chain.from_iterable(pieces)) for pieces in zip(*map(_pieces, parts), strict=True)))


def _pieces(drawing: Drawing) -> tuple[Sequence, Sequence, Sequence]:
    return drawing.boxes, drawing.lines, drawing.texts


def _legend(curves: Curves, inside: Box, head: Text, sheet: _Sheet) -> Iterator[Text]:
    """The losses' names and newest values, each in its curve's colour, from the right; none where there is no room."""
    x = inside.right
    for name in [name for name in ("validation_loss", "loss") if name in curves.losses]:
        value = f"{title_of(name)} {curves.losses[name].last:.4f}"
        text = sheet.text(x, head.y, value, LOSS_ROLES[name], 1.0)
        if text.x < head.x + sheet.measure(head.text, head.size) + PAD * sheet.scale:
            return
        yield text
        x = text.x - 2 * PAD * sheet.scale


def _losses(curves: Curves, box: Box, sheet: _Sheet) -> Drawing:
    """The pane of the losses, on a logarithmic axis."""
    values = [value for curve in curves.losses.values() for value in curve.values]
    drawn: list[tuple[Curve, Role]] = [(curve, LOSS_ROLES[name]) for name, curve in curves.losses.items()]
    return _pane(curves, drawn, Axis.around(values, is_log=True), box, sheet, stages=True)


def _measure(curves: Curves, name: str, box: Box, sheet: _Sheet) -> Drawing:
    """The pane of a measure, from zero on, under its name and its newest value."""
    curve, scale = curves.measures[name], sheet.scale
    high = box.high - (PAD + SMALL) * scale
    value = sheet.text(box.right, high, in_unit(name, curve.last), "third", 1.0)
    title = sheet.text(box.left, high, title_of(name))
    while title.text and title.x + sheet.measure(title.text, title.size) > value.x - 4 * scale:
        title = sheet.text(box.left, high, title.text[:-1])
    room = box.inset(0.0, 0.0, 0.0, box.high - high + 4 * scale)
    pane = _pane(curves, [(curve, "third")], Axis.around(curve.values, zero=True), room, sheet)
    return Drawing(pane.boxes, pane.lines, [*pane.texts, title, value])


def _pane(
    curves: Curves, drawn: Sequence[tuple[Curve, Role]], axis: Axis, box: Box, sheet: _Sheet, stages: bool = False
) -> Drawing:
    """Curves over the minutes of training in a box, with ticks at its left and below."""
    scale = sheet.scale
    across = Axis(0.0, max(curves.minutes, 1 / 60))
    levels = axis.ticks(max(int((box.height - LINE * scale) / (0.6 * TICKS * scale)), 1))
    beside = max((sheet.measure(written(level), SMALL * scale) for level in levels), default=0.0) + 5 * scale
    inner = box.inset(beside, LINE * scale, 0.0, 0.0)
    lines: list[Line] = []
    texts: list[Text] = []
    for level in levels:
        y = inner.low + inner.height * float(axis.place(level))
        lines.append(_straight((inner.left, y), (inner.right, y), "grid"))
        texts.append(sheet.text(inner.left - 5 * scale, y - 3.5 * scale, written(level), "faint", 1.0))
    unit, minutes = ("h", 60.0) if curves.minutes >= 180 else ("min", 1.0)
    for tick in Axis(0.0, across.high / minutes).ticks(max(int(inner.width / (TICKS * scale)), 2)):
        x = inner.left + inner.width * float(across.place(tick * minutes))
        text = written(tick) if tick else f"0 {unit}"
        align = 0.0 if tick == 0 else 1.0 if x > inner.right - 8 * scale else 0.5
        texts.append(sheet.text(x, box.low, text, "faint", align))
    for minute, name in curves.stages[1:] if stages else ():
        x = inner.left + inner.width * float(across.place(minute))
        lines.append(_straight((x, inner.low), (x, inner.high), "stage"))
        text = sheet.text(x + 4 * scale, inner.high - SMALL * scale, name, "faint")
        if text.x + sheet.measure(name, text.size) < inner.right:
            texts.append(text)
    for curve, role in drawn:
        for part in _parts(curve, [minute for minute, _ in curves.stages] if stages else []):
            lines += [Line(points, role, 1.6) for points in _traced(part, axis, across, inner, scale)]
    return Drawing([(inner, "pane")], lines, texts)


def _parts(curve: Curve, begins: Sequence[float]) -> Iterator[Curve]:
    """A curve cut where stages begin: what is a loss in one is another in the next."""
    cuts = np.searchsorted(curve.minutes, begins[1:], side="right").tolist() if len(begins) > 1 else []
    for start, stop in pairwise([0, *cuts, len(curve.minutes)]):
        yield Curve(curve.minutes[start:stop], curve.values[start:stop])


def _traced(curve: Curve, axis: Axis, across: Axis, box: Box, scale: float) -> Iterator[Points]:
    """A curve's points in pixels, where it has more than enough the mean of those that are close to each other.

    Where there is but one, it is drawn as a short stroke.
    """
    x = box.left + box.width * across.place(curve.minutes)
    y = box.low + box.height * axis.place(curve.values)
    known = np.isfinite(y)
    x, y = x[known], y[known]
    if len(x) == 0:
        return
    bins = ((x - box.left) / (DENSE * scale)).astype(int)
    first = np.flatnonzero(np.concatenate([[True], np.diff(bins) != 0]))
    counts = np.diff(np.append(first, len(bins)))
    x, y = np.add.reduceat(x, first) / counts, np.add.reduceat(y, first) / counts
    if len(x) == 1:
        half = 3 * scale
        left = min(max(x[0] - half, box.left), box.right - 2 * half)
        x, y = np.array([left, left + 2 * half]), np.repeat(y, 2)
    yield np.stack([x, y], axis=1).astype(np.float32)


def _straight(start: tuple[float, float], end: tuple[float, float], role: Role) -> Line:
    return Line(np.array([start, end], dtype=np.float32), role)

"""Layout of the plot: panes, curves, ticks and names, in pixels, independent of a window."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..run_curves import RunCurve, RunCurves, format_measure, measure_title
from .axis import Axis, format_number

ColorRole = Literal["back", "pane", "grid", "stage", "text", "faint", "first", "second", "third"]
Points = NDArray[np.float32]
MeasureText = Callable[[str, float], float]
"""Function that returns the width in pixels of a text of some size."""

TEXT_SIZE_PX: Final = 11.0  # of letters, before the interface's scale
SMALL_TEXT_SIZE_PX: Final = 10.0
PADDING_PX: Final = 9.0
LINE_HEIGHT_PX: Final = 15.0  # from one line of text to the next
LOSS_PANE_SHARE: Final = 0.58  # of the height, where there are measures below
MIN_TICK_SPACING_PX: Final = 46.0  # pixels from one tick to the next, at least
MIN_POINT_SPACING_PX: Final = 2.0  # pixels for which a curve has one point at most
MAX_MEASURES: Final = 5
MIN_PANE_WIDTH_PX: Final = 118.0  # pixels of a measure's pane
LOSS_ROLES: Final[Mapping[str, ColorRole]] = {"loss": "first", "validation_loss": "second"}


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, pixels from the lower left."""

    left: float
    low: float
    right: float
    high: float

    @property
    def width(self) -> float:
        """Width, pixels."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Height, pixels."""
        return self.high - self.low

    def inset(self, left: float, low: float, right: float, high: float) -> "Box":
        """Return the box with its edges moved inward by the given distances."""
        return Box(self.left + left, self.low + low, self.right - right, self.high - high)


@dataclass(frozen=True, slots=True)
class PlotText:
    """A line of text; ``x`` is its left end, ``y`` its base line."""

    x: float
    y: float
    text: str
    size: float
    role: ColorRole = "text"


@dataclass(frozen=True, eq=False, slots=True)
class PlotLine:
    """A curve through points (N, 2)."""

    points: Points
    role: ColorRole
    width: float = 1.0


@dataclass(frozen=True, eq=False, slots=True)
class PlotDrawing:
    """All elements of the plot, in drawing order."""

    boxes: Sequence[tuple[Box, ColorRole]] = ()
    lines: Sequence[PlotLine] = ()
    texts: Sequence[PlotText] = ()


@dataclass(frozen=True, slots=True)
class _LayoutContext:
    """The context shared by all parts of the plot."""

    scale: float
    measure: MeasureText

    def text(
        self,
        x: float,
        y: float,
        text: str,
        role: ColorRole = "text",
        align: float = 0.0,
        size: float = SMALL_TEXT_SIZE_PX,
    ) -> PlotText:
        """Return a text placed with its left end (``align`` 0), middle (0.5) or right end (1) at x."""
        size *= self.scale
        return PlotText(x - align * self.measure(text, size), y, text, size, role)


def layout_plot(curves: RunCurves, box: Box, title: str, scale: float, measure: MeasureText) -> PlotDrawing:
    """Return the plot of a run's curves, laid out in a box.

    Args:
        curves: curves of the run.
        box: the available space.
        title: name of the run.
        scale: scale of the user interface.
        measure: function that returns the width of a text.
    """
    sheet = _LayoutContext(scale, measure)
    inside = box.inset(PADDING_PX * scale, PADDING_PX * scale, PADDING_PX * scale, PADDING_PX * scale)
    head = sheet.text(inside.left, inside.high - TEXT_SIZE_PX * scale, title, size=TEXT_SIZE_PX)
    room = inside.inset(0.0, 0.0, 0.0, (TEXT_SIZE_PX + 7.0) * scale)
    if not curves.losses and not curves.measures:
        middle = (room.low + room.high) / 2
        nothing = sheet.text((room.left + room.right) / 2, middle, "There are no training curves yet", "faint", 0.5)
        return PlotDrawing([(box, "back")], (), [head, nothing])
    names = curves.ordered_measures()[: min(MAX_MEASURES, max(int(room.width / (MIN_PANE_WIDTH_PX * scale)), 1))]
    parts: list[PlotDrawing] = [PlotDrawing([(box, "back")], (), [head, *_legend(curves, inside, head, sheet)])]
    below = room.height * (1 - LOSS_PANE_SHARE) if names and curves.losses else room.height if names else 0.0
    if curves.losses:
        parts.append(_loss_pane(curves, room.inset(0.0, below, 0.0, 0.0), sheet))
    for number, name in enumerate(names):
        width = room.width / len(names)
        place = Box(room.left + number * width, room.low, room.left + (number + 1) * width, room.low + below)
        gap = PADDING_PX * scale if number else 0.0
        parts.append(_measure_pane(curves, name, place.inset(gap, 0.0, 0.0, 0.0), sheet))
    return PlotDrawing(*(list(chain.from_iterable(pieces)) for pieces in zip(*map(_pieces, parts), strict=True)))


def _pieces(drawing: PlotDrawing) -> tuple[Sequence, Sequence, Sequence]:
    return drawing.boxes, drawing.lines, drawing.texts


def _legend(curves: RunCurves, inside: Box, head: PlotText, sheet: _LayoutContext) -> Iterator[PlotText]:
    """Yield the name and latest value of each loss, from the right, in its curve's color; none without room."""
    x = inside.right
    for name in [name for name in ("validation_loss", "loss") if name in curves.losses]:
        value = f"{measure_title(name)} {curves.losses[name].last:.4f}"
        text = sheet.text(x, head.y, value, LOSS_ROLES[name], 1.0)
        if text.x < head.x + sheet.measure(head.text, head.size) + PADDING_PX * sheet.scale:
            return
        yield text
        x = text.x - 2 * PADDING_PX * sheet.scale


def _loss_pane(curves: RunCurves, box: Box, sheet: _LayoutContext) -> PlotDrawing:
    """Return the pane with the losses on a logarithmic axis."""
    values = [value for curve in curves.losses.values() for value in curve.values]
    drawn: list[tuple[RunCurve, ColorRole]] = [(curve, LOSS_ROLES[name]) for name, curve in curves.losses.items()]
    return _pane(curves, drawn, Axis.spanning(values, is_log=True), box, sheet, stages=True)


def _measure_pane(curves: RunCurves, name: str, box: Box, sheet: _LayoutContext) -> PlotDrawing:
    """Return the pane of a measure on an axis from zero, with the measure's name and latest value."""
    curve, scale = curves.measures[name], sheet.scale
    high = box.high - (PADDING_PX + SMALL_TEXT_SIZE_PX) * scale
    value = sheet.text(box.right, high, format_measure(name, curve.last), "third", 1.0)
    title = sheet.text(box.left, high, measure_title(name))
    while title.text and title.x + sheet.measure(title.text, title.size) > value.x - 4 * scale:
        title = sheet.text(box.left, high, title.text[:-1])
    room = box.inset(0.0, 0.0, 0.0, box.high - high + 4 * scale)
    pane = _pane(curves, [(curve, "third")], Axis.spanning(curve.values, zero=True), room, sheet)
    return PlotDrawing(pane.boxes, pane.lines, [*pane.texts, title, value])


def _pane(
    curves: RunCurves,
    drawn: Sequence[tuple[RunCurve, ColorRole]],
    axis: Axis,
    box: Box,
    sheet: _LayoutContext,
    stages: bool = False,
) -> PlotDrawing:
    """Return a pane with curves over the minutes of training, and ticks at its left and bottom."""
    scale = sheet.scale
    across = Axis(0.0, max(curves.minutes, 1 / 60))
    levels = axis.ticks(max(int((box.height - LINE_HEIGHT_PX * scale) / (0.6 * MIN_TICK_SPACING_PX * scale)), 1))
    beside = (
        max((sheet.measure(format_number(level), SMALL_TEXT_SIZE_PX * scale) for level in levels), default=0.0)
        + 5 * scale
    )
    inner = box.inset(beside, LINE_HEIGHT_PX * scale, 0.0, 0.0)
    lines: list[PlotLine] = []
    texts: list[PlotText] = []
    for level in levels:
        y = inner.low + inner.height * float(axis.positions(level))
        lines.append(_straight_line((inner.left, y), (inner.right, y), "grid"))
        texts.append(sheet.text(inner.left - 5 * scale, y - 3.5 * scale, format_number(level), "faint", 1.0))
    unit, minutes = ("h", 60.0) if curves.minutes >= 180 else ("min", 1.0)
    for tick in Axis(0.0, across.high / minutes).ticks(max(int(inner.width / (MIN_TICK_SPACING_PX * scale)), 2)):
        x = inner.left + inner.width * float(across.positions(tick * minutes))
        text = format_number(tick) if tick else f"0 {unit}"
        align = 0.0 if tick == 0 else 1.0 if x > inner.right - 8 * scale else 0.5
        texts.append(sheet.text(x, box.low, text, "faint", align))
    for minute, name in curves.stages[1:] if stages else ():
        x = inner.left + inner.width * float(across.positions(minute))
        lines.append(_straight_line((x, inner.low), (x, inner.high), "stage"))
        text = sheet.text(x + 4 * scale, inner.high - SMALL_TEXT_SIZE_PX * scale, name, "faint")
        if text.x + sheet.measure(name, text.size) < inner.right:
            texts.append(text)
    for curve, role in drawn:
        for part in _split_at_stages(curve, [minute for minute, _ in curves.stages] if stages else []):
            lines += [PlotLine(points, role, 1.6) for points in _trace_points(part, axis, across, inner, scale)]
    return PlotDrawing([(inner, "pane")], lines, texts)


def _split_at_stages(curve: RunCurve, stage_starts: Sequence[float]) -> Iterator[RunCurve]:
    """Yield the parts of a curve between the starts of stages, since each stage has a different loss."""
    cuts = np.searchsorted(curve.minutes, stage_starts[1:], side="right").tolist() if len(stage_starts) > 1 else []
    for start, stop in pairwise([0, *cuts, len(curve.minutes)]):
        yield RunCurve(curve.minutes[start:stop], curve.values[start:stop])


def _trace_points(curve: RunCurve, axis: Axis, across: Axis, box: Box, scale: float) -> Iterator[Points]:
    """Yield a curve's points in pixels, averaging points that are close together.

    A single point is drawn as a short stroke.
    """
    x = box.left + box.width * across.positions(curve.minutes)
    y = box.low + box.height * axis.positions(curve.values)
    known = np.isfinite(y)
    x, y = x[known], y[known]
    if len(x) == 0:
        return
    bins = ((x - box.left) / (MIN_POINT_SPACING_PX * scale)).astype(int)
    first = np.flatnonzero(np.concatenate([[True], np.diff(bins) != 0]))
    counts = np.diff(np.append(first, len(bins)))
    x, y = np.add.reduceat(x, first) / counts, np.add.reduceat(y, first) / counts
    if len(x) == 1:
        half = 3 * scale
        left = min(max(x[0] - half, box.left), box.right - 2 * half)
        x, y = np.array([left, left + 2 * half]), np.repeat(y, 2)
    yield np.stack([x, y], axis=1).astype(np.float32)


def _straight_line(start: tuple[float, float], end: tuple[float, float], role: ColorRole) -> PlotLine:
    return PlotLine(np.array([start, end], dtype=np.float32), role)

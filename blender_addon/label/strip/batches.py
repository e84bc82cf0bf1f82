"""The strip's vertices: made once for each revision of the labels, in frames to the right and units upwards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...ui.colors import Colour, Palette, faded
from .layout import Row
from .shown import Shown, Span, in_row, united

Floats = NDArray[np.float32]

DOUBTFUL: Final = 0.25  # how much is left of the colour of a mark that is not sure at all
STANDING: Final = 0.35  # of the ramp's strength where the character stands and the phase means little
UNDER_RAMP: Final = 0.22
STRIKE_LINE: Final = 0.6
RAMP_RATE: Final = 15.0  # vertices a second: a phase bends little within a fifteenth


@dataclass(frozen=True, eq=False)
class Shapes:
    """Vertices (V, 2), every three a triangle or every two a line, and their colours (V, 4)."""

    places: Floats
    colours: Floats

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, eq=False)
class Names:
    """The spans of a row that are worth a name: ``starts`` and ``ends`` (N) in frames, ascending."""

    row: Row
    starts: Floats
    ends: Floats
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Ticks:
    """Foot strikes or spots of a row: ``places`` (N) in frames, ascending, their ``colours`` and ``rims`` (N, 4)."""

    row: Row
    places: Floats
    colours: Floats
    rims: Floats


@dataclass(frozen=True, eq=False)
class Drawing:
    """All that is drawn for some rows and a palette: triangles of the bars, lines of the ramp and around bars."""

    bars: Shapes
    ramp: Shapes
    lines: Shapes
    ticks: tuple[Ticks, ...]
    names: tuple[Names, ...]


def build(shown: Shown, rows: Sequence[Row], palette: Palette) -> Drawing:
    """Everything about these labels that does not change with zoom and pan."""
    bars, outlines, ticks, names = [], [], [], []
    ramp_fill, ramp = EMPTY, EMPTY
    for row in rows:
        if row.kind == "PHASE":
            outlines.append(_strike_lines(shown, row, palette))
            step = max(round(shown.rate / RAMP_RATE), 1)
            ramp_fill, ramp = phase_ramp(shown.phase, shown.first, shown.standing, row, palette.phase, step)
        elif row.kind == "SPOT":
            ticks.append(_ticks(row, [(spot.frame, palette.spot, palette.back) for spot in shown.spots]))
        else:
            spans = row_spans(shown, row)
            colours = [_span_colour(span, row, palette) for span in spans]
            bars.append(quads([(span.start - 0.5, span.end + 0.5, row.low, row.high) for span in spans], colours))
            outlines.append(_outlines([span for span in spans if span.users], row, palette.outline))
            if row.kind != "CONTACT":
                names.append(_names(row, spans))
        if row.strikes:
            colour = palette.side(row.side)
            mine = [strike for strike in shown.strikes if strike.side == row.side]
            rims = [palette.outline if strike.users else palette.back for strike in mine]
            marked = [(strike.frame - 0.5, colour, rim) for strike, rim in zip(mine, rims, strict=True)]
            ticks.append(_ticks(row, marked))
    return Drawing(joined([*bars, ramp_fill]), ramp, joined(outlines), tuple(ticks), tuple(names))


def row_spans(shown: Shown, row: Row) -> list[Span]:
    """The spans that a row shows: those of merged joints are united."""
    spans = in_row(shown.spans, row.kind, row.names)
    return united(spans) if len(row.names) > 1 else spans


def _span_colour(span: Span, row: Row, palette: Palette) -> Colour:
    colour = palette.side(row.side) if row.kind == "CONTACT" else palette.of(span.name)
    sureness = min(max(2.0 * span.confidence - 1.0, 0.0), 1.0)  # one half is to know nothing
    return faded(colour, DOUBTFUL + (1.0 - DOUBTFUL) * sureness)


def _strike_lines(shown: Shown, row: Row, palette: Palette) -> Shapes:
    """A line across a row for every foot strike: where the ramp has to be 0 or half."""
    if not shown.strikes:
        return EMPTY
    x = np.repeat(np.array([strike.frame - 0.5 for strike in shown.strikes], dtype=np.float32), 2)
    y = np.tile(np.array([row.low, row.high], dtype=np.float32), len(shown.strikes))
    colours = [faded(palette.side(strike.side), STRIKE_LINE) for strike in shown.strikes]
    return Shapes(np.stack([x, y], axis=1), _each(colours, 2))


def quads(boxes: Sequence[tuple[float, float, float, float]], colours: Sequence[Colour]) -> Shapes:
    """Two triangles for each box: left, right, bottom, top."""
    if not boxes:
        return EMPTY
    left, right, low, high = np.asarray(boxes, dtype=np.float32).T
    x = np.stack([left, right, right, left, right, left], axis=1)
    y = np.stack([low, low, high, low, high, high], axis=1)
    return Shapes(np.stack([x, y], axis=2).reshape(-1, 2), _each(colours, 6))


def _outlines(spans: Sequence[Span], row: Row, colour: Colour) -> Shapes:
    """Four lines around each span."""
    if not spans:
        return EMPTY
    left = np.array([span.start - 0.5 for span in spans], dtype=np.float32)
    right = np.array([span.end + 0.5 for span in spans], dtype=np.float32)
    low, high = np.full_like(left, row.low), np.full_like(left, row.high)
    x = np.stack([left, right, right, right, right, left, left, left], axis=1)
    y = np.stack([low, low, low, high, high, high, high, low], axis=1)
    return Shapes(np.stack([x, y], axis=2).reshape(-1, 2), _each([colour] * len(spans), 8))


def phase_ramp(
    phase: NDArray[np.floating],
    first: int,
    standing: NDArray[np.bool_],
    row: Row,
    colour: Colour,
    step: int = 1,
) -> tuple[Shapes, Shapes]:
    """The saw-tooth of a phase (F), a vertex every ``step`` frames: triangles under it, and lines.

    A tooth ends at 1 and the next begins at 0 at the same moment, between the frames where the phase wraps.
    """
    if len(phase) < 2:
        return EMPTY, EMPTY
    frames, values, faint = _teeth(phase, first, standing, step)
    # From the end of a tooth to the beginning of the next there is no line.
    begins = np.flatnonzero(np.diff(frames) > 0)
    places = np.stack([frames, row.low + values * (row.high - row.low)], axis=1).astype(np.float32)
    strength = np.where(faint, STANDING, 1.0)[begins]
    lines = np.stack([places[begins], places[begins + 1]], axis=1)
    floor = lines.copy()
    floor[:, :, 1] = row.low
    triangles = np.stack([floor[:, 0], floor[:, 1], lines[:, 1], floor[:, 0], lines[:, 1], lines[:, 0]], axis=1)
    return (
        Shapes(triangles.reshape(-1, 2), _each(_strengths(colour, UNDER_RAMP * strength), 6)),
        Shapes(lines.reshape(-1, 2), _each(_strengths(colour, strength), 2)),
    )


def _teeth(
    phase: NDArray[np.floating], first: int, standing: NDArray[np.bool_], step: int
) -> tuple[NDArray[np.floating], NDArray[np.floating], NDArray[np.bool_]]:
    """Frames, phases and whether it is faint from there on, of the ramp's vertices, with two more at every wrap."""
    wraps = np.flatnonzero(phase[1:] < phase[:-1] - 0.5)
    rise = phase[wraps + 1] + 1.0 - phase[wraps]
    crossing = wraps + (1.0 - phase[wraps]) / rise
    needed = np.concatenate([wraps, wraps + 1, [len(phase) - 1]])
    kept = np.union1d(np.arange(0, len(phase), step), needed).astype(int)
    after = np.repeat(np.searchsorted(kept, wraps + 1), 2)
    at = np.insert(kept.astype(float), after, np.repeat(crossing, 2))
    values = np.insert(phase[kept].astype(float), after, np.tile([1.0, 0.0], len(wraps)))
    faint = np.insert(standing[kept], after, np.repeat(standing[wraps], 2))
    return first + at, values, faint


def _ticks(row: Row, marked: Sequence[tuple[float, Colour, Colour]]) -> Ticks:
    ordered = sorted(marked, key=lambda mark: mark[0])
    places = np.array([place for place, _, _ in ordered], dtype=np.float32)
    colours, rims = (np.array([mark[part] for mark in ordered], dtype=np.float32).reshape(-1, 4) for part in (1, 2))
    return Ticks(row, places, colours, rims)


def triangles_at(xs: NDArray[np.floating], tip: float, base: float, half: float) -> Floats:
    """A small triangle (3, 2) at each x (N), flattened to (3 N, 2): its tip at one height, its base at another."""
    x = np.stack([xs - half, xs + half, xs], axis=1)
    y = np.broadcast_to(np.array([base, base, tip]), x.shape)
    return np.stack([x, y], axis=2).reshape(-1, 2).astype(np.float32)


def flat(places: Floats) -> Floats:
    """Places (V, 2) as points (V, 3) at height 0, which is what the polyline shader wants."""
    return np.concatenate([places, np.zeros((len(places), 1), dtype=np.float32)], axis=1)


def _names(row: Row, spans: Sequence[Span]) -> Names:
    starts = np.array([span.start - 0.5 for span in spans], dtype=np.float32)
    ends = np.array([span.end + 0.5 for span in spans], dtype=np.float32)
    return Names(row, starts, ends, tuple(span.name for span in spans))


def _strengths(colour: Colour, strength: NDArray[np.floating]) -> Floats:
    colours = np.tile(np.array(colour, dtype=np.float32), (len(strength), 1))
    colours[:, 3] *= strength
    return colours


def _each(colours: Sequence[Colour] | Floats, times: int) -> Floats:
    return np.repeat(np.asarray(colours, dtype=np.float32).reshape(-1, 4), times, axis=0)


def joined(shapes: Sequence[Shapes]) -> Shapes:
    """All shapes as one, drawn in their order."""
    return Shapes(
        np.concatenate([EMPTY.places, *(shape.places for shape in shapes)]),
        np.concatenate([EMPTY.colours, *(shape.colours for shape in shapes)]),
    )


EMPTY: Final = Shapes(np.zeros((0, 2), np.float32), np.zeros((0, 4), np.float32))

"""The strip's vertices, computed once per revision of the labels, in frames to the right and units upwards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...ui.colors import Color, Palette, with_opacity
from .layout import Row
from .shown import StripLabels, StripSpan, merge_spans, spans_in_row

Floats = NDArray[np.float32]

UNCERTAIN_COLOR_RATIO: Final = 0.25  # share of the color of a label with confidence 0
STANDING_OPACITY_RATIO: Final = 0.35  # of the ramp's strength where the character stands and the phase means little
RAMP_FILL_OPACITY_RATIO: Final = 0.22
STRIKE_LINE_OPACITY_RATIO: Final = 0.6
RAMP_VERTICES_HZ: Final = 15.0  # vertices a second: a phase bends little within a fifteenth


@dataclass(frozen=True, eq=False)
class ColoredVertices:
    """Vertices (V, 2), every three a triangle or every two a line, and their colors (V, 4)."""

    positions: Floats
    colors: Floats

    def __len__(self) -> int:
        return len(self.positions)


@dataclass(frozen=True, eq=False)
class SpanNames:
    """The spans with names in a row: ``starts`` and ``ends`` (N) in frames, ascending."""

    row: Row
    starts: Floats
    ends: Floats
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Ticks:
    """Foot strikes or spots of a row: ``places`` (N) in frames, ascending, their ``colours`` and ``rims`` (N, 4)."""

    row: Row
    frames: Floats
    colors: Floats
    rims: Floats


@dataclass(frozen=True, eq=False)
class StripDrawing:
    """All geometry for some rows and a palette: triangles of the bars, lines of the ramp and around bars."""

    bars: ColoredVertices
    ramp: ColoredVertices
    lines: ColoredVertices
    ticks: tuple[Ticks, ...]
    names: tuple[SpanNames, ...]


def build_drawing(strip_labels: StripLabels, rows: Sequence[Row], palette: Palette) -> StripDrawing:
    """Return the geometry of labels that does not depend on zoom and pan."""
    bars, outlines, ticks, names = [], [], [], []
    ramp_fill, ramp = NO_VERTICES, NO_VERTICES
    for row in rows:
        if row.kind == "PHASE":
            outlines.append(_strike_lines(strip_labels, row, palette))
            step = max(round(strip_labels.frame_rate / RAMP_VERTICES_HZ), 1)
            ramp_fill, ramp = phase_ramp(
                strip_labels.phase, strip_labels.first_frame, strip_labels.standing, row, palette.phase, step
            )
        elif row.kind == "SPOT":
            ticks.append(
                _make_ticks(row, [(spot.frame, palette.issue, palette.background) for spot in strip_labels.issues])
            )
        else:
            spans = row_spans(strip_labels, row)
            colours = [_span_color(span, row, palette) for span in spans]
            bars.append(quads([(span.start - 0.5, span.end + 0.5, row.low, row.high) for span in spans], colours))
            outlines.append(_outlines([span for span in spans if span.by_user], row, palette.outline))
            if row.kind != "CONTACT":
                names.append(_span_names(row, spans))
        if row.shows_strikes:
            colour = palette.side_color(row.side)
            mine = [strike for strike in strip_labels.strikes if strike.side == row.side]
            rims = [palette.outline if strike.by_user else palette.background for strike in mine]
            marked = [(strike.frame - 0.5, colour, rim) for strike, rim in zip(mine, rims, strict=True)]
            ticks.append(_make_ticks(row, marked))
    return StripDrawing(
        concatenate_shapes([*bars, ramp_fill]), ramp, concatenate_shapes(outlines), tuple(ticks), tuple(names)
    )


def row_spans(strip_labels: StripLabels, row: Row) -> list[StripSpan]:
    """Return the spans of a row; where a row merges several joints, their spans are united."""
    spans = spans_in_row(strip_labels.spans, row.kind, row.names)
    return merge_spans(spans) if len(row.names) > 1 else spans


def _span_color(span: StripSpan, row: Row, palette: Palette) -> Color:
    colour = palette.side_color(row.side) if row.kind == "CONTACT" else palette.label_color(span.name)
    sureness = min(max(2.0 * span.confidence - 1.0, 0.0), 1.0)  # a confidence of one half is no knowledge
    return with_opacity(colour, UNCERTAIN_COLOR_RATIO + (1.0 - UNCERTAIN_COLOR_RATIO) * sureness)


def _strike_lines(strip_labels: StripLabels, row: Row, palette: Palette) -> ColoredVertices:
    """Return a line across a row for each foot strike, where the phase is 0 or 0.5."""
    if not strip_labels.strikes:
        return NO_VERTICES
    x = np.repeat(np.array([strike.frame - 0.5 for strike in strip_labels.strikes], dtype=np.float32), 2)
    y = np.tile(np.array([row.low, row.high], dtype=np.float32), len(strip_labels.strikes))
    colours = [
        with_opacity(palette.side_color(strike.side), STRIKE_LINE_OPACITY_RATIO) for strike in strip_labels.strikes
    ]
    return ColoredVertices(np.stack([x, y], axis=1), _repeat(colours, 2))


def quads(boxes: Sequence[tuple[float, float, float, float]], colors: Sequence[Color]) -> ColoredVertices:
    """Return two triangles per box (left, right, bottom, top)."""
    if not boxes:
        return NO_VERTICES
    left, right, low, high = np.asarray(boxes, dtype=np.float32).T
    x = np.stack([left, right, right, left, right, left], axis=1)
    y = np.stack([low, low, high, low, high, high], axis=1)
    return ColoredVertices(np.stack([x, y], axis=2).reshape(-1, 2), _repeat(colors, 6))


def _outlines(spans: Sequence[StripSpan], row: Row, color: Color) -> ColoredVertices:
    """Return four lines around each of the spans."""
    if not spans:
        return NO_VERTICES
    left = np.array([span.start - 0.5 for span in spans], dtype=np.float32)
    right = np.array([span.end + 0.5 for span in spans], dtype=np.float32)
    low, high = np.full_like(left, row.low), np.full_like(left, row.high)
    x = np.stack([left, right, right, right, right, left, left, left], axis=1)
    y = np.stack([low, low, low, high, high, high, high, low], axis=1)
    return ColoredVertices(np.stack([x, y], axis=2).reshape(-1, 2), _repeat([color] * len(spans), 8))


def phase_ramp(
    phase: NDArray[np.floating], first: int, standing: NDArray[np.bool_], row: Row, color: Color, step: int = 1
) -> tuple[ColoredVertices, ColoredVertices]:
    """Return the sawtooth of a phase (F), a vertex every ``step`` frames: the triangles under it, and its lines.

    A tooth ends at 1 and the next begins at 0 at the same moment, between the frames where the phase wraps.
    """
    if len(phase) < 2:
        return NO_VERTICES, NO_VERTICES
    frames, values, faint = _teeth(phase, first, standing, step)
    # There is no line from the end of a tooth to the start of the next.
    begins = np.flatnonzero(np.diff(frames) > 0)
    places = np.stack([frames, row.low + values * (row.high - row.low)], axis=1).astype(np.float32)
    strength = np.where(faint, STANDING_OPACITY_RATIO, 1.0)[begins]
    lines = np.stack([places[begins], places[begins + 1]], axis=1)
    floor = lines.copy()
    floor[:, :, 1] = row.low
    triangles = np.stack([floor[:, 0], floor[:, 1], lines[:, 1], floor[:, 0], lines[:, 1], lines[:, 0]], axis=1)
    return (
        ColoredVertices(triangles.reshape(-1, 2), _repeat(_with_opacity(color, RAMP_FILL_OPACITY_RATIO * strength), 6)),
        ColoredVertices(lines.reshape(-1, 2), _repeat(_with_opacity(color, strength), 2)),
    )


def _teeth(
    phase: NDArray[np.floating], first: int, standing: NDArray[np.bool_], step: int
) -> tuple[NDArray[np.floating], NDArray[np.floating], NDArray[np.bool_]]:
    """Return frame, phase and faintness of each vertex of the ramp, with two extra vertices at each wrap."""
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


def _make_ticks(row: Row, items: Sequence[tuple[float, Color, Color]]) -> Ticks:
    ordered = sorted(items, key=lambda mark: mark[0])
    places = np.array([place for place, _, _ in ordered], dtype=np.float32)
    colours, rims = (np.array([mark[part] for mark in ordered], dtype=np.float32).reshape(-1, 4) for part in (1, 2))
    return Ticks(row, places, colours, rims)


def triangles_at(xs: NDArray[np.floating], tip: float, base: float, half: float) -> Floats:
    """Return a small triangle at each x (N), flattened to (3 N, 2), between the heights ``tip`` and ``base``."""
    x = np.stack([xs - half, xs + half, xs], axis=1)
    y = np.broadcast_to(np.array([base, base, tip]), x.shape)
    return np.stack([x, y], axis=2).reshape(-1, 2).astype(np.float32)


def to_3d(positions: Floats) -> Floats:
    """Return positions (V, 2) as points (V, 3) at height 0, as the polyline shader expects."""
    return np.concatenate([positions, np.zeros((len(positions), 1), dtype=np.float32)], axis=1)


def _span_names(row: Row, spans: Sequence[StripSpan]) -> SpanNames:
    starts = np.array([span.start - 0.5 for span in spans], dtype=np.float32)
    ends = np.array([span.end + 0.5 for span in spans], dtype=np.float32)
    return SpanNames(row, starts, ends, tuple(span.name for span in spans))


def _with_opacity(color: Color, strength: NDArray[np.floating]) -> Floats:
    colours = np.tile(np.array(color, dtype=np.float32), (len(strength), 1))
    colours[:, 3] *= strength
    return colours


def _repeat(colors: Sequence[Color] | Floats, times: int) -> Floats:
    return np.repeat(np.asarray(colors, dtype=np.float32).reshape(-1, 4), times, axis=0)


def concatenate_shapes(shapes: Sequence[ColoredVertices]) -> ColoredVertices:
    """Return several shapes joined into one, in drawing order."""
    return ColoredVertices(
        np.concatenate([NO_VERTICES.positions, *(shape.positions for shape in shapes)]),
        np.concatenate([NO_VERTICES.colors, *(shape.colors for shape in shapes)]),
    )


NO_VERTICES: Final = ColoredVertices(np.zeros((0, 2), np.float32), np.zeros((0, 4), np.float32))

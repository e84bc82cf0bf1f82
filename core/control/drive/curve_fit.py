"""Smooth curves with few control points, fitted to dense points so that users can edit them (Schneider 1990)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.polyline import arc_lengths_of
from ...motion.rotations import Array, length, normalize
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class CurveFitTuning(Tuning):
    """Tuned numbers of fitted curves."""

    error: float = tuned(0.015, "m", 0.001, 0.5)
    """Largest distance between the dense points and the fitted curve."""
    value_error: float = tuned(0.12, "1", 0.005, 1.0)
    """Largest error of values interpolated between the curve's points."""
    rounds: int = tuned(4, "1", 1, 50)
    """Number of rounds that project the dense points onto a piece of the curve and fit it again."""


TUNING: Final = CurveFitTuning()


@dataclass(frozen=True, slots=True, eq=False)
class FittedCurve:
    """A cubic Bezier spline.

    Attributes:
        points: (K, 3) control points of the spline, meters.
        before, after: (K, 3) positions of the handles before and after each point, meters.
        indices: (K) index of the dense point at each control point.
    """

    points: Array
    before: Array
    after: Array
    indices: NDArray[np.intp]

    def line(self, steps: int = 64) -> Array:
        """Return points (N, 3) along the curve, meters: `steps` for each piece between two control points."""
        shares = np.arange(steps) / steps
        pieces = [
            _bezier(np.array(four), shares)
            for four in zip(self.points[:-1], self.after[:-1], self.before[1:], self.points[1:], strict=True)
        ]
        return np.concatenate([*pieces, self.points[-1:]])

    def cut(self, start: int, stop: int) -> "FittedCurve":
        """Return the part of the curve between the control points at two dense points, given by index."""
        first, last = np.searchsorted(self.indices, [start, stop])
        span = slice(first, last + 1)
        return FittedCurve(self.points[span], self.before[span], self.after[span], self.indices[span])


def fit_curve(points: Array, values: Array | None = None, cuts: Sequence[int] = ()) -> FittedCurve:
    """Return a smooth curve fitted to dense points.

    Args:
        points: (N, 3) dense points, meters, at least two.
        values: (N) values at the points, such as speeds; the curve gets enough control points to interpolate them
            linearly.
        cuts: indices of dense points at which the curve must have control points.
    """
    values = np.zeros(len(points)) if values is None else values
    tangents = normalize(np.gradient(points[:, :2], axis=0) + 1e-12)
    ends = sorted({0, *cuts, len(points) - 1})
    pieces = [
        piece for first, last in pairwise(ends) for piece in _pieces(points[:, :2], tangents, values, first, last)
    ]
    indices = np.array([0, *(last for _, last, _ in pieces)])
    places = points[indices]
    before, after = places.copy(), places.copy()
    for number, (_, _, four) in enumerate(pieces):
        rise = (places[number + 1, 2] - places[number, 2]) / 3
        after[number] = np.append(four[1], places[number, 2] + rise)
        before[number + 1] = np.append(four[2], places[number + 1, 2] - rise)
    before[0], after[-1] = 2 * places[0] - after[0], 2 * places[-1] - before[-1]
    return FittedCurve(places, before, after, indices)


def _pieces(points: Array, tangents: Array, values: Array, first: int, last: int) -> Iterator[tuple[int, int, Array]]:
    """Yield the first and the last dense point of each piece of a curve, and the piece's control points (4, 2)."""
    part = points[first : last + 1]
    four, off = _fitted(part, tangents[first], tangents[last])
    along = arc_lengths_of(part)
    told = np.interp(along, along[[0, -1]], values[[first, last]])
    errors = np.maximum(off / TUNING.error, np.abs(values[first : last + 1] - told) / TUNING.value_error)
    if last - first < 2 or errors.max() <= 1.0:
        yield first, last, four
        return
    middle = first + int(np.clip(errors.argmax(), 1, last - first - 1))
    yield from _pieces(points, tangents, values, first, middle)
    yield from _pieces(points, tangents, values, middle, last)


def _fitted(points: Array, start: Array, end: Array) -> tuple[Array, Array]:
    """Return the control points (4, 2) of the piece nearest to points (N, 2), and the points' distances (N) from it.

    Args:
        points: (N, 2) points in order, including both ends of the piece.
        start: (2) unit tangent at the first point.
        end: (2) unit tangent at the last point.
    """
    along = arc_lengths_of(points)
    shares = along / max(float(along[-1]), 1e-9)
    best = four = _with_handles(points, start, end, along[-1] / 3, along[-1] / 3)
    least = np.full(len(points), np.inf)
    for _ in range(TUNING.rounds):
        four = _least_squares(points, shares, start, end)
        shares = _projected(points, four, shares)
        off = length(_bezier(four, shares) - points)
        if off.max() < least.max():
            best, least = four, off
    return best, least


def _least_squares(points: Array, shares: Array, start: Array, end: Array) -> Array:
    """Return the control points (4, 2) whose handles along the tangents bring the piece nearest to the points."""
    weights = _weights(shares)
    one, two = weights[:, 1, None] * start, -weights[:, 2, None] * end
    rest = points - (weights[:, :2].sum(axis=1)[:, None] * points[0] + weights[:, 2:].sum(axis=1)[:, None] * points[-1])
    system = np.stack([one.ravel(), two.ravel()], axis=1)
    lengths = np.linalg.lstsq(system, rest.ravel(), rcond=None)[0]
    chord = float(length(points[-1] - points[0]))
    usual = max(chord, float(arc_lengths_of(points)[-1]) / 2) / 3
    lengths = np.where((lengths > 0.05 * usual) & (lengths < 6.0 * usual), lengths, usual)
    return _with_handles(points, start, end, float(lengths[0]), float(lengths[1]))


def _with_handles(points: Array, start: Array, end: Array, one: float, two: float) -> Array:
    """Return the control points (4, 2) of a piece whose handles have given lengths, meters, along its tangents."""
    return np.array([points[0], points[0] + one * start, points[-1] - two * end, points[-1]])


def _projected(points: Array, four: Array, shares: Array) -> Array:
    """Return the shares (N) at which a piece is nearest to the points, improved by a step of Newton's method."""
    off = _bezier(four, shares) - points
    first = 3 * np.diff(four, axis=0)
    second = 2 * np.diff(first, axis=0)
    left, share = 1 - shares[:, None], shares[:, None]
    speed = left**2 * first[0] + 2 * left * share * first[1] + share**2 * first[2]
    bend = left * second[0] + share * second[1]
    steps = (off * speed).sum(axis=1) / np.maximum((speed * speed + off * bend).sum(axis=1), 1e-9)
    return np.maximum.accumulate(np.clip(shares - steps, 0.0, 1.0))


def _bezier(four: Array, shares: Array) -> Array:
    """Return the points (N, D) of a piece with control points (4, D) at shares (N)."""
    return _weights(shares) @ four


def _weights(shares: Array) -> Array:
    """Return the Bernstein polynomials (N, 4) of degree 3 at shares (N)."""
    left = 1 - shares
    return np.stack([left**3, 3 * left**2 * shares, 3 * left * shares**2, shares**3], axis=1)

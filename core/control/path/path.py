"""The drawn path as a polyline by arc length, with rounded corners."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import scipy

from ...errors import FootfallError
from ...motion.polyline import arc_lengths_of
from ...motion.rotations import Array, normalize
from ...tuning import Tuning, tuned

# Spacing of a path's samples.
PATH_SPACING_M = 0.02


@dataclass(frozen=True, slots=True)
class PathTuning(Tuning):
    corner_rounding: float = tuned(0.15, "m", 0.0, 1.0)
    """Standard deviation of the Gaussian that rounds corners; a right angle is cut by 0.4 of it."""
    unrounding: int = tuned(6, "1", 1, 50)
    """Number of corrections in computing the drawn path that, once rounded, gives a given path."""
    direction_span: float = tuned(0.12, "m", 0.02, 1.0)
    """Arc length over which central differences give the path's direction, long enough to hide drawing jitter."""
    max_length: float = tuned(20_000.0, "m", 100.0, 1e6)
    """Length above which a path is assumed to have the wrong scale."""


TUNING: Final = PathTuning()


class Path:
    """A polyline in the ground plane with M samples, one every 2 cm, and rounded corners.

    Args:
        points: (N, 2) or (N, 3) points, meters, world; heights are ignored.

    Raises:
        FootfallError: `points` has fewer than two points, non-finite values, or a length of zero or above 20 km.
    """

    def __init__(self, points: Array) -> None:
        points = np.asarray(points, dtype=float)
        if points.ndim != 2 or points.shape[-1] not in (2, 3) or len(points) < 2:
            raise FootfallError("A path needs at least two points: draw a longer curve")
        if not np.isfinite(points).all():
            raise FootfallError("The path has a point with an invalid position: remove it from the curve")
        planar = points[:, :2]
        lengths = arc_lengths_of(planar)
        if lengths[-1] < 2 * PATH_SPACING_M:
            raise FootfallError("The path has no length on the ground: draw a longer curve")
        if lengths[-1] > TUNING.max_length:
            raise FootfallError(
                "The path is {length} km long, but at most {most} km are possible: check the scale of the path",
                length=f"{lengths[-1] / 1000:.0f}",
                most=f"{TUNING.max_length / 1000:.0f}",
            )
        even = even_arc_lengths(PATH_SPACING_M, lengths[-1])
        distinct = np.concatenate([[True], np.diff(lengths) > 0])
        self.points = _round_corners(_interpolated(even, lengths[distinct], planar[distinct]))
        self.arc_lengths = arc_lengths_of(self.points)

    @property
    def length(self) -> float:
        """Length of the rounded path, meters."""
        return float(self.arc_lengths[-1])

    @cached_property
    def directions(self) -> Array:
        """Unit tangents (M, 2), world, at the samples."""
        half = max(round(TUNING.direction_span / PATH_SPACING_M / 2), 1)
        padded = np.concatenate(
            [
                self.points[:1] - (self.points[1:2] - self.points[:1]) * np.arange(half, 0, -1)[:, None],
                self.points,
                self.points[-1:] + (self.points[-1:] - self.points[-2:-1]) * np.arange(1, half + 1)[:, None],
            ]
        )
        return normalize(padded[2 * half :] - padded[: -2 * half])

    @cached_property
    def yaws(self) -> Array:
        """Yaws (M) of the path's direction at the samples, unwrapped, radians; zero faces +Y, positive turns left."""
        return np.unwrap(np.arctan2(-self.directions[:, 0], self.directions[:, 1]))

    @cached_property
    def curvatures(self) -> Array:
        """Unsigned curvatures (M) at the samples, 1/m: change of yaw per arc length, smoothed."""
        turn = np.abs(np.gradient(self.yaws)) / np.maximum(np.gradient(self.arc_lengths), 1e-6)
        return np.maximum(scipy.ndimage.gaussian_filter1d(turn, 2, mode="nearest"), 1e-9)

    def position_at(self, s: Array | float) -> Array:
        """Return the positions (..., 2), meters, world, at arc lengths `s` (...), meters, limited to the path."""
        return _interpolated(s, self.arc_lengths, self.points)

    def yaw_at(self, s: Array | float) -> Array:
        """Return the yaws (...) of the path's direction, radians, at arc lengths `s` (...), meters."""
        return np.asarray(np.interp(s, self.arc_lengths, self.yaws))

    def scaled(self, factor: float) -> "Path":
        """Return the path with all lengths multiplied by `factor`; corners are not rounded again."""
        return self._from_samples(self.points * factor, self.arc_lengths * factor)

    def transformed(self, turn: float, pivot: Array, shift: Array) -> "Path":
        """Return the path rotated about a point and then shifted.

        Args:
            turn: rotation to the left, radians.
            pivot: (2) center of the rotation, meters, world.
            shift: (2) displacement after the rotation, meters, world.
        """
        cosine, sine = np.cos(turn), np.sin(turn)
        rotation = np.array([[cosine, -sine], [sine, cosine]])
        return self._from_samples((self.points - pivot) @ rotation.T + pivot + shift, self.arc_lengths)

    @staticmethod
    def _from_samples(points: Array, lengths: Array) -> "Path":
        """Return a path made of samples (M, 2) with their arc lengths (M), meters, without rounding its corners."""
        result = object.__new__(Path)
        result.points, result.arc_lengths = points, lengths
        return result


def even_arc_lengths(step: float, length: float) -> Array:
    """Return arc lengths (N), meters, every `step` meters from 0, with `length`, meters, as the last.

    A change of `length` only changes values at the end, so a path whose end is edited keeps all earlier samples.
    """
    even = step * np.arange(max(int(length / step + 0.5), 1))
    return np.append(even, length)


def unrounded(points: Array) -> Array:
    """Return the points (M, 2), meters, of a drawn path that, once its corners are rounded, passes given points.

    The difference that rounding makes is added back several times (Van Cittert 1931).

    Args:
        points: (M, 2) points every :data:`PATH_SPACING_M` along the desired path, meters.
    """
    drawn = points
    for _ in range(TUNING.unrounding):
        lengths = arc_lengths_of(drawn)
        even = even_arc_lengths(PATH_SPACING_M, lengths[-1])
        rounded = _round_corners(_interpolated(even, lengths, drawn))
        drawn = drawn + points - _interpolated(lengths, even, rounded)
    return drawn


def _interpolated(at: Array | float, lengths: Array, points: Array) -> Array:
    """Return the points (..., 2) at arc lengths (...), meters, on a polyline of points (M, 2) with arc lengths (M)."""
    return np.stack([np.interp(at, lengths, axis) for axis in points.T], axis=-1)


def _round_corners(points: Array) -> Array:
    """Return evenly spaced points (M, 2) smoothed by a Gaussian along the path; the ends stay fixed."""
    sigma = TUNING.corner_rounding / PATH_SPACING_M
    pad = int(4 * sigma) + 1
    padded = np.pad(points, ((pad, pad), (0, 0)), mode="reflect", reflect_type="odd")
    return scipy.ndimage.gaussian_filter1d(padded, sigma, axis=0)[pad:-pad]

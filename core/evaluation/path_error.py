"""Deviation of a walk from its path, and from the planned position at each frame."""

from typing import Final

import numpy as np
import scipy

from ..motion.polyline import arc_lengths_of
from ..motion.rotations import Array

MAX_PIECE_LENGTH_M: Final = 0.05
"""Longest piece of a path in the search tree."""
NEAREST_PIECE_COUNT: Final = 8
"""Number of nearest pieces to compare; all pieces are compared if others may be nearer."""


def cross_track_error(roots: Array, points: Array) -> Array:
    """Return the horizontal distance (F), meters, of root positions (F, 2) from the polyline (N, 2) of a path.

    The nearest pieces are found with a k-d tree (Bentley 1975).
    """
    starts, legs = _split_polyline(points)
    count = min(NEAREST_PIECE_COUNT, len(starts))
    away, index = (
        np.reshape(found, (-1, count)) for found in scipy.spatial.KDTree(starts + legs / 2).query(roots, k=count)
    )
    nearest = _piece_distances(roots[:, None], starts[index], legs[index]).min(axis=1)
    if count < len(starts):
        for row in np.flatnonzero(away[:, -1] - np.linalg.norm(legs, axis=1).max() / 2 < nearest):
            nearest[row] = _piece_distances(roots[row], starts, legs).min()
    return nearest


def _split_polyline(points: Array) -> tuple[Array, Array]:
    """Split a polyline (N, 2) into short pieces; return their starts (P, 2) and vectors to their ends (P, 2)."""
    legs = np.diff(points, axis=0)
    counts = np.maximum(np.ceil(np.linalg.norm(legs, axis=-1) / MAX_PIECE_LENGTH_M), 1).astype(int)
    leg = np.repeat(np.arange(len(legs)), counts)
    number = np.arange(len(leg)) - np.repeat(np.cumsum(counts) - counts, counts)
    short = legs / counts[:, None]
    return points[:-1][leg] + number[:, None] * short[leg], short[leg]


def _piece_distances(places: Array, starts: Array, legs: Array) -> Array:
    """Return distances (...) of positions (..., 2) from pieces from ``starts`` that extend by ``legs`` (..., 2)."""
    squares = np.sum(legs**2, axis=-1)
    along = np.sum((places - starts) * legs, axis=-1) / np.where(squares > 0, squares, 1.0)
    return np.linalg.norm(places - starts - np.clip(along, 0.0, 1.0)[..., None] * legs, axis=-1)


def constant_speed_positions(points: Array, speed: float, frames: int, rate: float) -> Array:
    """Return the root positions (F, 2), meters, of a walk at constant speed along a polyline; it stops at the end.

    Args:
        points: (N, 2) points of the polyline, meters.
        speed: speed of the walk, m/s.
        frames: number of frames.
        rate: frames per second.
    """
    lengths = arc_lengths_of(points)
    travelled = speed * np.arange(frames) / rate
    return np.stack([np.interp(travelled, lengths, points[:, axis]) for axis in (0, 1)], axis=-1)


def timed_error(roots: Array, targets: Array) -> Array:
    """Return the horizontal distance (F), meters, of root positions (F, 2) from the planned positions (F, 2)."""
    return np.linalg.norm(roots - targets, axis=-1)

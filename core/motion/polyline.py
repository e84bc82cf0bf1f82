"""Polylines: curves of straight segments between points."""

import numpy as np

from .rotations import Array


def arc_lengths_of(points: Array) -> Array:
    """Return the arc length (N) from the start of a polyline to each of its points (N, D), in the points' unit."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=-1))])

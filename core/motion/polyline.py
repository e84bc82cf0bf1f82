"""Polylines: curves of straight segments between points."""

import numpy as np

from .rotations import Array


def arc_lengths_of(points: Array) -> Array:
    """Return the arc lengths (N) of the points (N, D) of a polyline, from zero on, in their unit."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=-1))])

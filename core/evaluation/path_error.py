"""How far a walk strays from its path, and from where its timing says that it should be."""

import numpy as np

from ..motion.rotations import Array


def cross_track(roots: Array, points: Array) -> Array:
    """Horizontal distance (F), metres, from root positions (F, 2) to the nearest point of a polyline (N, 2)."""
    starts, legs = points[:-1], np.diff(points, axis=0)
    squares = np.sum(legs**2, axis=-1)
    nearest = np.empty(len(roots))
    for begin in range(0, len(roots), 1024):  # blocks keep the frames-by-segments table small
        part = roots[begin : begin + 1024, None]
        along = np.sum((part - starts) * legs, axis=-1) / np.where(squares > 0, squares, 1.0)
        feet = starts + np.clip(along, 0.0, 1.0)[..., None] * legs
        nearest[begin : begin + 1024] = np.linalg.norm(part - feet, axis=-1).min(axis=1)
    return nearest


def constant_speed(points: Array, speed: float, frames: int, rate: float) -> Array:
    """Where a timing curve of constant speed puts the root: positions (F, 2) along a polyline (N, 2), the end held."""
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=-1))])
    travelled = speed * np.arange(frames) / rate
    return np.stack([np.interp(travelled, lengths, points[:, axis]) for axis in (0, 1)], axis=-1)


def timed(roots: Array, targets: Array) -> Array:
    """Horizontal distance (F), metres, from root positions (F, 2) to where the timing puts them (F, 2)."""
    return np.linalg.norm(roots - targets, axis=-1)

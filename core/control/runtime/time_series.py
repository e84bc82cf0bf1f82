"""Operations on the time series of the interaction runtime: filling, appending, sampling and blending."""

from functools import cache

import numpy as np

from ...features.interaction import ACTIONS, TimeSeries
from ...motion.root_frame import facing_direction, yaw_of
from ...motion.rotations import Array, length, wrap_angle
from .batch_state import PAST_SAMPLES


@cache
def one_hot_action(action: str, actions: tuple[str, ...] = ACTIONS) -> Array:
    """Return weights (A), read-only, that are 1 for one action and 0 for the others."""
    weights = np.eye(len(actions))[actions.index(action)]
    weights.flags.writeable = False
    return weights


def standing_series(positions: Array, yaws: Array, actions: Array, count: int) -> TimeSeries:
    """Return time series of characters that stand still: ``count`` identical samples.

    Args:
        positions: (B, 2) or (B, 3) positions, meters, world.
        yaws: (B) yaws, radians.
        actions: (B, A) action weights.
        count: number of samples.
    """
    sample = TimeSeries(positions[:, None], facing_direction(yaws)[:, None], actions[:, None])
    return TimeSeries(
        *(np.repeat(part, count, axis=1) for part in (sample.positions, sample.directions, sample.actions))
    )


def push_sample(past: TimeSeries, current: TimeSeries) -> TimeSeries:
    """Return the remembered frames (B, 61) with the current sample (B) appended and the oldest frame dropped."""
    parts = (
        (past.positions, current.positions),
        (past.directions, current.directions),
        (past.actions, current.actions),
    )
    return TimeSeries(*(np.concatenate([old[:, 1:], new[:, None]], axis=1) for old, new in parts))


def window_series(past: TimeSeries, future: TimeSeries) -> TimeSeries:
    """Return the thirteen samples around the current frame, from the remembered frames and the future samples."""
    parts = ((past.positions, future.positions), (past.directions, future.directions), (past.actions, future.actions))
    return TimeSeries(*(np.concatenate([old[:, PAST_SAMPLES], new], axis=1) for old, new in parts))


def mix_series(first: TimeSeries, second: TimeSeries, share: Array) -> TimeSeries:
    """Return a blend of two series, with ``share`` (0 to 1) of the second."""
    return TimeSeries(
        first.positions + share * (second.positions - first.positions),
        first.directions + share * (second.directions - first.directions),
        first.actions + share * (second.actions - first.actions),
    )


def normalize_directions(samples: TimeSeries) -> TimeSeries:
    """Return samples with directions of unit length."""
    return TimeSeries(samples.positions, unit_vectors(samples.directions, samples.directions), samples.actions)


def unit_vectors(vectors: Array, fallback: Array) -> Array:
    """Return vectors (..., 2) scaled to unit length; zero vectors become those of ``fallback``."""
    size = length(vectors)[..., None]
    return np.where(size > 1e-6, vectors / np.maximum(size, 1e-6), fallback)


def turn_toward(directions: Array, targets: Array, share: Array) -> Array:
    """Return unit vectors (..., 2) turned by a share (...) of their angles to targets (..., 2), even opposite ones."""
    yaws = yaw_of(directions)
    return facing_direction(yaws + share * wrap_angle(yaw_of(targets) - yaws))

"""Paths of the body over the ground, independent of the frame rate."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...core.motion.rotations import Array

STEP: Final = 1 / 1200
"""Interval of the path's own points, seconds."""
MARGIN: Final = 4.0
"""Additional time of a path before the first frame and after the last, seconds."""


@dataclass(frozen=True, eq=False)
class Way:
    """A body's position (N, 2) in meters, its yaw (N) and its speed (N) as a share of its usual speed."""

    times: Array
    places: Array
    yaws: Array
    shares: Array

    @staticmethod
    def gone(
        seconds: float,
        velocity: tuple[float, float],
        share: Callable[[Array], Array] = np.ones_like,
        turning: Callable[[Array], Array] = np.zeros_like,
    ) -> "Way":
        """Return the path of a body with a constant velocity in its own frame, times a variable share.

        Args:
            seconds: duration from time zero.
            velocity: velocity to the body's right and forward, m/s.
            share: function that returns the share of the velocity (N) at times (N).
            turning: function that returns the yaw rate to the left (N), rad/s, at times (N).
        """
        times = np.arange(-MARGIN, seconds + MARGIN, STEP)
        middles, shares = times + STEP / 2, share(times)
        yaws = np.concatenate([[0.0], np.cumsum(turning(middles))[:-1] * STEP])
        yaws -= np.interp(0.0, times, yaws)
        right, forwards = np.array(velocity)[:, None] * share(middles)
        cosine, sine = np.cos(yaws), np.sin(yaws)
        steps = np.stack([right * cosine - forwards * sine, right * sine + forwards * cosine], axis=1) * STEP
        places = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)[:-1]])
        origin = [np.interp(0.0, times, column) for column in places.T]
        return Way(times, places - origin, yaws, shares)

    def at(self, times: Array) -> tuple[Array, Array]:
        """Return the positions (T, 2) and yaws (T) at times (T)."""
        places = np.stack([np.interp(times, self.times, column) for column in self.places.T], axis=1)
        return places, np.interp(times, self.times, self.yaws)

    def share(self, times: Array) -> Array:
        """Return the share of the usual speed (T) at times (T)."""
        return np.interp(times, self.times, self.shares)

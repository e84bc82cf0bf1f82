"""The user's commands to a character steered live, and the response of the commanded motion to them."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.root_frame import yaw_of
from ...motion.rotations import Array, wrap_angle
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class WishTuning(Tuning):
    velocity_response: float = tuned(0.25, "s", 0.02, 3.0)
    """Time constant with which the commanded velocity approaches the requested one."""
    yaw_response: float = tuned(0.25, "s", 0.02, 3.0)
    """Smallest time constant with which the commanded facing approaches the requested one."""
    max_turn: float = tuned(4.0, "rad/s", 0.2, 20.0)
    """Largest angular speed of the commanded facing."""
    min_facing_speed: float = tuned(0.2, "m/s", 0.0, 2.0)
    """Speed above which a character without a requested facing faces its direction of travel."""


TUNING: Final = WishTuning()


@dataclass(frozen=True, slots=True, eq=False)
class DriveWish:
    """The user's request to a character at a frame.

    Attributes:
        velocity: (2) requested velocity, m/s, world; zero to stand.
        yaw: requested facing, radians; ``None`` to face the direction of travel.
        style: a style of the controller; empty for plain walking and running.
        jumps: whether a jump begins at this frame.
        changes_hand: whether the dribble changes to the other hand at this frame.
    """

    velocity: Array
    yaw: float | None = None
    style: str = ""
    jumps: bool = False
    changes_hand: bool = False


@dataclass(slots=True, eq=False)
class CommandedMotion:
    """The commanded velocity and facing of a character steered live.

    Attributes:
        velocity: (2) commanded velocity, m/s, world.
        yaw: commanded facing, radians.
    """

    velocity: Array
    yaw: float

    def ahead(self, wish: DriveWish, times: Array) -> tuple[Array, Array, Array]:
        """Return displacements (S, 2), m, velocities (S, 2), m/s, world, and yaws (S), rad, at S future times, s.

        Velocity and facing approach the requested ones exponentially, the facing at a limited rate.
        """
        past = np.exp(-times / TUNING.velocity_response)[:, None]
        missing = self.velocity - wish.velocity
        offsets = wish.velocity * times[:, None] + missing * TUNING.velocity_response * (1 - past)
        turn = self._turn(wish)
        slowest = max(TUNING.yaw_response, abs(turn) / TUNING.max_turn)
        yaws = self.yaw + turn * (1 - np.exp(-times / slowest))
        return offsets, wish.velocity + missing * past, yaws

    def advance(self, wish: DriveWish, dt: float) -> None:
        """Advance by a frame of `dt` seconds toward the requested velocity and facing."""
        _, velocities, yaws = self.ahead(wish, np.array([dt]))
        self.velocity, self.yaw = velocities[0], float(yaws[0])

    def _turn(self, wish: DriveWish) -> float:
        """Return the angle to the requested facing, radians."""
        if wish.yaw is not None:
            return float(wrap_angle(wish.yaw - self.yaw))
        if np.linalg.norm(wish.velocity) < TUNING.min_facing_speed:
            return 0.0
        return float(wrap_angle(float(yaw_of(wish.velocity)) - self.yaw))

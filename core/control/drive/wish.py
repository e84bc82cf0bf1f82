"""Wishes of a driver, and how the commanded motion comes to them."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.root_frame import yaw_of
from ...motion.rotations import Array, wrap_angle

VELOCITY_S: Final = 0.25
"""Time constant with which the commanded velocity comes to the wished one."""
YAW_S: Final = 0.25
"""Time constant with which the commanded facing comes to the wished one, at least."""
MAX_TURN_RAD_S: Final = 4.0
"""Rate at which the commanded facing changes at most."""
MIN_FACING_SPEED_M_S: Final = 0.2
"""Speed from which a character that is not told where to face faces ahead."""


@dataclass(frozen=True, slots=True, eq=False)
class DriveWish:
    """A driver's wish at a frame.

    Attributes:
        velocity: (2) m/s, world; zero to stand.
        yaw: facing, radians; ``None`` to face the way that the character goes.
        style: a style of the controller; empty for plain walking and running.
        jumps: whether a jump begins at this frame.
        changes_hand: whether the other hand is to dribble from now on.
    """

    velocity: Array
    yaw: float | None = None
    style: str = ""
    jumps: bool = False
    changes_hand: bool = False


@dataclass(slots=True, eq=False)
class CommandedMotion:
    """The commanded velocity and facing of a driven character.

    Attributes:
        velocity: (2) m/s, world.
        yaw: radians.
    """

    velocity: Array
    yaw: float

    def ahead(self, wish: DriveWish, times: Array) -> tuple[Array, Array, Array]:
        """Return offsets (S, 2), meters, velocities (S, 2), m/s, and yaws (S) at times (S), seconds, from now on.

        Velocity and facing come to the wished ones exponentially, facing with a bounded rate.
        """
        past = np.exp(-times / VELOCITY_S)[:, None]
        missing = self.velocity - wish.velocity
        offsets = wish.velocity * times[:, None] + missing * VELOCITY_S * (1 - past)
        turn = self._turn(wish)
        slowest = max(YAW_S, abs(turn) / MAX_TURN_RAD_S)
        yaws = self.yaw + turn * (1 - np.exp(-times / slowest))
        return offsets, wish.velocity + missing * past, yaws

    def advance(self, wish: DriveWish, dt: float) -> None:
        """Advance by a frame of ``dt`` seconds."""
        _, velocities, yaws = self.ahead(wish, np.array([dt]))
        self.velocity, self.yaw = velocities[0], float(yaws[0])

    def _turn(self, wish: DriveWish) -> float:
        """Return the angle to the wished facing, radians."""
        if wish.yaw is not None:
            return float(wrap_angle(wish.yaw - self.yaw))
        if np.linalg.norm(wish.velocity) < MIN_FACING_SPEED_M_S:
            return 0.0
        return float(wrap_angle(float(yaw_of(wish.velocity)) - self.yaw))

"""Gait tables: which cycles of an animal are its walk, trot and gallop, at which speeds, and how fast they go there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...core.motion import Skeleton
from ...core.motion.rotations import Array, wrap_cycles
from .cycles import Cycle

GRAVITY_M_S2: Final = 9.81
WALK_TO_TROT_FROUDE: Final = 0.35
"""Froude number, squared speed over gravity and leg, above which a gait whose hind legs alternate is a trot; dogs
change at 0.3 to 0.5 (Alexander and Jayes 1983)."""
MAX_GALLOP_LAG: Final = 0.3
"""Lag between the hind paws up to which they swing together, cycles: a gallop."""
WALK_FORE_LAG: Final = 0.2
"""Lag of a front paw behind the hind one of its side in a walk, cycles (Hildebrand 1965: dogs 0.15 to 0.25)."""
TROT_FORE_LAG: Final = 0.5
"""The same of a trot: diagonal pairs."""
STRETCH_SHARE: Final = 0.5
"""Exponent of the ratio to a cycle's own speed by which its strides lengthen; the rest is a faster beat."""
MAX_PACE_RATIO: Final = 3.0
"""Highest ratio of a speed to a cycle's own that it is hastened to."""
TURNING_STRIDE: Final = 0.35
"""Speed, relative to that of the walk, that the beat of an animal has that turns on the spot."""


@dataclass(frozen=True, eq=False)
class GaitTable:
    """The cycles of an animal.

    Attributes:
        stand: idles.
        walk, trot, gallop: cycles; a gait that no clip has is another one with shifted front legs, or faster.
    """

    stand: tuple[Cycle, ...]
    walk: tuple[Cycle, ...]
    trot: tuple[Cycle, ...]
    gallop: tuple[Cycle, ...]

    @staticmethod
    def of(cycles: Sequence[Cycle], body: Skeleton) -> "GaitTable":
        """Sort cycles into gaits by their Froude numbers.

        Args:
            cycles: of one body; at least one of them moves.
            body: the body.
        """
        moving = sorted((cycle for cycle in cycles if cycle.speed > 0), key=lambda cycle: cycle.speed)
        fast = [cycle for cycle in moving if abs(wrap_cycles(cycle.hind_lag)) < MAX_GALLOP_LAG]
        alternating = [cycle for cycle in moving if cycle not in fast] or fast
        limit = froude_speed(WALK_TO_TROT_FROUDE, body.leg_length)
        slow = [cycle for cycle in alternating if cycle.speed <= limit] or alternating[:1]
        middle = [cycle for cycle in alternating if cycle.speed > limit] or alternating[-1:]
        return GaitTable(
            tuple(cycle for cycle in cycles if cycle.speed == 0),
            tuple(cycle.with_fore_lag(body, WALK_FORE_LAG) for cycle in slow),
            tuple(cycle.with_fore_lag(body, TROT_FORE_LAG) for cycle in middle),
            tuple(fast or middle),
        )

    def gait_speeds(self) -> tuple[float, float]:
        """Return the speeds at which walking changes to trotting, and trotting to galloping, m/s.

        They lie in the middle between the speeds that the clips have.
        """
        walk, trot, gallop = (
            float(np.mean([cycle.speed for cycle in cycles])) for cycles in (self.walk, self.trot, self.gallop)
        )
        return float(np.sqrt(walk * trot)), float(np.sqrt(max(trot, walk) * max(gallop, trot)))

    def weights(self, speeds: Array, turning: Array, rate: float, blend: float) -> Array:
        """Return the weights (F, 4) of stand, walk, trot and gallop at speeds (F), m/s, with smooth changes.

        Args:
            speeds: (F) over ground.
            turning: (F) rates of turning, rad/s, at which even a standing animal steps.
            rate: frames per second.
            blend: standard deviation of the changes, seconds.
        """
        slow, fast = self.gait_speeds()
        steps = (speeds > 0.12 * slow) | (np.abs(turning) > 0.25)
        gait = np.where(steps, 1 + (speeds > slow) + (speeds > fast), 0)
        one_hot = np.eye(4)[gait]
        return _smooth(one_hot, blend * rate)


def paced(cycle: Cycle, speeds: Array) -> tuple[Array, Array]:
    """Return the beat (F), Hz, and the stretch of the strides (F) of a cycle at speeds (F), m/s."""
    ratio = np.clip(speeds / cycle.speed, TURNING_STRIDE**2, MAX_PACE_RATIO)
    haste = ratio ** (1 - STRETCH_SHARE)
    return haste / cycle.seconds, np.clip(speeds / cycle.speed, 0.0, MAX_PACE_RATIO) / haste


def froude_speed(number: float, leg: float) -> float:
    """Return the speed, m/s, of a Froude number at a leg length, meters."""
    return float(np.sqrt(number * GRAVITY_M_S2 * leg))


def _smooth(values: Array, sigma: float) -> Array:
    """Return values (F, N) smoothed by a Gaussian of a deviation in frames."""
    return scipy.ndimage.gaussian_filter1d(values, sigma, axis=0, mode="nearest")

"""Gait tables: an animal's cycles sorted into walk, trot and gallop, with their speeds and stride frequencies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...core.features.rest import LIE, SIT
from ...core.motion import Skeleton
from ...core.motion.rotations import Array, wrap_cycles
from .cycles import Cycle
from .postures import STAND

GRAVITY_M_S2: Final = 9.81
WALK_TO_TROT_FROUDE: Final = 0.35
"""Froude number, squared speed over gravity and leg, above which a gait whose hind legs alternate is a trot; dogs
change at 0.3 to 0.5 (Alexander and Jayes 1983)."""
MAX_GALLOP_LAG: Final = 0.3
"""Largest lag between the hind paws, in cycles, of a gallop, in which they swing together."""
WALK_FORE_LAG: Final = 0.2
"""Lag of a front paw behind the hind one of its side in a walk, cycles (Hildebrand 1965: dogs 0.15 to 0.25)."""
TROT_FORE_LAG: Final = 0.5
"""Lag of a front paw behind the hind one of its side in a trot, cycles: diagonal pairs strike together."""
PACE_FORE_LAG: Final = 0.05
"""Lag of a front paw behind the hind one of its side in a pace, cycles: nearly together (Hildebrand 1965)."""
GAITS: Final = (STAND, "walk", "trot", "gallop", "slow pace", "pace", SIT, LIE)
"""Gaits of a table, in order."""
PACE: Final = "pace"
"""Style of a walk or trot in which the legs of a side swing together."""
STYLES: Final = ("", PACE, SIT, LIE)
"""Styles of motion; the empty one leaves the gait to the speed."""
SIT_DOWN_S: Final = {SIT: 0.8, LIE: 1.2}
"""Duration of sitting or lying down, or of getting up again."""
STRETCH_SHARE: Final = 0.5
"""Exponent of the relative speed by which strides lengthen; the rest of the change is a faster stride frequency."""
MAX_PACE_RATIO: Final = 3.0
"""Highest speed at which a cycle is played, relative to its own."""
TURNING_STRIDE: Final = 0.35
"""Speed, relative to the walk's, that gives the stride frequency of an animal turning on the spot."""


@dataclass(frozen=True, eq=False)
class GaitTable:
    """The cycles of an animal, by gait.

    Attributes:
        stand, sit, lie: idles, by posture.
        walk, trot, gallop: cycles; a gait missing in the clips is made from another one, by shifting the front legs or
            speeding it up.
        slow_pace, pace: walks and trots with the legs of a side moving together; empty if an animal only gallops.
    """

    stand: tuple[Cycle, ...]
    walk: tuple[Cycle, ...]
    trot: tuple[Cycle, ...]
    gallop: tuple[Cycle, ...]
    slow_pace: tuple[Cycle, ...]
    pace: tuple[Cycle, ...]
    sit: tuple[Cycle, ...]
    lie: tuple[Cycle, ...]

    @staticmethod
    def of(cycles: Sequence[Cycle], body: Skeleton) -> "GaitTable":
        """Create a gait table of cycles, sorted into gaits by their Froude numbers.

        Args:
            cycles: cycles of one body, at least one of which moves.
            body: the network body of the cycles.
        """
        moving = sorted((cycle for cycle in cycles if cycle.speed > 0), key=lambda cycle: cycle.speed)
        fast = [cycle for cycle in moving if abs(wrap_cycles(cycle.hind_lag)) < MAX_GALLOP_LAG]
        alternating = [cycle for cycle in moving if cycle not in fast] or fast
        limit = froude_speed(WALK_TO_TROT_FROUDE, body.leg_length)
        slow = [cycle for cycle in alternating if cycle.speed <= limit] or alternating[:1]
        middle = [cycle for cycle in alternating if cycle.speed > limit] or alternating[-1:]
        slow_paces, paces = ([] if alternating is fast else group for group in (slow, middle))
        return GaitTable(
            _still(cycles, STAND),
            _with_lag(slow, body, WALK_FORE_LAG),
            _with_lag(middle, body, TROT_FORE_LAG),
            tuple(fast or middle),
            _with_lag(slow_paces, body, PACE_FORE_LAG),
            _with_lag(paces, body, PACE_FORE_LAG),
            _still(cycles, SIT),
            _still(cycles, LIE),
        )

    def groups(self) -> tuple[tuple[Cycle, ...], ...]:
        """Return the cycles of each gait, in the order of :data:`GAITS`; without an idle, a walk is the stand."""
        idles = self.stand or self.walk[:1]
        return idles, self.walk, self.trot, self.gallop, self.slow_pace, self.pace, self.sit, self.lie

    @property
    def styles(self) -> tuple[str, ...]:
        """Names of the styles for which the animal has cycles: the empty one, and maybe *pace*, *sit* and *lie*."""
        has = {"": True, PACE: bool(self.pace), SIT: bool(self.sit), LIE: bool(self.lie)}
        return tuple(name for name in STYLES if has[name])

    def gait_speeds(self) -> tuple[float, float]:
        """Return the speeds, m/s, at which walking changes to trotting and trotting to galloping.

        Each is the geometric mean of the two gaits' mean speeds in the clips.
        """
        walk, trot, gallop = (
            float(np.mean([cycle.speed for cycle in cycles])) for cycles in (self.walk, self.trot, self.gallop)
        )
        return float(np.sqrt(walk * trot)), float(np.sqrt(max(trot, walk) * max(gallop, trot)))

    def weights(self, speeds: Array, turning: Array, styles: NDArray[np.intp], rate: float, blend: float) -> Array:
        """Return the weights (F, G) of the gaits in :data:`GAITS` at speeds (F), m/s, with smooth changes.

        Args:
            speeds: (F) ground speeds, m/s.
            turning: (F) turning rates, rad/s; an animal that turns on the spot steps.
            styles: (F) indices in :data:`STYLES`.
            rate: frames per second.
            blend: standard deviation of the Gaussian that smooths changes of gait, seconds.
        """
        slow, fast = self.gait_speeds()
        steps = (speeds > 0.12 * slow) | (np.abs(turning) > 0.25)
        gait = np.where(steps, 1 + (speeds > slow) + (speeds > fast), 0)
        paces = steps & (styles == STYLES.index(PACE))
        gait[paces] = GAITS.index("slow pace") + (speeds[paces] > slow)
        weights = scipy.ndimage.gaussian_filter1d(np.eye(len(GAITS))[gait], blend * rate, axis=0, mode="nearest")
        for name, seconds in SIT_DOWN_S.items():
            down = _eased(styles == STYLES.index(name), round(seconds * rate))
            weights *= 1 - down[:, None]
            weights[:, GAITS.index(name)] += down
        return weights


def _still(cycles: Sequence[Cycle], posture: str) -> tuple[Cycle, ...]:
    """Return the idle cycles of a posture."""
    return tuple(cycle for cycle in cycles if cycle.speed == 0 and cycle.posture == posture)


def _with_lag(cycles: Sequence[Cycle], body: Skeleton, lag: float) -> tuple[Cycle, ...]:
    """Return the cycles with the front legs lagging `lag` cycles behind the hind legs."""
    return tuple(cycle.with_fore_lag(body, lag) for cycle in cycles)


def _eased(on: NDArray[np.bool_], frames: int) -> Array:
    """Return weights (F) that rise smoothly to 1 at the start of each run of a mask (F), and fall after it."""
    ramp = np.zeros(len(on))
    for frame in range(1, len(on)):
        ramp[frame] = np.clip(ramp[frame - 1] + (1 if on[frame] else -1) / frames, 0.0, 1.0)
    return ramp * ramp * (3 - 2 * ramp)


def paced(cycle: Cycle, speeds: Array) -> tuple[Array, Array]:
    """Return stride frequencies (F), Hz, and factors (F) of stride length with which a cycle has speeds (F), m/s."""
    ratio = np.clip(speeds / cycle.speed, TURNING_STRIDE**2, MAX_PACE_RATIO)
    haste = ratio ** (1 - STRETCH_SHARE)
    return haste / cycle.seconds, np.clip(speeds / cycle.speed, 0.0, MAX_PACE_RATIO) / haste


def froude_speed(number: float, leg: float) -> float:
    """Return the speed, m/s, for a Froude number and a leg length, meters."""
    return float(np.sqrt(number * GRAVITY_M_S2 * leg))

"""Swing clearance: raising a swing foot over the ground, or shifting it along its swing to be clear of steps."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.blending import smooth_falloff
from ...motion.rotations import Array
from ...motion.signals import runs_of
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class SwingClearance(Tuning):
    lift_blend: float = tuned(0.25, "s", 0.02, 1.0)
    """Time over which a foot is raised before an obstacle, and lowered after it."""
    max_overshoot: float = tuned(0.25, "m", 0.0, 0.5)
    """Largest distance that a foot may swing beyond its landing position to be kept back instead of raised."""
    max_shortfall: float = tuned(0.06, "m", 0.0, 0.5)
    """Largest distance before its landing position at which a foot over a higher step is brought forward."""
    min_riser: float = tuned(0.04, "m", 0.0, 0.2)
    """Smallest depth of a foot in the ground, shortly before it lands, at which it counts as over a higher step."""
    min_swing: float = tuned(0.1, "m", 0.0, 0.5)
    """Shortest swing that has a definite direction."""


TUNING: Final = SwingClearance()


def swing_lift(penetrations: Array, in_contact: NDArray[np.bool_], rate: float) -> Array:
    """Return the height (F), meters, by which to raise a swing foot so that it clears the ground.

    The lift rises before each penetration and falls after it along quintic smooth steps; a foot in contact is not
    raised.

    Args:
        penetrations: (F) depth of the foot in the ground, meters; negative above it.
        in_contact: (F) whether the foot is in contact.
        rate: Frame rate, Hz.
    """
    result = np.zeros(len(penetrations))
    reach = max(round(TUNING.lift_blend * rate), 1)
    for start, stop in runs_of(~in_contact & (penetrations > 0)):
        begin, end = _swing_interval(in_contact, int(start))
        before, after = np.arange(start, stop) - begin + 1, end - np.arange(start, stop)
        frames = np.arange(max(begin, start - reach), min(end, stop + reach))
        offsets = frames[:, None] - np.arange(start, stop)
        width = np.where(offsets < 0, np.minimum(before, reach), np.minimum(after, reach))
        lifts = smooth_falloff(np.abs(offsets) / width) * penetrations[start:stop]
        result[frames] = np.maximum(result[frames], lifts.max(axis=1))
    return result


def swing_shift(tips: Array, depths: Array, in_contact: NDArray[np.bool_], rate: float, scale: float) -> Array:
    """Return the displacement (F, 3), meters, world, that moves a swing foot along its swing, clear of steps.

    On stairs a network's foot swings a little into the next step before it lands, or lands before it has passed the
    edge of the last one. It would be raised by the height of a riser, and drop onto its own step within a few frames. A
    foot that is too far ahead is kept back, and one that is too far behind is brought forward.

    Args:
        tips: (F, 3) tips of the toes, meters.
        depths: (F) depth of the foot in the ground, meters; negative above it.
        in_contact: (F) whether the foot is in contact.
        rate: frame rate, Hz.
        scale: size of the body relative to an adult.
    """
    back, forward, ways = np.zeros(len(tips)), np.zeros(len(tips)), np.zeros((len(tips), 2))
    for start, stop in runs_of(~in_contact):
        if start == 0 or stop == len(tips):
            continue
        way = tips[stop, :2] - tips[start - 1, :2]
        if np.linalg.norm(way) < TUNING.min_swing * scale:
            continue
        ways[start:stop] = way / np.linalg.norm(way)
        ahead, deep = (tips[start:stop, :2] - tips[stop, :2]) @ ways[start], depths[start:stop]
        beyond = np.where(deep > 0.0, np.maximum(ahead, 0.0), 0.0)
        if beyond.max() < TUNING.max_overshoot * scale:
            back[start:stop] = beyond
        is_short = (deep > TUNING.min_riser * scale) & (-ahead < TUNING.max_shortfall * scale)
        forward[start:stop] = np.where(is_short, np.maximum(-ahead, 0.0), 0.0)
    along = swing_lift(forward, in_contact, rate) - swing_lift(back, in_contact, rate)
    return np.pad(along[:, None] * ways, ((0, 0), (0, 1)))


def _swing_interval(in_contact: NDArray[np.bool_], frame: int) -> tuple[int, int]:
    """Return the swing around a frame: its first frame, and the frame after its last."""
    before, after = np.flatnonzero(in_contact[:frame]), np.flatnonzero(in_contact[frame:])
    return int(before[-1]) + 1 if len(before) else 0, frame + int(after[0]) if len(after) else len(in_contact)

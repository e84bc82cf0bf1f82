"""Rest: the phase of a standing character stops while both feet stand, and turning on the spot counts as walking.

In labels the phase continues while a character stands, so that it is right at the next strike (PFNN section 4.1). A
network that learns this sways in time with it. Here the phase comes to rest a moment after the last strike, and starts
again when the first foot lifts.
"""

from itertools import pairwise
from typing import Final

import numpy as np

from ..labelling import Labels
from ..motion.rotations import Array

SIT: Final = "sit"
LIE: Final = "lie"
REST_GAITS: Final = (SIT, LIE)
"""Gaits of a resting character, chosen as styles while it stands still."""
REST_PHASES: Final = np.array([0.15, 0.65])
"""Phases, cycles, at which a standing character rests: soon after the strike of the right foot, or of the left."""
SETTLE_S: Final = 0.2
"""Time from the last strike until the phase comes to rest."""
SWING_S: Final = 0.4
"""Time from the end of a rest to the next strike: the swing of the first step."""
MIN_REST_S: Final = 1.2
"""Least time between two strikes with a rest between them."""
STANDING_SHARE: Final = 0.5
"""Share of the frames between two strikes that must be labeled standing for a rest."""
PHASE_TOLERANCE: Final = 0.12
"""Largest distance, cycles, of the phase from 0 or 0.5 at a strike for the strike to count."""
IDLE_RATE_HZ: Final = 10.0
"""Sampling rate of the idling offsets (from the mean standing pose) in a controller's file."""
TURN_AHEAD_S: Final = 0.9
"""Time ahead in which a turn on the spot is detected."""
TURN_IN_PLACE_RAD: Final = 0.5
"""Turn within :data:`TURN_AHEAD_S` from which turning on the spot counts wholly as walking."""


def turning_share(yaws: Array, rate: float) -> Array:
    """Return the coming turn (F), 0 to 1, within :data:`TURN_AHEAD_S`, as a share of :data:`TURN_IN_PLACE_RAD`.

    Args:
        yaws: (F) yaws, radians, continuous.
        rate: frames per second.
    """
    ahead = np.minimum(np.arange(len(yaws)) + round(TURN_AHEAD_S * rate), len(yaws) - 1)
    return np.clip(np.abs(yaws[ahead] - yaws) / TURN_IN_PLACE_RAD, 0.0, 1.0)


def rest_phase(labels: Labels) -> Array:
    """Return the labels' phase (F), cycles, stopped while the character stands between two strikes."""
    phase, rate = labels.phase.astype(float).copy(), labels.frame_rate
    strikes = sorted(
        (int(frame), value)
        for frames, value in ((labels.right_strikes, 0.0), (labels.left_strikes, 0.5))
        for frame in frames
        if abs((phase[frame] - value + 0.5) % 1.0 - 0.5) < PHASE_TOLERANCE
    )
    ends = [(-1, None), *strikes, (len(phase), None)]
    for (start, before), (stop, after) in pairwise(ends):
        first, last = max(start, 0), min(stop, len(phase))
        if last - first < MIN_REST_S * rate:
            continue
        standing = labels.standing[first:last]
        if standing.mean() < STANDING_SHARE:
            continue
        if before is None and after is None:
            phase[first:last] = REST_PHASES[0]
        else:
            phase[first:last] = _resting_cycles(last - first, rate, before, after)
    return phase


def _resting_cycles(count: int, rate: float, before: float | None, after: float | None) -> Array:
    """Return the phase in each frame between two strikes, with a rest in between.

    Args:
        count: number of frames, from the first strike to before the second.
        rate: frames per second.
        before: phase of the strike before, 0 or 0.5; ``None`` if the clip begins in the rest.
        after: phase of the strike after; ``None`` if the clip ends in the rest.
    """
    settle, swing = SETTLE_S * rate, SWING_S * rate
    lead, tail = REST_PHASES[0], 0.5 - REST_PHASES[0]
    times, cycles = [], []
    if before is not None:
        times += [0.0, settle]
        cycles += [before, before + lead]
    if after is not None:
        arrival = after - tail if before is None else before + lead + (after - tail - before - lead) % 1.0
        if before is not None and arrival - cycles[-1] > 0.0:
            # The other foot steps next: the phase moves slowly to the other resting phase, which looks alike.
            middle = (settle + count - swing) / 2
            times.append(middle - (middle - settle) / 3)
            cycles.append(cycles[-1])
            times.append(middle + (middle - settle) / 3)
            cycles.append(arrival)
        times += [count - swing, float(count)]
        cycles += [arrival, arrival + tail]
    # Rounded, so that a phase at rest is exactly constant.
    return np.round(np.interp(np.arange(count), times, cycles), 12) % 1.0

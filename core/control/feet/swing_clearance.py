"""How much higher a foot goes where ground is in the way of its swing."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.blending import fade
from ...motion.rotations import Array
from ...motion.signals import runs_of

LIFT_BLEND_S: Final = 0.25
"""Seconds over which a foot is lifted before what is in its way, and lowered behind it."""


def swing_lift(penetrations: Array, in_contact: NDArray[np.bool_], rate: float) -> Array:
    """How much (F), metres, a foot goes higher that would be so deep (F) in the ground.

    Every depth is met by a smooth rise around it, which ends where the foot stands; where it stands it stays.

    Args:
        penetrations: metres; negative is above the ground.
        in_contact: (F) where the foot stands.
        rate: frames a second.
    """
    result = np.zeros(len(penetrations))
    reach = max(round(LIFT_BLEND_S * rate), 1)
    for start, stop in runs_of(~in_contact & (penetrations > 0)):
        begin, end = _swing_interval(in_contact, int(start))
        before, after = np.arange(start, stop) - begin + 1, end - np.arange(start, stop)
        frames = np.arange(max(begin, start - reach), min(end, stop + reach))
        away = frames[:, None] - np.arange(start, stop)
        width = np.where(away < 0, np.minimum(before, reach), np.minimum(after, reach))
        rises = fade(np.abs(away) / width) * penetrations[start:stop]
        result[frames] = np.maximum(result[frames], rises.max(axis=1))
    return result


def _swing_interval(in_contact: NDArray[np.bool_], frame: int) -> tuple[int, int]:
    """The first frame and the one after the last of the swing about a frame."""
    before, after = np.flatnonzero(in_contact[:frame]), np.flatnonzero(in_contact[frame:])
    return int(before[-1]) + 1 if len(before) else 0, frame + int(after[0]) if len(after) else len(in_contact)

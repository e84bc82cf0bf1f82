"""Bipedal phase (PFNN section 4.1): the right foot's strike is 0, the left foot's is half a cycle (pi) on."""

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

from ..motion.rotations import Array

CLOSEST_STRIKES: Final = 0.25
SHORTEST_CYCLE: Final = 0.25
STANDING_CYCLE: Final = 1.0

Frames = NDArray[np.intp]


def find_strikes(contacts: Array, rate: float) -> tuple[Frames, Frames]:
    """The frames at which the left and the right foot come down, from contacts (F, 4) in ``contacts.JOINTS`` order.

    A foot is down while its heel or its toe is. Strikes of one foot closer than 0.25 s are one strike; a foot that is
    down at the first frame has no strike there, since nobody knows when it came down.
    """
    down = np.stack([contacts[:, :2].max(axis=1), contacts[:, 2:].max(axis=1)], axis=1) > 0.5
    left, right = (np.flatnonzero(~foot[:-1] & foot[1:]) + 1 for foot in down.T)
    return _merge_close(left, rate), _merge_close(right, rate)


def _merge_close(strikes: Frames, rate: float) -> Frames:
    kept: list[int] = []
    for strike in strikes:
        if not kept or strike - kept[-1] >= CLOSEST_STRIKES * rate:
            kept.append(int(strike))
    return np.array(kept, dtype=np.intp)


def find_phase(left: Frames, right: Frames, standing: NDArray[np.bool_], rate: float) -> Array:
    """Phase (F) in cycles [0, 1), from the strikes of both feet and the standing frames.

    Between strikes the phase is a monotone cubic, so that its rate has no steps. Before the first strike and after the
    last it runs on at the clip's median rate; time spent standing adds whole cycles of one second, so that the phase
    goes on cycling and is right again at the next strike.
    """
    count = len(standing)
    frames, sides = _ordered(left, right, SHORTEST_CYCLE / 2 * rate)
    if len(frames) == 0:
        return np.arange(count) / (rate * STANDING_CYCLE) % 1.0
    gaps = np.diff(frames)
    same = sides[1:] == sides[:-1]
    moving = np.array([np.count_nonzero(~standing[a:b]) for a, b in pairwise(frames)], dtype=float)
    advance = np.where(same, 1.0, 0.5)
    idle = np.rint((gaps - moving) / (rate * STANDING_CYCLE))
    advance = advance + np.where(gaps - moving > 0.5 * rate * STANDING_CYCLE, idle, 0.0)
    pace = np.median(advance / gaps) if len(gaps) else 1 / (rate * STANDING_CYCLE)
    pace = min(pace, 1 / (SHORTEST_CYCLE * rate))
    at = np.concatenate([[frames[0] - count], frames, [frames[-1] + count]])
    start = 0.5 * sides[0]
    phases = start + np.concatenate([[-pace * count], [0.0], np.cumsum(advance), [advance.sum() + pace * count]])
    return PchipInterpolator(at, phases)(np.arange(count)) % 1.0


def _ordered(left: Frames, right: Frames, closest: float) -> tuple[Frames, NDArray[np.intp]]:
    """All strikes in time and their sides, 0 right and 1 left; of two closer than ``closest`` frames the first."""
    frames = np.concatenate([right, left])
    sides = np.concatenate([np.zeros(len(right), dtype=np.intp), np.ones(len(left), dtype=np.intp)])
    order = np.argsort(frames, kind="stable")
    frames, sides = frames[order], sides[order]
    kept: list[int] = []
    for index, frame in enumerate(frames):
        if not kept or frame - frames[kept[-1]] >= closest:
            kept.append(index)
    return frames[kept], sides[kept]

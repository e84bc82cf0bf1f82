"""Foot strikes and toe-offs from the motion of the feet relative to the pelvis (Zeni, Richards and Higginson 2008).

A foot strikes roughly when its heel is farthest ahead of the pelvis, and leaves the ground roughly when its toe is
farthest behind. Without thresholds of speed or height, captured feet, which slide and roll, and locked feet of bakes
give the same events.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..motion import Clip
from ..motion.roles import LOCOMOTION_ROLES
from ..motion.rotations import Array, normalize
from ..motion.signals import low_pass
from .motion_detail import smooth_root_path
from .speed import moving_frames, travel_speed

EVENT_CUTOFF_HZ: Final = 6.0
"""Cutoff of the filter of the feet's tracks, usual in gait analysis (Winter 2009)."""
MIN_STRIDE_S: Final = 0.3
"""Shortest time between two strikes of one foot; a sprinter's stride takes 0.45 s."""
MIN_EXCURSION_SHARE: Final = 0.3
"""Least travel of a swinging foot relative to the pelvis, as a share of its usual one."""
STEADY_SPEED_SHARE: Final = 0.75
"""Share of a clip's median travel speed below which a character counts as starting, stopping or turning."""


@dataclass(frozen=True, eq=False)
class FootEvents:
    """Events of one foot, in fractional frames.

    Attributes:
        strikes: (S) times at which the foot lands.
        toe_offs: (T) times at which the foot leaves the ground.
    """

    strikes: Array
    toe_offs: Array


def find_events(clip: Clip) -> dict[str, FootEvents]:
    """Return strikes and toe-offs of the left (``"L"``) and right (``"R"``) foot while the root travels steadily.

    Starts, stops and sharp turns, in which a foot may be ahead of the pelvis without a step, are left out.

    Args:
        clip: the motion, on level ground.

    Raises:
        FootfallError: the skeleton lacks hips, legs or feet.
    """
    clip.skeleton.require_roles(LOCOMOTION_ROLES)
    roots = clip.positions[:, clip.skeleton.joint("hips"), :2]
    if len(clip) < MIN_STRIDE_S * clip.rate:
        return {side: FootEvents(np.zeros(0), np.zeros(0)) for side in "LR"}
    heading = travel_directions(roots, clip.rate)
    steady = steady_frames(roots, clip.rate)
    events = {}
    for side in "LR":
        foot = clip.skeleton.joint(f"foot.{side}")
        toe = clip.skeleton.roles.get(f"toe.{side}", foot)
        ahead, behind = (
            low_pass(np.sum((clip.positions[:, joint, :2] - roots) * heading, axis=-1), clip.rate, EVENT_CUTOFF_HZ)
            for joint in (foot, toe)
        )
        events[side] = FootEvents(_peaks(ahead, steady, clip.rate), _peaks(-behind, steady, clip.rate))
    return events


def travel_directions(roots: Array, rate: float) -> Array:
    """Return unit directions of travel (F, 2) of root positions (F, 2), meters, without the sway of steps."""
    return normalize(np.gradient(smooth_root_path(roots, rate), axis=0))


def steady_frames(roots: Array, rate: float) -> NDArray[np.bool_]:
    """Return a mask (F) of frames in which a root (F, 2), meters, is faster than 3/4 of its median travel speed."""
    speeds = travel_speed(roots, rate)
    return speeds > STEADY_SPEED_SHARE * np.median(speeds[moving_frames(roots, rate)])


def _peaks(values: Array, steady: NDArray[np.bool_], rate: float) -> Array:
    """Return the times (N), frames, at which values (F) peak in steady frames, by parabolas through three values."""
    if not steady.any():
        return np.zeros(0)
    low, high = np.percentile(values[steady], [5, 95])
    found, _ = scipy.signal.find_peaks(
        values, distance=max(round(MIN_STRIDE_S * rate), 1), prominence=max(MIN_EXCURSION_SHARE * (high - low), 1e-6)
    )
    found = found[steady[found]]
    before, at, after = (values[found + shift] for shift in (-1, 0, 1))
    bend = before - 2 * at + after
    return found + np.where(bend < 0, (before - after) / (2 * np.where(bend < 0, bend, 1.0)), 0.0)

"""Stances: the long contact of a creeping foot becomes several places where the foot stands, with steps in between.

A network's feet creep while it turns on the spot, sits down or gets up. One place for the whole contact would be far
from the foot at both of its ends, where the foot would have to be let go while it bears the body.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.proportions import TOE_JOINT_HEIGHT_M
from ...motion.rotations import UP, Array, length
from ...motion.signals import runs_of
from ...retarget.contacts import SolePoints
from ...terrain.ground import Scene, ground_heights_at
from ...tuning import Tuning, tuned
from . import sole_solver


@dataclass(frozen=True, slots=True)
class Stances(Tuning):
    tolerance: float = tuned(0.1, "m", 0.01, 0.5)
    """Distance from its place at which a foot costs one second for each second that it stands there."""
    step_cost: float = tuned(0.5, "s", 0.05, 5.0)
    """Cost of a step to another place."""
    hop_cost: float = tuned(5.0, "s", 0.05, 10.0)
    """Cost of the same while the other foot does not stand."""
    interval: float = tuned(1 / 15, "s", 0.01, 0.5)
    """Time between two frames at which a step may begin."""
    step_time: float = tuned(0.25, "s", 0.1, 1.0)
    """Shortest time of a step; the other foot has to stand for twice this time."""

    glide: tuple[float, float] = tuned((0.1, 1.0), "s", 0.0, 3.0)
    """Shortest and longest time without a standing foot that is a glide."""
    glide_height: float = tuned(0.08, "m", 0.02, 0.3)
    """Height of the lower ball of a foot above its height in standing up to which a foot may glide along the ground."""
    walking_speed: float = tuned(2.0, "m/s", 0.5, 4.0)
    """Speed of the hips above which a body without a standing foot runs."""
    falling: float = tuned(-4.0, "m/s^2", -9.81, 0.0)
    """Vertical acceleration of the hips below which a body without a standing foot jumps."""


TUNING: Final = Stances()


def stand_in_glides(
    held: NDArray[np.bool_], hips: Array, balls: Sequence[Array], ground: Scene, rate: float, scale: float
) -> None:
    """Let both feet stand, in contacts (F, 4) of heels and balls, in place, where a slow body glides on neither foot.

    A network may let go of one foot long before the other lands. The contacts are then divided into small steps.

    Args:
        held: contacts of heel and ball, left foot first.
        hips: (F, 3) positions of the hips, meters.
        balls: (F, 3) positions of the ball of each foot, meters.
        ground: the ground, at rest.
        rate: frames per second.
        scale: size of the body relative to an adult.
    """
    velocities = np.gradient(scipy.ndimage.gaussian_filter1d(hips, rate / 30, axis=0), 1 / rate, axis=0)
    for start, stop in runs_of(np.asarray(~held.any(axis=1))):
        if start == 0 or stop == len(held) or not TUNING.glide[0] < (stop - start) / rate < TUNING.glide[1]:
            continue
        if min(_largest_height(ball[start:stop], ground, scale) for ball in balls) > TUNING.glide_height * scale:
            continue
        speed = float(length(hips[stop, :2] - hips[start, :2])) * rate / (stop - start)
        acceleration = (velocities[stop, 2] - velocities[start, 2]) * rate / (stop - start)
        if speed < TUNING.walking_speed * scale and acceleration > TUNING.falling:
            held[start:stop, [1, 3]] = True


def _largest_height(ball: Array, ground: Scene, scale: float) -> float:
    """Return the largest height, meters, of a ball of a foot (F, 3) above its height in standing; infinite off it."""
    below = ground_heights_at(ground, ball + UP * sole_solver.TUNING.probe_height * scale)
    return float(np.nan_to_num(ball[:, 2] - TOE_JOINT_HEIGHT_M * scale - below, nan=np.inf).max())


def divide_contacts(held: NDArray[np.bool_], soles: tuple[SolePoints, SolePoints], rate: float, scale: float) -> None:
    """Interrupt long contacts of heels and balls, in place, for a short step wherever the foot has crept away.

    Args:
        held: (F, 4) whether heel and ball of the left, then of the right foot are in contact.
        soles: heel and ball of the left and the right foot, with the motion of the ground taken out.
        rate: frames per second.
        scale: size of the body relative to an adult.
    """
    half = max(round(TUNING.step_time / 2 * rate), 1)
    for side, points in enumerate(soles):
        own, other = held[:, 2 * side : 2 * side + 2], held[:, 2 - 2 * side : 4 - 2 * side].any(axis=1)
        costs = np.where(scipy.ndimage.binary_erosion(other, iterations=2 * half), TUNING.step_cost, TUNING.hop_cost)
        track = np.concatenate([points.heel[:, :2], points.ball[:, :2]], axis=1)
        for start, stop in runs_of(np.asarray(own.any(axis=1))):
            for frame in _step_frames(track[start:stop], costs[start:stop], rate, scale):
                own[start + frame - half : start + frame + half] = False


def _step_frames(track: Array, step_costs: Array, rate: float, scale: float) -> list[int]:
    """Return the frames at which a foot steps to another place within a contact, in order, by dynamic programming.

    Args:
        track: (F, 4) heel and ball, meters.
        step_costs: (F) cost of a step at each frame, seconds.
        rate: frames per second.
        scale: size of the body relative to an adult.
    """
    stride = max(round(TUNING.interval * rate), 1)
    unit = 2 * (TUNING.tolerance * scale) ** 2 * rate
    centered = track - track.mean(axis=0)
    if float(np.sum(centered**2)) / unit <= step_costs.min():
        return []
    ends = np.append(np.arange(0, len(track) - 2 * stride, stride), len(track))
    sums = np.concatenate([np.zeros((1, 4)), np.cumsum(centered, axis=0)])[ends]
    squares = np.concatenate([[0.0], np.cumsum(np.sum(centered**2, axis=1))])[ends]
    costs, befores = np.zeros(len(ends)), np.zeros(len(ends), dtype=np.intp)
    for at in range(1, len(ends)):
        frames = ends[at] - ends[:at]
        spread = squares[at] - squares[:at] - np.sum((sums[at] - sums[:at]) ** 2, axis=1) / frames
        total = costs[:at] + spread / unit + np.where(np.arange(at) > 0, step_costs[ends[:at]], 0.0)
        befores[at] = int(np.argmin(total))
        costs[at] = total[befores[at]]
    found: list[int] = []
    at = int(befores[-1])
    while at > 0:
        found.append(int(ends[at]))
        at = int(befores[at])
    return found[::-1]

"""Sequence of the hands that hold a ball, chosen frame by frame by dynamic programming.

The model is semi-Markov: the cost of a held frame is the hands' evidence against a contact; the cost of a free segment
is the evidence for contacts in it, plus the difference between the velocities that the hands predict and those of the
flight, bounce or roll that joins release and catch.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array
from ..motion.signals import Mask
from .cue_model import MASKS, BallEvidence
from .free_motion import BallPhysics, bounce_velocities, direct_velocities
from .hands import CUE_RATE_HZ

MAX_FREE_FRAMES: Final = 90
"""Longest free segment with a computed flight; in a longer one, one ball leaves and another arrives."""
FRAME_WEIGHT: Final = 0.5
"""Factor on each frame's log-odds: neighboring frames are correlated, so each counts less than one observation."""
VELOCITY_SIGMA_M_S: Final = 2.0
"""Standard deviation of the velocities predicted from the hands."""
MAX_DEVIATION_COST: Final = 3.0
"""Cost of a velocity that contradicts the prediction entirely."""
FREE_COST: Final = 1.0
"""Cost of a free segment."""
GAP_COST: Final = 4.0
"""Additional cost of a free segment with an unknown motion."""
SWITCH_COST: Final = 0.5
"""Cost per hand that joins or leaves while the ball stays held."""
LYING_HEIGHT_RADII: Final = 3.0
"""Height of the center above the floor, in radii, below which a hand can take a ball from the floor or put it there."""
MAX_ROLL_SPEED_M_S: Final = 1.5
"""Largest speed of a ball that rolls between two hands at the floor."""

FREE: Final = -1
"""Value in ``grasps`` while no hand holds the ball."""


@dataclass(frozen=True, slots=True, eq=False)
class ContactSequence:
    """The hands that hold a ball, frame by frame.

    Attributes:
        grasps: (F) index in ``MASKS`` of the hands that hold the ball; :data:`FREE` if none does.
        cost: cost of the sequence minus that of a clip without a ball; negative if the hands indicate a ball.
    """

    grasps: NDArray[np.intp]
    cost: float

    @property
    def contacts(self) -> Mask:
        """Mask (F, 2), true while the left and the right hand hold the ball."""
        return np.array([*MASKS, (False, False)])[self.grasps]


def find_contact_sequence(evidence: BallEvidence, physics: BallPhysics) -> ContactSequence:
    """Return the sequence of holds and free segments of a ball that agrees best with the evidence from the hands."""
    frames = len(evidence.log_odds)
    touching = FRAME_WEIGHT * np.logaddexp(0.0, -evidence.log_odds)
    apart = FRAME_WEIGHT * np.logaddexp(0.0, evidence.log_odds)
    held = np.stack([np.where(mask, touching, apart).sum(axis=1) for mask in MASKS], axis=1)
    free = np.concatenate([[0.0], np.cumsum(apart.sum(axis=1))])
    physical = _free_costs(evidence, physics)
    switch = np.array([[SWITCH_COST * sum(np.not_equal(a, b)) for b in MASKS] for a in MASKS])
    best = np.full((frames, len(MASKS)), np.inf)
    came_from = np.zeros((frames, len(MASKS), 2), dtype=np.intp)
    longest = min(MAX_FREE_FRAMES, frames)
    gap, gap_end = np.inf, (0, 0)
    for frame in range(frames):
        # without a contact before
        choices, sources = [np.full(3, free[frame] + FREE_COST * (frame > 0))], [np.full((3, 2), -1)]
        if frame:
            stay = best[frame - 1][:, None] + switch
            choices.append(stay.min(axis=0))
            sources.append(np.stack([np.full(3, frame - 1), stay.argmin(axis=0)], axis=1))
        count = min(longest, frame - 1)
        if count > 0:
            ends = frame - 1 - np.arange(1, count + 1)
            cost = best[ends][:, :, None] + physical[:count, frame] + (free[frame] - free[ends + 1])[:, None, None]
            flat = (cost + FREE_COST).reshape(-1, 3)
            least = flat.argmin(axis=0)
            choices.append(flat[least, range(3)])
            sources.append(np.stack([ends[least // 3], least % 3], axis=1))
        if frame > longest:
            last = frame - 1 - longest
            value = best[last].min() - free[last + 1]
            if value < gap:
                gap, gap_end = value, (last, int(best[last].argmin()))
            choices.append(np.full(3, gap + free[frame] + GAP_COST))
            sources.append(np.tile(gap_end, (3, 1)))
        table = np.stack(choices)
        which = table.argmin(axis=0)
        best[frame] = table[which, range(3)] + held[frame]
        came_from[frame] = np.stack(sources)[which, range(3)]
    closing = best + (free[-1] - free[1:] + FREE_COST * (np.arange(frames) < frames - 1))[:, None]
    last, grasp = np.unravel_index(int(closing.argmin()), closing.shape)
    return ContactSequence(_traced(came_from, int(last), int(grasp)), float(closing.min() - free[-1]))


def can_lie(center: Array, physics: BallPhysics) -> Mask:
    """Return whether balls (...) at ``center`` (..., 3) are low enough to be picked from, or put on, the floor."""
    return center[..., 2] < LYING_HEIGHT_RADII * physics.radius


def _traced(came_from: NDArray[np.intp], last: int, grasp: int) -> NDArray[np.intp]:
    """Trace back from the last held frame, and return the grasps (F) that lead to it."""
    grasps = np.full(len(came_from), FREE)
    frame = last
    while frame >= 0:
        grasps[frame] = grasp
        frame, grasp = came_from[frame, grasp]
    return grasps


def _free_costs(evidence: BallEvidence, physics: BallPhysics) -> NDArray[np.float32]:
    """Return costs (D, F, 3, 3) of free segments by duration, frame of the catch, and grasps at release and catch."""
    centers, frames = evidence.centers, len(evidence.centers)
    costs = np.full((min(MAX_FREE_FRAMES, frames), frames, 3, 3), np.inf, dtype=np.float32)
    for count in range(1, min(MAX_FREE_FRAMES, frames - 2) + 1):
        start, end = centers[: -count - 1, :, None], centers[count + 1 :, None, :]
        released, caught = evidence.released[: -count - 1, :, None], evidence.caught[count + 1 :, None, :]
        shape = (frames - count - 1, 3, 3)
        start, end = np.broadcast_to(start, (*shape, 3)), np.broadcast_to(end, (*shape, 3))
        duration = np.full(shape, (count + 1) / CUE_RATE_HZ)
        first, last, _ = bounce_velocities(start, end, duration, physics)
        cost = _deviation_cost(first, released) + _deviation_cost(last, caught)
        first, last = direct_velocities(start, end, duration, physics)
        cost = np.minimum(cost, _deviation_cost(first, released) + _deviation_cost(last, caught))
        speed = np.linalg.norm(end - start, axis=-1) / duration
        rolls = can_lie(start, physics) & can_lie(end, physics) & (speed < MAX_ROLL_SPEED_M_S)
        costs[count - 1, count + 1 :] = np.where(rolls, np.minimum(cost, 1.0), cost)
    return costs


def _deviation_cost(velocity: Array, told: Array) -> Array:
    """Return the cost (...) of ball velocities (..., 3) that deviate from the predicted ones (..., 3)."""
    squares = ((velocity - told) ** 2).sum(axis=-1)
    return np.minimum(0.5 * squares / VELOCITY_SIGMA_M_S**2, MAX_DEVIATION_COST)

"""Hands on the ground: held in place where they touch it, and kept above it elsewhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.rotations import Array, multiply, rotate, rotation_between
from ...motion.signals import runs_of
from ...scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...tuning import Tuning, tuned

HANDS: Final = ("hand.L", "hand.R")


@dataclass(frozen=True, slots=True)
class GroundHands(Tuning):
    """Tuned numbers of hands on the ground."""

    hand_height: float = tuned(0.03, "m", 0.0, 0.1)
    """Height of wrist and fingertips of a hand on the ground."""
    lift_smoothing: float = tuned(4.0, "frames", 0.5, 30.0)
    """Standard deviation of the Gaussian that smooths how far hands are lifted out of the ground."""
    min_hold: float = tuned(0.2, "s", 0.0, 1.0)
    """Shortest contact for which a hand is held in place on the ground."""
    max_drift: float = tuned(0.15, "m", 0.0, 0.5)
    """Largest travel of a hand during a contact in which it is held in place; beyond it, the hand may slide."""


TUNING: Final = GroundHands()


def raise_hands(clip: Clip) -> Clip:
    """Return a clip with every wrist and fingertip at least ``TUNING.hand_height`` above the ground."""
    goals = []
    for role in HANDS:
        joint = clip.skeleton.joint(role)
        wrist, own = clip.positions[:, joint].copy(), clip.world[1][:, joint]
        wrist[:, 2] += _smooth_lift(TUNING.hand_height - wrist[:, 2])
        hand = rotate(own, np.tile(clip.skeleton.bone_vectors[joint], (len(clip), 1)))
        raised = hand + np.array([0.0, 0.0, 1.0]) * _smooth_lift(TUNING.hand_height - wrist[:, 2] - hand[:, 2])[:, None]
        goals.append(EffectorGoal(role, wrist, np.ones(len(clip)), multiply(rotation_between(hand, raised), own)))
    return solve_full_body_ik(clip, goals)


def _smooth_lift(missing: Array) -> Array:
    """Return a smooth lift (F), meters, that is at least the missing height (F), meters, and 0 far from it."""
    held = scipy.ndimage.maximum_filter1d(np.maximum(missing, 0.0), 4 * round(2 * TUNING.lift_smoothing) + 1)
    return scipy.ndimage.gaussian_filter1d(held, TUNING.lift_smoothing)


def hand_goals_on_ground(clip: Clip, touches: NDArray[np.bool_]) -> Iterator[EffectorGoal]:
    """Yield the goals that hold each hand in place during its contacts with the ground.

    Args:
        clip: F frames.
        touches: (F, 2) whether the left and the right hand touch the ground.
    """
    for side, role in enumerate(HANDS):
        own = clip.positions[:, clip.skeleton.joint(role)]
        wanted, held = own.copy(), np.zeros(len(clip))
        for start, stop in runs_of(touches[:, side]):
            place = np.median(own[start:stop, :2], axis=0)
            drift = np.linalg.norm(own[start:stop, :2] - place, axis=1).max()
            if stop - start >= TUNING.min_hold * clip.rate and drift < TUNING.max_drift:
                wanted[start:stop, :2], held[start:stop] = place, 1.0
        if held.any():
            # Outside of a hold the correction fades with its weight.
            correction = scipy.ndimage.gaussian_filter1d((wanted - own) * held[:, None], TUNING.lift_smoothing, axis=0)
            yield EffectorGoal(role, own + correction, np.ones(len(clip)))

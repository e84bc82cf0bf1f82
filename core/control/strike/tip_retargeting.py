"""Retargeting of blows that strike with the tip of a weapon's bone, as :mod:`.blow_retargeting` does for hands."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...labelling.semantics.blows import Blow
from ...motion import Clip
from ...motion.kinematics import forward_kinematics
from ...motion.rotations import Array, rotate
from ...motion.signals import Mask
from ...motion.weapons import tip_in_hand, weapon_role
from ...tuning import Tuning, tuned
from .blow_retargeting import RetargetedBlows, retarget_blow


@dataclass(frozen=True, slots=True)
class TipRetargetingTuning(Tuning):
    solutions: int = tuned(16, "1", 1, 100)
    """Largest number of IK solutions; after each, a limb's target is corrected for the new rotation of its end."""
    max_step: float = tuned(0.15, "m", 0.01, 1.0)
    """Largest change of a limb's target from one solution to the next."""
    settled: float = tuned(2e-4, "m", 1e-6, 0.01)
    """Distance of a tip from its target below which no correction is needed."""


TUNING: Final = TipRetargetingTuning()


class BroydenSteps:
    """Corrections of the IK targets of N limbs, so that points fixed to the limbs' ends, such as tips, reach targets.

    The next correction is estimated from the effect of the last one (Broyden's method).

    Args:
        count: number N of limbs.
    """

    def __init__(self, count: int) -> None:
        self._correction = np.tile(np.eye(3), (count, 1, 1))
        self._step, self._left = np.zeros((count, 3)), np.zeros((count, 3))

    def next(self, left: Array) -> Array:
        """Return the next corrections (N, 3) of IK targets, meters, given the vectors (N, 3) from points to targets."""
        for row in range(len(left)):
            step, correction = self._step[row], self._correction[row]
            seen = correction @ (self._left[row] - left[row])
            if step @ seen > 1e-12:
                self._correction[row] = correction + np.outer(step - seen, step @ correction) / (step @ seen)
        step = np.einsum("nij,nj->ni", self._correction, left)
        length = np.linalg.norm(step, axis=-1, keepdims=True)
        self._step, self._left = step * np.minimum(1.0, TUNING.max_step / np.maximum(length, 1e-9)), left
        return self._step


def retarget_strike(clip: Clip, blow: Blow, targets: Array) -> RetargetedBlows:
    """Return a blow retargeted to hit targets (N, 3), world, meters, with the weapon's tip or, without one, the joint.

    The weapon keeps its motion relative to the hand.

    Raises:
        FootfallError: a target is not finite, or the skeleton has no arms or legs.
    """
    if weapon_role(clip.skeleton, blow.effector) == blow.effector:
        return retarget_blow(clip, blow, targets)
    hand, tip = clip.skeleton.joint(blow.effector), tip_in_hand(clip, blow.apex, blow.effector)
    places = targets - rotate(clip.world[1][blow.apex, hand], tip)
    steps, best, misses = BroydenSteps(len(targets)), None, np.full(len(targets), np.inf)
    for _ in range(TUNING.solutions):
        made = retarget_blow(clip, blow, places)
        at = made.blow.apex
        positions, turns = forward_kinematics(clip.skeleton, made.root_positions[:, at], made.rotations[:, at])
        left = targets - positions[:, hand] - rotate(turns[:, hand], np.broadcast_to(tip, targets.shape))
        now = np.linalg.norm(left, axis=-1)
        best = made if best is None else _nearer(best, made, now < misses)
        misses = np.minimum(misses, now)
        if misses.max() < TUNING.settled:
            break
        places = places + steps.next(left)
    assert best is not None
    return replace(best, targets=targets, misses=misses)


def _nearer(one: RetargetedBlows, other: RetargetedBlows, chosen: Mask) -> RetargetedBlows:
    """Return one solution of the blows with those where `chosen` (N) is true replaced with another solution's."""
    names = "root_positions", "rotations", "foot_errors", "flexions"
    arrays = {name: getattr(one, name).copy() for name in names}
    for name, values in arrays.items():
        values[chosen] = getattr(other, name)[chosen]
    return replace(one, **arrays)

"""The line from a limb's root to the target of a strike, and obstacles between them."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.rotations import Array, length
from ...scene.interaction_object import InteractionObject
from ...tuning import Tuning, tuned
from .activity import Situation, Stage
from .furniture import around_furniture


@dataclass(frozen=True, slots=True)
class LineOfReachTuning(Tuning):
    """Tuned numbers of the lines from limbs to targets."""

    near_target: float = tuned(0.15, "m", 0.0, 0.5)
    """Distance from an adult's target within which things count as struck, not as being in the way."""


TUNING: Final = LineOfReachTuning()


def is_blocked(stage: Stage, situation: Situation, start: Array, target: Array, size: float) -> bool:
    """Return whether ground, an obstacle or an object other than the struck one is between a limb and its target.

    Args:
        stage: stage of the shot.
        situation: the situation.
        start: (3) root of the limb, such as a shoulder, meters, world.
        target: (3) target, meters, world.
        size: size of the body relative to an adult's, 1 for an adult.
    """
    way = float(length(target - start))
    end = start + max(1.0 - TUNING.near_target * size / max(way, 1e-6), 0.0) * (target - start)
    others = [
        one
        for at, one in enumerate(situation.objects)
        if at != situation.used and not _holds(one, target / stage.scale)
    ]
    scene = around_furniture(stage.scene, others, stage.scale)
    things = [one for one in (scene.ground, scene.obstacles) if one is not None]
    return any(bool(one.blocked(start[None], end[None])[0]) for one in things)


def _holds(one: InteractionObject, target: Array) -> bool:
    """Return whether a target (3), meters of the controllers, is within an object's bounds, and so is struck."""
    lower, upper = one.collider.bounds
    place, margin = one.posed_collider.to_local(target), TUNING.near_target
    return bool(np.all(place > lower - margin) and np.all(place < upper + margin))

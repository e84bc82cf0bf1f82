"""Strike orders: an end effector, its target and the frame of the hit."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...errors import FootfallError
from ...features.strikes import EFFECTORS
from ...motion.rotations import Array


@dataclass(frozen=True, slots=True, eq=False)
class StrikeOrder:
    """One requested strike.

    Attributes:
        frame: frame of the motion, at the controller's rate, at which the end effector is at the target.
        target: (3) point to hit, meters, world, with the tip if the controller's skeleton has a weapon bone, otherwise
            with the joint; (F, 3) for a moving target, one point per frame, the last of which persists.
        effector: role of the end effector, one of ``features.strikes.EFFECTORS``.
        weapon: whether both hands hold one weapon.
    """

    frame: int
    target: Array
    effector: str
    weapon: bool = False

    def target_at(self, frame: int) -> Array:
        """Return the target (3), meters, world, at a frame."""
        return self.target if self.target.ndim == 1 else self.target[min(max(frame, 0), len(self.target) - 1)]


def require_orders(orders: Sequence[StrikeOrder]) -> None:
    """Raise :class:`FootfallError` unless orders exist, sorted by frame, with known effectors and finite targets."""
    if not orders:
        raise FootfallError("There are no strikes: give at least one target with its frame")
    for order in orders:
        if order.effector not in EFFECTORS:
            raise FootfallError(
                "'{effector}' is not a hand or foot to strike with: choose one of {names}",
                effector=order.effector,
                names=", ".join(EFFECTORS),
            )
        if not np.isfinite(order.target).all():
            raise FootfallError(
                "The target of the attack at frame {frame} has no valid position: move it", frame=order.frame
            )
    for before, after in pairwise(orders):
        if after.frame <= before.frame:
            raise FootfallError(
                "The strikes at frames {before} and {after} are out of order, or at the same frame: sort the "
                "strikes by frame, and give each its own frame",
                before=before.frame,
                after=after.frame,
            )

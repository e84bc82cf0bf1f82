"""Approach positions: free places in front of or beside a seat, from which a character can sit down."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...scene.body_size import BODY_HEIGHT_RANGE_M, STAND_CLEARANCE_M
from ...scene.collider_pose import PosedCollider
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class ApproachPoseTuning(Tuning):
    blocked_penalty: float = tuned(10.0, "m", 0.0, 100.0)
    """Length of a detour that is as bad as standing at a position without any clearance."""
    side_approach: float = tuned(0.55, "m", 0.2, 2.0)
    """Distance from the middle of a seat of a position beside it, from which the character steps in sideways."""
    tie: float = tuned(1e-3, "m", 0.0, 0.1)
    """Difference in length up to which two paths count as equal, so that rounding errors do not decide."""


TUNING: Final = ApproachPoseTuning()


def shortest_way(lengths: Sequence[float]) -> int:
    """Return the index of the shortest path, given lengths in meters; of about equally short ones, the first."""
    return int(np.argmax(np.asarray(lengths) <= min(lengths) + TUNING.tie))


def blocking_penalty(position: Array, obstacles: Sequence[PosedCollider]) -> float:
    """Return the penalty, meters of detour, for standing at a position among obstacles.

    It is zero if the clearance is at least ``STAND_CLEARANCE_M`` less ``TUNING.tie``. For less clearance it grows from
    half of ``TUNING.blocked_penalty`` to all of it, so that of several blocked positions the least blocked is chosen.

    Args:
        position: (2) position, meters, world.
        obstacles: Posed colliders.
    """
    distances = (obstacle.horizontal_distances(position[None], *BODY_HEIGHT_RANGE_M)[0] for obstacle in obstacles)
    clearance = min((float(distance) for distance in distances), default=np.inf) + TUNING.tie
    missing = 1.0 - clearance / STAND_CLEARANCE_M
    return TUNING.blocked_penalty * (1.0 + min(missing, 1.0)) / 2 if missing > 0.0 else 0.0


def approach_position(
    seat: Array,
    facing: Array,
    approach_distance: float,
    sit_distance: float,
    position: Array,
    obstacles: Sequence[PosedCollider],
) -> Array:
    """Return the position (2) from which a character begins to sit down, meters, world.

    The position is in front of the seat or, if that place is blocked, as by a desk, at the nearer free side of the
    seat, from which the character steps in sideways.

    Args:
        seat: (2) middle of the seat, meters, world.
        facing: (2) unit vector of the seated character's facing, world.
        approach_distance: Distance, meters, in front of the seat at which an unobstructed approach ends.
        sit_distance: Distance, meters, in front of the seat at which sitting down begins.
        position: (2) current position of the character, meters, world.
        obstacles: All other obstacles.
    """
    front = seat + approach_distance * facing
    if not blocking_penalty(front, obstacles):
        return front
    across = np.array([facing[1], -facing[0]])
    sides = [seat + sit_distance * facing + sign * TUNING.side_approach * across for sign in (-1.0, 1.0)]
    candidates = [front, *sides]
    ways = [blocking_penalty(one, obstacles) + float(np.linalg.norm(one - position)) for one in candidates]
    return candidates[shortest_way(ways)]

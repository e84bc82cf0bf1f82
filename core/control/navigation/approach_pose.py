"""Where there is room to stand for who comes to do something."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...scene.collider_pose import PosedCollider
from .flow_field import BODY_HEIGHT_RANGE_M

STAND_CLEARANCE_M: Final = 0.2
"""Metres that are free about who stands at a thing's side."""
BLOCKED_PENALTY_M: Final = 10.0
"""Metres that somebody goes rather than to a side where there is no room."""
SIDE_APPROACH_M: Final = 0.55
"""Metres to the side of a seat's middle at which one steps in, from before it, where there is no room farther ahead."""


def blocking_penalty(position: Array, obstacles: Sequence[PosedCollider]) -> float:
    """What it costs, in metres, to stand at a place (2) among things: nothing where there is room."""
    near = any(
        float(one.horizontal_distances(position[None], *BODY_HEIGHT_RANGE_M)[0]) < STAND_CLEARANCE_M
        for one in obstacles
    )
    return BLOCKED_PENALTY_M if near else 0.0


def approach_position(
    seat: Array,
    facing: Array,
    approach_distance: float,
    sit_distance: float,
    position: Array,
    obstacles: Sequence[PosedCollider],
) -> Array:
    """Where (2) somebody comes to who will sit: before the seat, or, where a desk is before it, to the side that is
    nearer; from there they step in sideways.

    Args:
        seat: (2) its middle, metres, world.
        facing: (2) which way one faces there.
        far, near: metres before it at which one comes to it, and at which one begins to sit down.
        position: (2) where somebody is.
        obstacles: what else is about.
    """
    front = seat + approach_distance * facing
    if not blocking_penalty(front, obstacles):
        return front
    across = np.array([facing[1], -facing[0]])
    sides = [seat + sit_distance * facing + sign * SIDE_APPROACH_M * across for sign in (-1.0, 1.0)]
    return min(
        [front, *sides], key=lambda place: blocking_penalty(place, obstacles) + float(np.linalg.norm(place - position))
    )

"""Where there is room to stand for who comes to do something."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...scene.collider_pose import Placed
from .flow_field import HEIGHTS

ROOM: Final = 0.2
"""Metres that are free about who stands at a thing's side."""
BLOCKED: Final = 10.0
"""Metres that somebody goes rather than to a side where there is no room."""
BESIDE: Final = 0.55
"""Metres to the side of a seat's middle at which one steps in, from before it, where there is no room farther ahead."""


def blocked(stand: Array, others: Sequence[Placed]) -> float:
    """What it costs, in metres, to stand at a place (2) among things: nothing where there is room."""
    near = any(float(one.beside(stand[None], *HEIGHTS)[0]) < ROOM for one in others)
    return BLOCKED if near else 0.0


def place_before(
    seat: Array, ahead: Array, far: float, near: float, position: Array, others: Sequence[Placed]
) -> Array:
    """Where (2) somebody comes to who will sit: before the seat, or, where a desk is before it, to the side that is
    nearer; from there they step in sideways.

    Args:
        seat: (2) its middle, metres, world.
        ahead: (2) which way one faces there.
        far, near: metres before it at which one comes to it, and at which one begins to sit down.
        position: (2) where somebody is.
        others: what else is about.
    """
    front = seat + far * ahead
    if not blocked(front, others):
        return front
    across = np.array([ahead[1], -ahead[0]])
    sides = [seat + near * ahead + sign * BESIDE * across for sign in (-1.0, 1.0)]
    return min([front, *sides], key=lambda place: blocked(place, others) + float(np.linalg.norm(place - position)))

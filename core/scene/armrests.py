"""Armrests of a seat, found from its collider: level strips beside the hips on which a forearm rests."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..motion.rotations import Array
from ..motion.signals import runs_of
from .affordances import Seat
from .collider import Collider

HEIGHT_RANGE_M: Final = (0.12, 0.34)
"""Range of heights above the seat for the forearms of a seated adult."""
ASIDE_RANGE_M: Final = (0.14, 0.36)
"""Range of lateral distances from the middle of the seat to the inner edge of an armrest within reach."""
AHEAD_RANGE_M: Final = (-0.15, 0.4)
"""Range of distances ahead of the hips (negative behind) that is searched for an armrest."""
MIN_LENGTH_M: Final = 0.18
"""Least length of a strip that carries a forearm."""
MIN_FRONT_M: Final = 0.1
"""Distance ahead of the hips that an armrest must reach."""
MAX_HALF_WIDTH_M: Final = 0.05
"""Largest distance from an armrest's inner edge to the line on which a forearm rests."""
LEVEL_TOLERANCE_M: Final = 0.03
"""Largest height difference along a level strip, and between its adjacent rows of samples."""
SPACING_M: Final = 0.01
"""Distance between the points at which the collider's height is sampled."""


@dataclass(frozen=True, slots=True, eq=False)
class Armrest:
    """The line on top of an armrest on which a forearm rests.

    Attributes:
        rear: (3) rear end of the line, object space, meters.
        front: (3) front end of the line, object space, meters.
    """

    rear: Array
    front: Array


def find_armrests(collider: Collider, seat: Seat) -> dict[str, Armrest]:
    """Return the armrests within reach of a seated character, by the character's side, ``"L"`` or ``"R"``.

    Args:
        collider: the object, in meters at an adult's scale.
        seat: seat of the object.
    """
    left = np.array([-seat.direction[1], seat.direction[0]])
    found = {side: _find_armrest(collider, seat, sign * left) for side, sign in (("L", 1.0), ("R", -1.0))}
    return {side: armrest for side, armrest in found.items() if armrest is not None}


def _find_armrest(collider: Collider, seat: Seat, outward: Array) -> Armrest | None:
    """Return the armrest of a seat on the side to which ``outward`` (2) points; ``None`` if there is none."""
    aside = np.arange(ASIDE_RANGE_M[0], ASIDE_RANGE_M[1] + 2 * MAX_HALF_WIDTH_M, SPACING_M)
    ahead = np.arange(*AHEAD_RANGE_M, SPACING_M)
    places = seat.position[:2] + aside[:, None, None] * outward + ahead[:, None] * seat.direction
    rises = _top_heights(collider, places.reshape(-1, 2)).reshape(len(aside), len(ahead)) - seat.position[2]
    strips = [_strip(row, ahead) for row in rises]
    inner = next((number for number, strip in enumerate(strips) if strip is not None), None)
    if inner is None or aside[inner] > ASIDE_RANGE_M[1]:
        return None
    first = strips[inner]
    assert first is not None
    width = 0
    for strip in strips[inner:]:
        if strip is None or abs(strip[2] - first[2]) > LEVEL_TOLERANCE_M:
            break
        width += 1
    along = aside[inner] + min((width - 1) * SPACING_M / 2, MAX_HALF_WIDTH_M)
    rear, front, rise = first
    ends = [seat.position[:2] + along * outward + end * seat.direction for end in (rear, front)]
    return Armrest(*(np.append(end, seat.position[2] + rise) for end in ends))


def _strip(rises: Array, ahead: Array) -> tuple[float, float, float] | None:
    """Return the rear end, front end and height of the longest level strip in a row of heights.

    Args:
        rises: (N) heights over the seat along a row, meters.
        ahead: (N) distances ahead of the hips, meters.

    Returns:
        The ends are in meters ahead of the hips, the height in meters above the seat; ``None`` if no strip carries a
        forearm.
    """
    runs = runs_of((rises >= HEIGHT_RANGE_M[0]) & (rises <= HEIGHT_RANGE_M[1]))
    if not len(runs):
        return None
    start, stop = runs[int(np.argmax(runs[:, 1] - runs[:, 0]))]
    rise = float(np.median(rises[start:stop]))
    level = np.abs(rises[start:stop] - rise) <= LEVEL_TOLERANCE_M
    start, stop = start + int(np.argmax(level)), stop - int(np.argmax(level[::-1]))
    rear, front = float(ahead[start]), float(ahead[stop - 1])
    return (rear, front, rise) if front - rear >= MIN_LENGTH_M and front >= MIN_FRONT_M else None


def _top_heights(collider: Collider, places: Array) -> Array:
    """Return the heights (N) of a collider's top at positions (N, 2), meters.

    The height is minus infinity where there is no collider.
    """
    over = ((collider.lower[:, :2] <= places[:, None]) & (places[:, None] <= collider.upper[:, :2])).all(axis=-1)
    return np.where(over, collider.upper[:, 2], -np.inf).max(axis=1, initial=-np.inf)

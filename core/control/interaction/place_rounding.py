"""Rounding of requested positions to a tenth of a millimeter, so that numerical noise does not change a take.

A take is a chain of decisions, each made in one frame. A position read from a file, a parent or another unit may differ
in its seventh digit. A network whose phase stands still, as while a box is held, doubles such a difference every two
frames, until a decision moves to another frame and everything after it changes.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...scene.interaction_object import InteractionObject
from .task import InteractionTask

PLACE_DECIMALS: Final = 4
"""Number of decimals to which horizontal coordinates, meters, are rounded."""


def rounded_places(places: Array) -> Array:
    """Return positions (..., 2) or (..., 3), meters, with their horizontal coordinates rounded to 0.1 mm."""
    rounded = np.array(places, dtype=float)
    rounded[..., :2] = np.round(rounded[..., :2], PLACE_DECIMALS) + 0.0  # -0.0 would turn an angle of pi to -pi
    return rounded


def rounded_object(one: InteractionObject) -> InteractionObject:
    """Return an object whose position has rounded horizontal coordinates."""
    return replace(one, position=rounded_places(one.position))


def rounded_task(task: InteractionTask) -> InteractionTask:
    """Return a task with the horizontal coordinates of its position, if it has one, rounded to 0.1 mm."""
    return task if task.position is None else replace(task, position=rounded_places(task.position))

"""Rounding of requested places to a tenth of a millimeter, so that moving a chair by a hair does not change the take.

A take is a chain of decisions, each made in one frame. A place read from a file, a parent or another unit may differ in
its seventh digit. A network whose phase waits, as while a box is held still, doubles a difference of phases within two
frames, until a decision falls on another frame and everything after it changes.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...scene.interaction_object import InteractionObject
from .task import InteractionTask

PLACE_DECIMALS: Final = 4
"""Decimals of the horizontal coordinates of places, meters."""


def rounded_places(places: Array) -> Array:
    """Return places (..., 2) or (..., 3), meters, with their horizontal coordinates rounded."""
    rounded = np.array(places, dtype=float)
    rounded[..., :2] = np.round(rounded[..., :2], PLACE_DECIMALS)
    return rounded


def rounded_object(one: InteractionObject) -> InteractionObject:
    """Return an object with its position rounded."""
    return replace(one, position=rounded_places(one.position))


def rounded_task(task: InteractionTask) -> InteractionTask:
    """Return a task with its position, if it has one, rounded."""
    return task if task.position is None else replace(task, position=rounded_places(task.position))

"""Places of a request, rounded to a tenth of a millimeter: a chair that is moved by a hair does not make another take.

A take is a chain of decisions, each in one frame. A place that comes from a file, a parent or another unit differs in
its seventh digit; a network whose phase waits before it goes on, as that of a box held still, doubles a difference of
phases within two frames, until a decision falls on another frame, and all that follows with it.
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
    """Return places (..., 2) or (..., 3), meters, with rounded horizontal coordinates."""
    rounded = np.array(places, dtype=float)
    rounded[..., :2] = np.round(rounded[..., :2], PLACE_DECIMALS)
    return rounded


def rounded_object(one: InteractionObject) -> InteractionObject:
    """Return an object at its rounded place."""
    return replace(one, position=rounded_places(one.position))


def rounded_task(task: InteractionTask) -> InteractionTask:
    """Return a task at its rounded place, if it has one."""
    return task if task.position is None else replace(task, position=rounded_places(task.position))

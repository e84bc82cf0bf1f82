"""Lying down on the ground at a position, in a direction, and staying there."""

from typing import Final

from ....errors import FootfallError
from .ground_rest import GroundRest

REACH_M: Final = 1.13
"""Distance, meters, from the root before lying down to the hips of the lying body, as in the captured takes."""


class Lie(GroundRest):
    """The action *lie*: lying down, hips at the task's position and head in its direction, and staying."""

    name = "lie"
    approach_distance = reach_m = REACH_M
    extent_m = (-1.0, 0.8)
    half_width_m = 0.3
    height_m = 0.4

    def no_target(self) -> FootfallError:
        """Return the error for a task that has no position."""
        return FootfallError("There is no target at which to lie down: choose an empty")

    def no_room(self, name: str) -> FootfallError:
        """Return the error for a position at which the object called `name` is in the way."""
        return FootfallError("'{name}' leaves no room to lie down: move or rotate the target", name=name)

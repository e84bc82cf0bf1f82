"""Sitting down on the ground at a position, facing in a direction, and staying there."""

from ....errors import FootfallError
from .ground_rest import GroundRest


class SitGround(GroundRest):
    """The action *sit_ground*: sitting down, hips at the task's position, facing in its direction, and staying."""

    name = "sit_ground"
    reach_m = -0.1
    extent_m = (-0.4, 0.9)
    half_width_m = 0.35
    height_m = 0.8

    def no_target(self) -> FootfallError:
        """Return the error for a task that has no position."""
        return FootfallError("There is no target at which to sit down: choose an empty")

    def no_room(self, name: str) -> FootfallError:
        """Return the error for a position at which the object called `name` is in the way."""
        return FootfallError("'{name}' leaves no room to sit on the ground: move or rotate the target", name=name)

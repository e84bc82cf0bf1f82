"""Goal commands: the next action of an interaction controller's character, its place, and the path to it."""

from dataclasses import dataclass

import numpy as np

from ...motion.rotations import Array
from ...scene.interaction_sensor import InteractionVolume
from ..navigation.flow_field import FlowField


@dataclass(frozen=True, slots=True, eq=False)
class GoalCommand:
    """The next goal of a character: an action, a position, a direction and an object.

    Attributes:
        action: one of ``interaction.GOAL_ACTIONS``.
        position: (3) position of the object or, on the ground, of the destination of a walk or run, meters, world.
        direction: (2) direction of the object's front, or to face at the destination, world.
        volume: voxels of the object; ``None`` if there is no object.
        flow_field: shortest paths to the character's destination; ``None`` for a straight line.
        path_end_offset: distance from the end of the flow field's path to the goal, meters; negative if the path ends
            beyond the goal.
        is_new: whether the command counts as new even if it equals the last one.
        barred: an action that cannot have begun yet, whose weight is kept at 0; empty for none.
    """

    action: str
    position: Array
    direction: Array
    volume: InteractionVolume | None = None
    flow_field: FlowField | None = None
    path_end_offset: float = 0.0
    is_new: bool = False
    barred: str = ""

    def look_ahead(self, position: Array) -> tuple[Array, float]:
        """Return a point ahead on the path from `position` (2), meters, world, and the length of the path to the goal.

        Returns:
            The point (2), meters, world, and the length, meters.
        """
        if self.flow_field is None:
            return self.position[:2], float(np.linalg.norm(self.position[:2] - position))
        point, length = self.flow_field.look_ahead(position)
        return point, length + self.path_end_offset

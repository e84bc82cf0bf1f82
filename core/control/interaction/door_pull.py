"""Pulling a door: where a character grasps its handle, where it steps back to, and how far the leaf then is open.

A leaf that opens toward the character sweeps over the place before it. The character stands beyond the handle, outside
of the swing arc, and steps back around the arc while the leaf comes.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.root_frame import yaw_of
from ...motion.rotations import Array, wrap_angle
from ...scene.interaction_object import InteractionObject
from ...tuning import Tuning, tuned
from .door import opening_sign


@dataclass(frozen=True, slots=True)
class DoorPullTuning(Tuning):
    grasp_offset: tuple[float, float] = tuned((0.25, 0.43), "m", -1.0, 1.0)
    """Offset of the root from the handle that it grasps: along the shut leaf away from its hinge, and before the
    leaf."""
    release_offset: tuple[float, float] = tuned((0.58, 0.26), "m", -1.0, 1.0)
    """Offset of the root from the handle that it releases, along the same directions."""
    pulled_angle: float = tuned(np.radians(78.0), "rad", 0.5, np.pi / 2)
    """Opening angle to which the whole way back pulls a leaf; it is open a little earlier."""


TUNING: Final = DoorPullTuning()


@dataclass(frozen=True, slots=True, eq=False)
class DoorPull:
    """The way of a character that pulls a door open: around the hinge, from the place of the grasp to the release.

    Attributes:
        hinge: (2) place of the hinge, meters, world.
        grasp: (2) root where the hand grasps the handle, meters, world.
        release: (2) root to which the character steps back, meters, world.
        facing: (2) facing direction meanwhile.
    """

    hinge: Array
    grasp: Array
    release: Array
    facing: Array

    @classmethod
    def of(cls, door: InteractionObject) -> "DoorPull":
        """Return the way at a closed door, with the side of the approach as its front."""
        assert door.handle is not None
        shut, opened = (
            door.swing_open(angle).posed_collider.to_world(door.handle.position[None])[0, :2]
            for angle in (0.0, opening_sign(door) * float(TUNING.pulled_angle))
        )
        hinge = door.posed_collider.to_world(door.handle.hinge[None])[0, :2]
        across = np.array([door.front_direction[1], -door.front_direction[0]])
        away = across * np.sign(float((shut - hinge) @ across))
        grasp, release = (
            handle + offset[0] * away + offset[1] * door.front_direction
            for handle, offset in ((shut, TUNING.grasp_offset), (opened, TUNING.release_offset))
        )
        return cls(hinge, grasp, release, -door.front_direction)

    def share(self, position: Array) -> float:
        """Return the share, 0 to 1, of the way that is behind a character with its root at a position (2)."""
        return float(np.clip(self._turn_to(position) / self._turn_to(self.release), 0.0, 1.0))

    def opening_angle(self, position: Array) -> float:
        """Return the size of the opening angle, radians, to which the leaf is pulled from a root (2), meters, world."""
        return float(TUNING.pulled_angle) * self.share(position)

    def _turn_to(self, position: Array) -> float:
        """Return the turn about the hinge, radians, from the place of the grasp to a position (2)."""
        return float(wrap_angle(yaw_of(position - self.hinge) - yaw_of(self.grasp - self.hinge)))

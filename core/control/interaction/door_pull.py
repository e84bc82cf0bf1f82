"""Pulling a door: places at which the character grasps the handle and steps back, and angles of the leaf.

A leaf that opens toward the character sweeps over the ground in front of it. The character stands beyond the handle,
outside the leaf's arc, and steps back around the arc as the leaf opens.
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
    """Offset of the root from the handle at the grasp: along the shut leaf away from its hinge, and in front of the
    leaf.
    """
    release_offset: tuple[float, float] = tuned((0.58, 0.26), "m", -1.0, 1.0)
    """Offset of the root from the handle at the release, along the same directions."""
    pulled_angle: float = tuned(np.radians(78.0), "rad", 0.5, np.pi / 2)
    """Opening angle of the leaf when the character has stepped all the way back; it counts as open slightly earlier."""


TUNING: Final = DoorPullTuning()


@dataclass(frozen=True, slots=True, eq=False)
class DoorPull:
    """The arc around the hinge along which a character steps back while it pulls a door open.

    Attributes:
        hinge: (2) position of the hinge, meters, world.
        grasp: (2) root at the grasp of the handle, meters, world.
        release: (2) root at the release, meters, world.
        facing: (2) constant facing direction of the character on this arc, world.
    """

    hinge: Array
    grasp: Array
    release: Array
    facing: Array

    @classmethod
    def of(cls, door: InteractionObject) -> "DoorPull":
        """Return the arc for pulling a closed door open; the door's front is the side of the approach."""
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
        """Return the share of the arc, 0 to 1, that a root at `position` (2), meters, world, has covered."""
        return float(np.clip(self._turn_to(position) / self._turn_to(self.release), 0.0, 1.0))

    def opening_angle(self, position: Array) -> float:
        """Return the absolute angle, radians, of a leaf pulled open by a root at `position` (2), meters, world."""
        return float(TUNING.pulled_angle) * self.share(position)

    def _turn_to(self, position: Array) -> float:
        """Return the angle about the hinge, radians, from the grasp to a position (2), meters, world."""
        return float(wrap_angle(yaw_of(position - self.hinge) - yaw_of(self.grasp - self.hinge)))

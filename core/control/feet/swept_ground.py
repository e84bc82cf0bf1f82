"""Footholds avoid positions where moving ground would sweep over the standing foot."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.rotations import UP, Array
from ...terrain.ground import Scene
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class SweptGroundCost(Tuning):
    cost: float = tuned(0.03, "m", 0.0, 0.5)
    """Cost of each point of the sole that the ground sweeps over, in meters of mean gap."""
    height: float = tuned(0.03, "m", 0.0, 0.2)
    """Height above a point of the sole from which ground counts as sweeping over it."""


TUNING: Final = SweptGroundCost()


@dataclass(frozen=True, slots=True)
class SweptGround:
    """Moving ground at selected frames of a contact, to find soles over which it would sweep.

    Attributes:
        scene: the ground.
        frames: frames of the walk, such as the first and the last of the contact.
    """

    scene: Scene
    frames: tuple[int, ...]

    def cost(self, points: Array, frame: int, scale: float, probe_height: float) -> Array:
        """Return the cost (S), meters, of each sole, proportional to the number of its points that ground covers.

        A cost counts like a mean gap of this length between sole and ground.

        Args:
            points: (S, P, 3) points of each sole on the ground at a frame, meters, world.
            frame: frame at which the points are given.
            scale: size of the body relative to an adult.
            probe_height: height above the points from which the ground is searched downward, meters.
        """
        cost = np.zeros(len(points))
        for other in self.frames:
            moved = self.scene.move_with_ground(points, frame, other)
            tops = self.scene.heights(moved + probe_height * UP, other)
            cost += TUNING.cost * scale * (tops - moved[..., 2] > TUNING.height * scale).sum(axis=1)
        return cost

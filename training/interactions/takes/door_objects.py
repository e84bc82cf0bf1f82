"""Objects of takes at doors: the swinging leaf and the wall around it."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.motion.rotations import Array, rotate, rotation_about_up
from ....core.scene.collider import Collider
from ....core.tuning import Tuning, tuned
from ..props.doors import Door, Wall
from ..take import TakeObject


@dataclass(frozen=True, slots=True)
class DoorObjectsTuning(Tuning):
    wall_width: tuple[float, float] = tuned((1.6, 4.0), "m", 0.5, 20.0)
    """Range of a wall's total width minus that of its door."""


TUNING: Final = DoorObjectsTuning()


def make_leaf(door: Door, sill: Array, yaw: float, angles: Array) -> TakeObject:
    """Return the leaf of a door as an object of a take, at the given opening angles.

    Args:
        door: the door.
        sill: (3) middle of the door's sill, m, world.
        yaw: world yaw of the door's front, rad.
        angles: (F) opening angles, rad, positive counterclockwise from above; 0 is closed.
    """
    pivot = sill + rotate(rotation_about_up(np.array(yaw)), door.pivot)
    return TakeObject(
        "door",
        "door",
        Collider.from_mesh(*door.leaf_mesh()),
        pivot + rotate(rotation_about_up(angles), np.tile(sill - pivot, (len(angles), 1))),
        rotation_about_up(angles + yaw),
    )


def make_wall(door: Door, sill: Array, turn: Array, count: int, generator: np.random.Generator) -> TakeObject:
    """Return a wall of random width around a door as an object of a take of ``count`` frames.

    ``sill`` (3) is the middle of the door's sill, m, world; ``turn`` (4) is the rotation of the door.
    """
    width = float(generator.uniform(*TUNING.wall_width)) + door.width
    wall = Wall(width=width, height=door.height + 0.3, opening_size=(door.width, door.height))
    return TakeObject(
        "wall", "obstacle", Collider.from_mesh(*wall.mesh()), np.tile(sill, (count, 1)), np.tile(turn, (count, 1))
    )

"""Takes of interactions: motion, objects, and labels of actions and goals at each frame."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.motion import Clip
from ...core.motion.rotations import Array
from ...core.scene.collider import Collider
from ..data.sources import ClipSource

ORIGINS: Final = ("generated", "captured", "composed")
"""Origins of motion: a controller; captures, adapted to objects; synthesized steps and IK-driven arms."""


@dataclass(frozen=True, eq=False)
class TakeObject:
    """An object of a take.

    Attributes:
        name: displayed name.
        kind: ``"seat"``, ``"box"``, ``"surface"``, ``"door"``, ``"climb"`` or ``"obstacle"``.
        collider: in object space, +Y its front.
        positions, rotations: (F, 3), m, and (F, 4), world.
    """

    name: str
    kind: str
    collider: Collider
    positions: Array
    rotations: Array

    @cached_property
    def is_carried(self) -> NDArray[np.bool_]:
        """True in the frames (F) of a moving box, which is part of the character."""
        if self.kind != "box":
            return np.zeros(len(self.positions), dtype=bool)
        moved = is_moving(self.positions, self.rotations)
        return np.concatenate([[False], moved]) & np.concatenate([moved, [False]])


@dataclass(frozen=True, eq=False)
class InteractionTake:
    """A take of F frames at 60 Hz on the controller's skeleton.

    Attributes:
        name: displayed name of the activity.
        clip: the motion.
        actions: (F, A) actions of ``features.interaction.ACTIONS``; walking with a box is both *walk* and *carry*.
        goal_actions: (F, G) goal actions of ``features.interaction.GOAL_ACTIONS``.
        goal_positions, goal_directions: (F, 3), m, and (F, 2) of goals without an object: one second ahead on the
            character's own path.
        goal_object: (F), index of the goal's object, -1 without.
        contacts: (F, 5) contacts of hips, left and right hand, left and right foot.
        phase: (F) phase, cycles, of strides; 0 at rest, and at grasp and release.
        objects: the objects.
        seed: seed of the take.
        source: source of the motion.
        origins: (F), index of the origin of each frame's motion in :data:`ORIGINS`.
    """

    name: str
    clip: Clip
    actions: Array
    goal_actions: Array
    goal_positions: Array
    goal_directions: Array
    goal_object: NDArray[np.intp]
    contacts: Array
    phase: Array
    objects: tuple[TakeObject, ...]
    seed: int
    source: ClipSource
    origins: NDArray[np.intp]


def frame_origins(count: int, captured: Iterable[range] = (), composed: Iterable[range] = ()) -> NDArray[np.intp]:
    """Return the origin of each frame (F): generated, except in the given ranges.

    Captured ranges override composed ones.
    """
    origins = np.full(count, ORIGINS.index("generated"))
    for name, ranges in (("composed", composed), ("captured", captured)):
        for frames in ranges:
            origins[max(frames.start, 0) : frames.stop] = ORIGINS.index(name)
    return origins


def is_moving(positions: Array, rotations: Array) -> NDArray[np.bool_]:
    """Return whether an object moves from each frame to the next (F - 1)."""
    return np.abs(np.diff(positions, axis=0)).max(axis=1) + np.abs(np.diff(rotations, axis=0)).max(axis=1) > 1e-6

"""Takes of interactions: motion, objects, and labels of actions and goals at each frame."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.motion import Clip
from ...core.motion.rotations import Array
from ...core.scene.collider import Collider
from ..data.sources import ClipSource


@dataclass(frozen=True, eq=False)
class TakeObject:
    """An object of a take.

    Attributes:
        name: what it is, for people.
        kind: ``"seat"``, ``"box"``, ``"surface"``, ``"door"`` or ``"obstacle"``.
        collider: in object space, +Y its front.
        positions, rotations: (F, 3), m, and (F, 4), world.
    """

    name: str
    kind: str
    collider: Collider
    positions: Array
    rotations: Array


@dataclass(frozen=True, eq=False)
class InteractionTake:
    """A take of F frames at 60 Hz on the controller's skeleton.

    Attributes:
        name: what the character does, for people.
        clip: the motion.
        actions: (F, 7) of ``features.interaction.ACTIONS``; walking with a box is both *walk* and *carry*.
        goal_actions: (F, 6) of ``features.interaction.GOAL_ACTIONS``.
        goal_positions, goal_directions: (F, 3) and (F, 2) of goals without an object: one second ahead on the
            character's own path.
        goal_object: (F), index of the goal's object, -1 without.
        contacts: (F, 5) of hips, left and right hand, left and right foot.
        phase: (F), cycles: of strides; from 0 to 1 through an acyclic action.
        objects: the objects.
        seed: seed of the take.
        source: source of the motion.
        composition_notes: which frames are captured, adapted or composed, in words.
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
    composition_notes: tuple[str, ...] = ()

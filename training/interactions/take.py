"""Takes of interactions: motion, the things it is about, and what is done and wanted at each frame."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.motion import Clip
from ...core.motion.rotations import Array
from ...core.scene.collider import Collider
from ..data.sources import ClipSource


@dataclass(frozen=True, eq=False)
class TakeObject:
    """One thing of a take.

    Attributes:
        name: what it is.
        kind: ``"seat"``, ``"box"``, ``"surface"``, ``"door"`` or ``"obstacle"``.
        collider: in its own space, +Y its front.
        positions, rotations: (F, 3) metres and (F, 4), where it is at each frame, world.
    """

    name: str
    kind: str
    collider: Collider
    positions: Array
    rotations: Array


@dataclass(frozen=True, eq=False)
class InteractionTake:
    """F frames at 60 Hz on the controller's skeleton.

    Attributes:
        name: what is done, for people.
        clip: the motion.
        actions: (F, 7) of ``features.interaction.ACTIONS``; who walks with a box walks and carries.
        goal_actions: (F, 6) of ``features.interaction.GOALS``.
        goal_positions, goal_directions: (F, 3) and (F, 2) of goals without a thing: a second ahead on the own way.
        goal_object: (F) number of the thing that the goal is about, -1 without.
        contacts: (F, 5) of hips, left and right hand, left and right foot.
        phase: (F) cycles: of strides; from 0 to 1 through what does not repeat.
        things: what is about.
        seed: what it was drawn by.
        source: whose motion it is made of.
        built: which seconds are captured, adapted or composed, in words.
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

"""Takes of walking to a place around an obstacle, which stands on the straight line."""

from typing import Final

import numpy as np

from ....core.control.runtime.time_series import unit_vectors
from ....core.features.interaction import GOAL_ACTIONS
from ....core.labelling import label_clip
from ....core.motion.root_frame import root_track
from ...data.sources import ClipSource
from ..clutter import find_obstacle, scatter_clutter
from ..take import InteractionTake
from ..take_labels import locomotion_actions
from ..walk_library import WalkLibrary

ARRIVAL_RADIUS_M: Final = 0.25
"""Distance from the goal within which the goal is to idle."""


def make_detour_take(walk_library: WalkLibrary, source: ClipSource, seed: int) -> InteractionTake | None:
    """Return a take of a walk to a place that is known from its start, around an obstacle.

    The goal does not tell the way, so that the environment sensor has to (NSM section 4.3).

    Args:
        walk_library: generated walks.
        source: source of the motion.
        seed: seed of the take.

    Returns:
        ``None`` if no obstacle fits inside the bend of the walk.
    """
    generator = np.random.default_rng([seed, 5])
    clip = walk_library.with_locked_feet(walk_library.draw_detour(generator))
    obstacle = find_obstacle(clip, (), generator)
    if obstacle is None:
        return None
    positions, count = root_track(clip).positions, len(clip)
    offsets = positions[-1] - positions
    distances = np.linalg.norm(offsets, axis=1)
    goal = np.where(distances > ARRIVAL_RADIUS_M, GOAL_ACTIONS.index("walk"), GOAL_ACTIONS.index("idle"))
    arrives = int(np.argmax(distances <= ARRIVAL_RADIUS_M))
    directions = offsets[np.minimum(np.arange(count), max(arrives - 1, 0))]
    return InteractionTake(
        name="walk around an obstacle",
        clip=clip,
        actions=locomotion_actions(clip),
        goal_actions=np.eye(len(GOAL_ACTIONS))[goal],
        goal_positions=np.tile(np.append(positions[-1], 0.0), (count, 1)),
        goal_directions=unit_vectors(directions, np.array([0.0, 1.0])),
        goal_object=np.full(count, -1),
        contacts=np.zeros((count, 5)),
        phase=label_clip(clip).phase,
        objects=(obstacle, *scatter_clutter(clip, (obstacle,), generator)),
        seed=seed,
        source=source,
        composition_notes=(f"0 to {count}: walk by a controller",),
    )

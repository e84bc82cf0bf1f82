"""Takes of walking to a place around an obstacle on the straight line."""

import numpy as np

from ....core.labelling import label_clip
from ...data.sources import ClipSource
from ..clutter import find_obstacle, scatter_clutter
from ..take import InteractionTake, frame_origins
from ..take_assembly import begin_turned, trim_walk
from ..take_labels import destination_goals, draw_command_frame, locomotion_actions, standing_goals
from ..walk_library import WalkLibrary


def make_detour_take(walk_library: WalkLibrary, source: ClipSource, seed: int) -> InteractionTake | None:
    """Make a take of a walk around an obstacle to a goal that is known from the start.

    The goal does not tell which way to go around, so the network must use the environment sensor (NSM section 4.3).

    Returns:
        The take, or ``None`` if no obstacle fits inside the bend of the walk.
    """
    generator = np.random.default_rng([seed, 5])
    made = begin_turned(trim_walk(walk_library.draw_detour(generator), generator), generator)
    clip = walk_library.with_locked_feet(made.motion.clip)
    obstacle = find_obstacle(clip, (), generator)
    if obstacle is None:
        return None
    count = len(clip)
    waits = (np.arange(count) < draw_command_frame(clip, generator))[:, None]
    positions, directions, wanted = (
        np.where(waits, before, after)
        for before, after in zip(standing_goals(clip), destination_goals(clip), strict=True)
    )
    return InteractionTake(
        name="walk around an obstacle",
        clip=clip,
        actions=locomotion_actions(clip),
        goal_actions=wanted,
        goal_positions=positions,
        goal_directions=directions,
        goal_object=np.full(count, -1),
        contacts=np.zeros((count, 5)),
        phase=label_clip(clip).phase,
        objects=(obstacle, *scatter_clutter(clip, (obstacle,), generator)),
        seed=seed,
        source=source,
        origins=frame_origins(count, composed=made.steps),
    )

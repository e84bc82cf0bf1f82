"""Takes of locomotion alone: standing, walking, running, stopping and turning among clutter."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.labelling import label_clip
from ....core.tuning import Tuning, tuned
from ...data.sources import ClipSource
from ..clip_transitions import cross_fade, find_transition
from ..clutter import scatter_clutter
from ..take import InteractionTake, frame_origins
from ..take_labels import locomotion_actions, locomotion_goals
from ..walk_library import WalkLibrary


@dataclass(frozen=True, slots=True)
class LocomotionTuning(Tuning):
    walks_per_take: int = tuned(3, "1", 1, 20)
    """Number of consecutive walks in a take."""
    transition_window: int = tuned(110, "frames", 1, 600)
    """Frames at the end of a walk within which the next one can begin."""


TUNING: Final = LocomotionTuning()


def make_locomotion_take(walk_library: WalkLibrary, source: ClipSource, seed: int) -> InteractionTake:
    """Make a take of consecutive walks, with or without standing between them."""
    generator = np.random.default_rng([seed, 2])
    clip = walk_library.draw(generator)
    for _ in range(TUNING.walks_per_take - 1):
        other = walk_library.draw(generator)
        early = range(len(clip) - TUNING.transition_window, len(clip) - int(generator.integers(13, 60)))
        clip, _ = cross_fade(clip, other, find_transition(clip, other, early, range(12, 100)), moved_clip="second")
    clip = walk_library.with_locked_feet(clip)
    actions = locomotion_actions(clip)
    positions, directions, wanted = locomotion_goals(clip, actions)
    count = len(clip)
    return InteractionTake(
        name="walk about",
        clip=clip,
        actions=actions,
        goal_actions=wanted,
        goal_positions=positions,
        goal_directions=directions,
        goal_object=np.full(count, -1),
        contacts=np.zeros((count, 5)),
        phase=label_clip(clip).phase,
        objects=scatter_clutter(clip, (), generator),
        seed=seed,
        source=source,
        origins=frame_origins(count),
    )

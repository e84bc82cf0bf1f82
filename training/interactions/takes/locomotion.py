"""Takes of nothing but locomotion: standing, walking, running, stopping, turning, among furniture."""

from typing import Final

import numpy as np

from ....core.labelling import label_clip
from ...data.sources import Source
from ..clip_transitions import best_join, joined
from ..clutter import strewn
from ..take import Take
from ..take_labels import ahead, locomotion
from ..walk_library import Strolls

WALKS: Final = 3
"""How many walks one after the other; between them somebody stands, or hardly does."""
LAST: Final = 110
"""Frames at the end of a walk from which another one may go on."""


def stroll_take(strolls: Strolls, source: Source, seed: int) -> Take:
    """Somebody walks, stops, walks on."""
    generator = np.random.default_rng([seed, 2])
    clip = strolls.draw(generator)
    for _ in range(WALKS - 1):
        other = strolls.draw(generator)
        early = range(len(clip) - LAST, len(clip) - int(generator.integers(13, 60)))
        clip, _ = joined(clip, other, best_join(clip, other, early, range(12, 100)), moved="second")
    clip = strolls.held(clip)
    actions = locomotion(clip)
    positions, directions, wanted = ahead(clip, actions)
    count = len(clip)
    return Take(
        name="walk about",
        clip=clip,
        actions=actions,
        goal_actions=wanted,
        goal_positions=positions,
        goal_directions=directions,
        goal_thing=np.full(count, -1),
        contacts=np.zeros((count, 5)),
        phase=label_clip(clip).phase,
        things=strewn(clip, (), generator),
        seed=seed,
        source=source,
        built=(f"0 to {count}: walks by a controller, joined",),
    )

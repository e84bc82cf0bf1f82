"""What is said of a take: what is done at each frame, and what is wanted."""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...core.features.interaction import ACTIONS, GOALS
from ...core.features.root import facing, root_track
from ...core.motion import Clip
from ...core.motion.rotations import Array

GOING: Final = (0.15, 0.45)
"""Metres a second up to which somebody idles, and from which they walk."""
RUNNING: Final = (1.9, 2.3)
"""The same of walking and running."""
AHEAD: Final = 60
"""Frames by which a goal of locomotion is ahead."""
FADING: Final = 8.0
"""Frames by which actions are smoothed (deviation)."""


def locomotion(clip: Clip, other: Array | None = None) -> Array:
    """Actions (F, 7) of who stands, walks and runs, by the root's speed; ``other`` (F) is how far they do something
    else that goes on where they stand.
    """
    track = root_track(clip)
    speed = gaussian_filter1d(np.linalg.norm(np.gradient(track.positions, axis=0), axis=1) * clip.rate, FADING)
    other = np.zeros(len(clip)) if other is None else other
    goes = np.clip((speed - GOING[0]) / (GOING[1] - GOING[0]), 0.0, 1.0) * (1 - other)
    runs = np.clip((speed - RUNNING[0]) / (RUNNING[1] - RUNNING[0]), 0.0, 1.0) * goes
    actions = np.zeros((len(clip), len(ACTIONS)))
    actions[:, ACTIONS.index("run")] = runs
    actions[:, ACTIONS.index("walk")] = goes - runs
    actions[:, ACTIONS.index("idle")] = 1 - other - goes
    return actions


def ahead(clip: Clip, actions: Array) -> tuple[Array, Array, Array]:
    """Goals of locomotion: a second ahead on the own way, positions (F, 3), directions (F, 2), and actions (F, 6), one
    of idle, walk and run.
    """
    track, count = root_track(clip), len(clip)
    at = np.minimum(np.arange(count) + AHEAD, count - 1)
    doing = actions[at, :3].argmax(axis=1)
    wanted = np.eye(len(GOALS))[doing]
    return np.column_stack([track.positions[at], np.zeros(count)]), facing(track.yaws[at]), wanted


def wanting(goals: Array, action: str, rows: NDArray[np.bool_]) -> Array:
    """Goal actions (F, 6) that are one action at some frames (F)."""
    return np.where(rows[:, None], np.eye(len(GOALS))[GOALS.index(action)], goals)

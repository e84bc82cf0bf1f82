"""Made-up contexts of checks: contacts, tracks, strikes and gaits as a check is to see them, 100 frames a second."""

from collections.abc import Mapping, Sequence

import numpy as np

from footfall.core.labelling import Labels
from footfall.core.labelling.presets import BIPED_PRESET
from footfall.core.labelling.review.context import ReviewContext
from footfall.core.labelling.semantics.actions import ACTION_NAMES
from footfall.core.labelling.semantics.gaits import GAIT_NAMES
from footfall.core.motion.rotations import Array

RATE = 100.0
FRAMES = 1000
Runs = Sequence[tuple[int, int]]


def shares(names: Sequence[str], parts: Mapping[str, Runs], other: str, frames: int = FRAMES) -> Array:
    """Return weights (F, N) that are all of one name in its runs, and of another elsewhere."""
    result = np.zeros((frames, len(names)))
    result[:, names.index(other)] = 1.0
    for name, runs in parts.items():
        for start, stop in runs:
            result[start:stop] = 0.0
            result[start:stop, names.index(name)] = 1.0
    return result


def context(
    contacts: Mapping[str, Runs] | None = None,
    *,
    tracks: Array | None = None,
    confidence: Array | None = None,
    strikes: tuple[Sequence[int], Sequence[int]] = ((), ()),
    gaits: Array | None = None,
    actions: Array | None = None,
    rate: float = RATE,
) -> ReviewContext:
    """Return the context of labels.

    Args:
        contacts: the runs of contact by sensor; heels and toes that are never in contact by default.
        tracks: (F, 3) of the first sensor.
        confidence: (F) of the first sensor; others are sure.
        strikes: frames of left and right strikes.
        gaits: (F, 6); walking by default.
        actions: (F, A); idle by default.
        rate: frames per second.
    """
    runs_by_name = contacts if contacts is not None else dict.fromkeys(BIPED_PRESET.sensor_names, ())
    names = tuple(runs_by_name)
    state = np.zeros((FRAMES, len(names)))
    for column, runs in enumerate(runs_by_name.values()):
        for start, stop in runs:
            state[start:stop, column] = 1.0
    sure, places = np.full(state.shape, 0.9), np.zeros((*state.shape, 3))
    if confidence is not None:
        sure[:, 0] = confidence
    if tracks is not None:
        places[:, 0] = tracks
    left, right = (np.array(frames, dtype=np.intp) for frames in strikes)
    labels = Labels(
        rate,
        names,
        state,
        np.zeros(FRAMES),
        GAIT_NAMES,
        shares(GAIT_NAMES, {}, "walk") if gaits is None else gaits,
        left,
        right,
        0.0,
        sure,
        ACTION_NAMES,
        shares(ACTION_NAMES, {}, "idle") if actions is None else actions,
    )
    return ReviewContext(labels, BIPED_PRESET, places)

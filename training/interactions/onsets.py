"""Onsets: frames at which a standing character sets off, which are rare and decide whether it ever does."""

from typing import Final

import numpy as np
import torch
from torch import Tensor

from ...core.features.interaction import SAMPLE_OFFSETS_FRAMES, has_goals
from ..data.dataset import Dataset

STANDING_M: Final = 0.01
"""Largest distance of the root from where it was a sixth of a second ago, while standing."""
SETTING_OFF_M: Final = 0.1
"""Least distance of the root half a second later."""
SETTING_OFF_RAD: Final = 0.5
"""Least turn of the root half a second later, if it stays where it is."""
BEFORE, AFTER = (SAMPLE_OFFSETS_FRAMES.index(frames) for frames in (-10, 30))


def find_onsets(dataset: Dataset, split: str) -> Tensor | None:
    """Return the frames (N) of a split at which a standing character sets off or turns; ``None`` without goals.

    Networks that see their own past learn first of all to go on with what they do, and stand for good: the *copycat
    problem* of imitation (Wen et al. 2020), for which the frames of changes are drawn more often.
    """
    layout = dataset.input_layout
    if not has_goals(layout):
        return None
    found = [np.zeros(0, dtype=bool)]
    for clip in dataset.clips_in_split(split):
        x, _, _ = dataset.samples(clip)
        positions, directions = (layout.view(x, f"trajectory.{name}") for name in ("position", "direction"))
        stands = np.linalg.norm(positions[:, BEFORE], axis=1) < STANDING_M
        leaves = np.linalg.norm(positions[:, AFTER], axis=1) > SETTING_OFF_M
        turns = directions[:, AFTER, 1] < np.cos(SETTING_OFF_RAD)
        found.append(stands & (leaves | turns))
    return torch.from_numpy(np.concatenate(found))

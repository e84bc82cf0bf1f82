"""The floor of a clip, estimated from its feet."""

import numpy as np

from .clip import Clip
from .proportions import ADULT_LEG_LENGTH_M


def estimate_floor_height(clip: Clip) -> float:
    """Return the height of the floor, meters, world: slightly below the lowest foot or toe joint during the clip."""
    feet = [clip.skeleton.roles[role] for side in "LR" for role in (f"toe.{side}", f"foot.{side}")
            if role in clip.skeleton.roles]  # fmt: skip
    lowest = clip.positions[:, feet, 2].min(axis=1)
    return float(np.percentile(lowest, 5)) - 0.02 * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M

"""Foot support of a clip: the feet in contact, and the height of the ground under them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.proportions import ANKLE_JOINT_HEIGHT_M, TOE_JOINT_HEIGHT_M, body_scale, has_toes
from ...motion.rotations import Array
from ..labeller import prepare_clip
from ..presets import BIPED_PRESET
from .detection import find_contacts


@dataclass(frozen=True, slots=True, eq=False)
class FootSupport:
    """The foot support of a clip.

    Attributes:
        ground_height: (F) mean height of the ground under both feet, linear between steps, meters.
        down: (F, 2) whether the left and the right foot is in contact, with heel or ball.
    """

    ground_height: Array
    down: NDArray[np.bool_]


def find_foot_support(clip: Clip) -> FootSupport:
    """Return the feet in contact, and the height of the ground under them, found from the motion of a clip's feet.

    Raises:
        FootfallError: the clip has fewer than two frames, or the skeleton lacks hips or legs.
    """
    ready = prepare_clip(clip, BIPED_PRESET)
    found = find_contacts(ready.clip, BIPED_PRESET, {}, ready.skate_speed)
    feet = [BIPED_PRESET.foot_columns(side) for side in "LR"]
    balls = found.ground_heights[:, [columns[-1] for columns in feet]]
    down = np.stack([found.state[:, columns].any(axis=1) for columns in feet], axis=1)
    above = TOE_JOINT_HEIGHT_M if has_toes(clip.skeleton) else ANKLE_JOINT_HEIGHT_M
    return FootSupport(balls.mean(axis=1) - above * body_scale(clip), down)

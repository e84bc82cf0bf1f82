"""How somebody stands: which of their feet are down, and how high the ground under them is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.proportions import ANKLE_HEIGHT, TOE_HEIGHT, body_scale, has_toes
from ...motion.rotations import Array
from ..labeller import prepare
from ..presets import BIPED
from .detection import find_contacts


@dataclass(frozen=True, slots=True, eq=False)
class Stance:
    """The feet of a clip over its F frames.

    Attributes:
        level: (F) the height of the ground between both feet, metres; between steps it runs straight on.
        down: (F, 2) whether the left and the right foot touch it, with heel or ball.
    """

    level: Array
    down: NDArray[np.bool_]


def stance_of(clip: Clip) -> Stance:
    """How somebody stands in a clip, as its feet show it.

    Raises:
        FootfallError: the clip has fewer than two frames, or the skeleton lacks hips or legs.
    """
    ready = prepare(clip, BIPED)
    found = find_contacts(ready.clip, BIPED, {}, ready.swimming)
    feet = [BIPED.columns(side) for side in "LR"]
    balls = found.ground[:, [columns[-1] for columns in feet]]
    down = np.stack([found.state[:, columns].any(axis=1) for columns in feet], axis=1)
    above = TOE_HEIGHT if has_toes(clip.skeleton) else ANKLE_HEIGHT
    return Stance(balls.mean(axis=1) - above * body_scale(clip), down)

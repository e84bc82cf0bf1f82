"""Bodies moved out of what they are in: the whole body a little aside, smoothly, wherever a part of it would be deep in
a thing. Feet that stand are held afterwards as always.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import AnimatedCollider
from .depenetration import HORIZONTAL_DIRECTIONS, BodyPart, depenetrate

MAX_ITERATIONS: Final = 3
MAX_ROOT_SHIFT_M: Final = 0.3
"""Metres by which somebody is moved, at most."""


def depenetrate_root(
    clip: Clip, obstacles: Sequence[AnimatedCollider], collision_masks: Sequence[NDArray[np.bool_]]
) -> Clip:
    """The clip moved over the ground so that no part of the body is deep in a thing.

    Args:
        clip: F frames.
        obstacles: as they are at each frame.
        collision_masks: for each thing (F, S) the spheres of :class:`BodyCapsules` that may be in it, or about it.
    """
    body = BodyCapsules.from_skeleton(clip.skeleton)
    count = len(body.radii)
    whole = BodyPart(np.arange(count), np.ones((len(clip), count)), HORIZONTAL_DIRECTIONS, MAX_ROOT_SHIFT_M)
    for _ in range(MAX_ITERATIONS):
        way = depenetrate(body, clip, obstacles, collision_masks, whole)
        if way is None:
            break
        clip = replace(clip, root_positions=clip.root_positions + way)
    return clip

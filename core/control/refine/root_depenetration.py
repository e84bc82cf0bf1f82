"""Root depenetration: the whole body is displaced horizontally out of obstacles; feet are locked afterwards."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import AnimatedCollider
from .depenetration import HORIZONTAL_DIRECTIONS, MAX_ITERATIONS, BodyPart, depenetrate

MAX_ROOT_SHIFT_M: Final = 0.3
"""Largest displacement of the root."""


def depenetrate_root(
    clip: Clip, obstacles: Sequence[AnimatedCollider], collision_masks: Sequence[NDArray[np.bool_]]
) -> Clip:
    """Displace the body over the ground so that no part of it penetrates an obstacle.

    Args:
        clip: The motion, F frames.
        obstacles: Animated colliders.
        collision_masks: For each obstacle (F, S) whether it ignores a sphere of :class:`BodyCapsules`.
    """
    body = BodyCapsules.from_skeleton(clip.skeleton)
    count = len(body.radii)
    whole = BodyPart(np.arange(count), np.ones((len(clip), count)), HORIZONTAL_DIRECTIONS, MAX_ROOT_SHIFT_M)
    for _ in range(MAX_ITERATIONS):
        displacement = depenetrate(body, clip, obstacles, collision_masks, whole)
        if displacement is None:
            break
        clip = replace(clip, root_positions=clip.root_positions + displacement)
    return clip

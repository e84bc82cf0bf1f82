"""The heel: a contact point without a joint, which rests on the ground while the ankle rolls over it.

After a foot strike the foot rolls over its heel, and the ankle above moves on for a tenth of a second. Heel contacts
are therefore measured at a point fixed to the foot, at the level of the sole and behind the ankle.
"""

from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from . import Clip
from .proportions import body_scale
from .rotations import Array, inverse, rotate
from .signals import noise_level, one_sided_speed

BALL_HEIGHT_M: Final = 0.03
"""Height of the ball's joint over the sole, for an adult."""
STILL_SPEED_M_S: Final = 0.35
"""Speed of an adult's foot joints below which they are still."""
HEEL_OFFSET_RATIO: Final = 0.3
"""Distance of the heel behind the ankle, as a share of the distance from the ankle to the ball of the foot."""
FLAT_FRAMES_SHARE: Final = 0.4
"""Share of the still frames, those with the ankle lowest over the toe, in which the foot counts as flat."""


def heel_positions(clip: Clip, foot: int, toe: int, level_ground_clip: Clip | None = None) -> Array:
    """Return the heel's contact point (F, 3), meters, world: a point fixed to the foot joint.

    It is estimated from the frames in which ankle and ball are still and the foot is flat: at the height of the sole,
    and behind the ankle by a share of the foot's length. Without such frames it is the foot joint itself.

    Args:
        clip: the motion.
        foot: index of the foot's joint.
        toe: index of the joint of its ball; equal to ``foot`` if there is none.
        level_ground_clip: clip of the same body on level ground from which the heel is measured, if ``clip`` is on
            uneven ground.
    """
    ankle = clip.positions[:, foot]
    local = None if toe == foot else heel_offset(level_ground_clip or clip, foot, toe)
    if local is None:
        return ankle
    return ankle + rotate(clip.world[1][:, foot], np.broadcast_to(local, ankle.shape))


def heel_offset(clip: Clip, foot: int, toe: int) -> Array | None:
    """Return the offset (3), meters, from a foot's joint to its heel in that joint's frame.

    The result is ``None`` if the foot is never flat.

    Args:
        clip: the motion, on level ground.
        foot: index of the foot's joint.
        toe: index of the joint of its ball.
    """
    flat = flat_foot_frames(clip, foot, toe)
    if len(flat) == 0:
        return None
    ahead = clip.positions[flat, toe] - clip.positions[flat, foot]
    below = np.maximum(-ahead[:, 2], 0.0) + BALL_HEIGHT_M * body_scale(clip)
    world = -HEEL_OFFSET_RATIO * ahead * [1.0, 1.0, 0.0]
    world[:, 2] = -below
    return np.median(rotate(inverse(clip.world[1][flat, foot]), world), axis=0)


def flat_foot_frames(clip: Clip, foot: int, toe: int) -> NDArray[np.intp]:
    """Return the indices of the frames in which the joints of a foot and its ball are still and the foot lies flat."""
    known = _FLAT_FRAMES.setdefault(clip, {})
    if (foot, toe) not in known:
        known[foot, toe] = _find_flat_frames(clip, foot, toe)
    return known[foot, toe]


_FLAT_FRAMES: Final[WeakKeyDictionary[Clip, dict[tuple[int, int], NDArray[np.intp]]]] = WeakKeyDictionary()
"""Results of :func:`flat_foot_frames` by clip: one standing clip is used for every foot of all characters."""


def _find_flat_frames(clip: Clip, foot: int, toe: int) -> NDArray[np.intp]:
    """Compute the result of :func:`flat_foot_frames`."""
    pair = clip.positions[:, [foot, toe]]
    slow = one_sided_speed(pair, clip.rate, noise_level(pair)) < STILL_SPEED_M_S * np.sqrt(body_scale(clip))
    still = np.flatnonzero(slow.all(axis=1))
    if len(still) == 0:
        return still
    rise = pair[still, 0, 2] - pair[still, 1, 2]
    return still[rise <= np.quantile(rise, FLAT_FRAMES_SHARE)]

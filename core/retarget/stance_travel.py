"""Root motion from stance: the travel of an animation on the spot, derived from its standing feet.

Most game animations walk on the spot while the game moves the character, so standing feet slide backward as on a
treadmill.
"""

from dataclasses import replace

import numpy as np

from ..errors import FootfallError
from ..labelling.clean_up.treadmill import find_belt_velocity
from ..motion import Clip
from ..motion.limb_ik import Leg
from ..motion.paws import paw_tracks, require_whole_legs
from ..motion.roles import is_quadruped
from ..motion.rotations import Array


def stance_velocity(clip: Clip) -> Array | None:
    """Return the velocity (2), m/s, world, at which standing feet slide in a clip walked on the spot.

    It is that of a treadmill under the character; ``None`` if the clip travels or stands.

    Args:
        clip: a biped's or a quadruped's motion.

    Raises:
        FootfallError: a joint of a leg is missing, or one of four legs has no roles.
    """
    require_whole_legs(clip.skeleton)
    return find_belt_velocity(_lowest_points(clip), clip.rate)


def require_stance_velocity(clip: Clip) -> Array:
    """Return the velocity (2), m/s, world, at which standing feet slide in a clip walked on the spot.

    Args:
        clip: a biped's or a quadruped's motion.

    Raises:
        FootfallError: the clip travels or stands, or a leg is incomplete.
    """
    velocity = stance_velocity(clip)
    if velocity is None:
        raise FootfallError(
            "The planted feet of '{name}' do not slide back over the ground: the animation already travels, or it "
            "stands still",
            name=clip.name,
        )
    return velocity


def add_stance_travel(clip: Clip) -> Clip:
    """Return a clip on the spot with the travel that keeps its standing feet in place; other clips are unchanged.

    Args:
        clip: a biped's or a quadruped's motion.
    """
    velocity = stance_velocity(clip)
    return clip if velocity is None else with_travel(clip, velocity)


def with_travel(clip: Clip, velocity: Array) -> Clip:
    """Return a clip with travel added to its root, opposite to the velocity of a treadmill under it.

    Args:
        clip: the motion on the spot.
        velocity: (2) velocity of the treadmill, m/s, world.
    """
    return replace(clip, root_positions=clip.root_positions + travel_of(velocity, len(clip), clip.rate))


def travel_of(velocity: Array, frames: int, rate: float) -> Array:
    """Return the travel (F, 3), meters, world, since the first frame, opposite to the velocity of a treadmill.

    Args:
        velocity: (2) velocity of the treadmill, m/s, world.
        frames: number of frames, F.
        rate: frames per second.
    """
    return -np.arange(frames)[:, None] / rate * np.append(velocity, 0.0)


def _lowest_points(clip: Clip) -> Array:
    """Return the positions (F, C, 3), meters, of the lowest joints of all feet, or of all paws."""
    if is_quadruped(clip.skeleton.roles):
        return paw_tracks(clip)
    legs = [Leg.of(clip.skeleton, side) for side in "LR"]
    return clip.positions[:, [leg.foot if leg.toe is None else leg.toe for leg in legs]]

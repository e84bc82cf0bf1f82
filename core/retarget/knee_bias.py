"""Knee bias: in some captures the legs are too long for the body, so that knees are never straight.

Joint centers of a capture are estimates. If thigh and shin are too long by one percent, a straight knee appears bent by
16 degrees: knees in many captures are 8 to 12 degrees more bent than people's, with 2 to 5 degrees in standing and 3 to
8 at the strike (Winter 2009). The bias is corrected by shortening the legs, with hips and feet unchanged.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from ..labelling import Labels
from ..motion import Clip
from ..motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from ..motion.rotations import Array
from ..motion.signals import low_pass

WALKING_SPEEDS_M_S: Final = (0.8, 1.8)
"""Range of hip speeds with usable stances."""
SPEED_CUTOFF_HZ: Final = 1.0
"""Cutoff of the filter that removes the surge of each step from the speed."""
STRAIGHTEST_PERCENT: Final = 5.0
"""Percentile of the flexion over stances, for the knee around the strike and in late stance."""
PEOPLE_FLEXION_DEG: Final = 5.0
"""Usual value in people of the flexion at :data:`STRAIGHTEST_PERCENT`."""
MAX_SHORTENING: Final = 0.025
"""Largest shortening of legs, as a share."""
MIN_SAMPLES: Final = 60
"""Least number of stance frames from which an actor's legs are judged."""
MAX_KEPT_SAMPLES: Final = 1000
"""Largest number of stance frames used from one clip."""


def stance_extensions(clip: Clip, labels: Labels) -> Array:
    """Return distances (N) from hip joint to ankle, as shares of leg length, in frames of stance while walking.

    Args:
        clip: the motion, at the labels' rate.
        labels: labels with the foot contacts of the clip.
    """
    hips = clip.positions[:, clip.skeleton.joint("hips"), :2]
    if len(clip) < 2:
        return np.zeros(0)
    speed = np.linalg.norm(np.gradient(low_pass(hips, clip.rate, SPEED_CUTOFF_HZ), axis=0), axis=-1) * clip.rate
    walking = (speed > WALKING_SPEEDS_M_S[0]) & (speed < WALKING_SPEEDS_M_S[1])
    if "walk" in labels.gait_names:
        walking &= labels.gaits[:, labels.gait_names.index("walk")] > 0.5
    found = []
    for number, side in enumerate("LR"):
        leg = Leg.of(clip.skeleton, side)
        stands = walking & labels.foot_contacts.held[:, 2 * number : 2 * number + 2].any(axis=1)
        reach = clip.positions[stands, leg.thigh] - clip.positions[stands, leg.foot]
        found.append(np.linalg.norm(reach, axis=-1) / leg.length(clip.skeleton))
    extensions = np.concatenate(found)
    return extensions[:: max(-(-len(extensions) // MAX_KEPT_SAMPLES), 1)]


def leg_scale(extensions: Array) -> float:
    """Return the factor by which to shorten an actor's legs; 1 for too few samples, or if knees get straight enough.

    Args:
        extensions: (N) distances from hip joint to ankle in all clips of the actor, as shares of leg length.
    """
    if len(extensions) < MIN_SAMPLES:
        return 1.0
    straightest = float(np.percentile(extensions, 100.0 - STRAIGHTEST_PERCENT))
    wanted = straightest / np.cos(np.radians(PEOPLE_FLEXION_DEG) / 2)
    return float(np.clip(wanted, 1.0 - MAX_SHORTENING, 1.0))


def shorten_legs(clip: Clip, scale: float) -> Clip:
    """Return a clip with legs of another length but the same positions of hips and feet.

    Args:
        clip: the motion.
        scale: ratio of the new length of thighs and shins to the old one.
    """
    if scale == 1.0:
        return clip
    legs = [Leg.of(clip.skeleton, side) for side in "LR"]
    offsets = clip.skeleton.offsets.copy()
    for leg in legs:
        offsets[[leg.shin, leg.foot]] *= scale
    body = replace(clip.skeleton, offsets=offsets)
    ankles = [clip.positions[:, leg.foot] for leg in legs]
    world = clip.world[1].copy()
    shorter = with_world_rotations(replace(clip, skeleton=body), clip.root_positions, world)
    positions = shorter.positions.copy()
    for leg, ankle in zip(legs, ankles, strict=True):
        solve_leg_ik(body, positions, world, leg, ankle)
    return with_world_rotations(shorter, clip.root_positions, world)

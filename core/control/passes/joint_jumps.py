"""Joint jumps: rotations that a network changes within a frame or two are replaced with interpolated ones.

Where a network is unsure in which direction a trunk is turned, as in a fast spin, the mean of two opposite directions
is undefined, and the output switches between them at once. Unlike a spike, a jump does not return.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.blending import smooth_step
from ...motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from ...motion.rotations import Array, inverse, log, multiply, slerp
from ...motion.signals import runs_of
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class JointJumps(Tuning):
    max_speed: float = tuned(26.0, "rad/s", 5.0, 100.0)
    """Rotation speed of a joint relative to its parent above which it counts as a jump."""
    bridge: float = tuned(0.12, "s", 0.02, 0.5)
    """Time before and after a jump over which the rotation is interpolated."""


TUNING: Final = JointJumps()
ROUNDS: Final = 2
"""Number of passes over the motion, since bridging one jump can leave another next to it."""
LEG_PARTS: Final = ("thigh", "shin", "foot", "toe")


def bridge_jumps(clip: Clip) -> Clip:
    """Return a motion with joint jumps replaced by smooth rotations; ankles and feet stay in place.

    Args:
        clip: decoded poses, F frames.
    """
    skeleton = clip.skeleton
    legs = {
        skeleton.roles[f"{part}.{side}"] for part in LEG_PARTS for side in "LR" if f"{part}.{side}" in skeleton.roles
    }
    upper = [joint for joint in range(len(skeleton)) if joint not in legs]
    rotations = clip.rotations.copy()
    for _ in range(ROUNDS):
        for joint in upper:
            rotations[:, joint] = _bridged(rotations[:, joint], clip.rate)
    if np.array_equal(rotations, clip.rotations):
        return clip
    before_positions, before_rotations = clip.world
    moved = replace(clip, rotations=rotations)
    positions, world = (array.copy() for array in moved.world)
    for side in "LR":
        leg = Leg.of(skeleton, side)
        solve_leg_ik(skeleton, positions, world, leg, before_positions[:, leg.foot])
        for joint in (leg.foot, leg.toe):
            if joint is not None:
                world[:, joint] = before_rotations[:, joint]
    return with_world_rotations(moved, moved.root_positions, world)


def _bridged(rotations: Array, rate: float) -> Array:
    """Return the rotations (F, 4) of one joint with their jumps interpolated."""
    if len(rotations) < 2:
        return rotations
    speeds = np.linalg.norm(log(multiply(inverse(rotations[:-1]), rotations[1:])), axis=-1) * rate
    margin = round(TUNING.bridge * rate)
    near: NDArray[np.bool_] = np.zeros(len(rotations), dtype=bool)
    for step in np.flatnonzero(speeds > TUNING.max_speed):
        near[max(step + 1 - margin, 0) : step + 1 + margin] = True
    result = rotations.copy()
    for start, stop in runs_of(near):
        first, last = max(start - 1, 0), min(stop, len(rotations) - 1)
        share = smooth_step(np.arange(last - first + 1) / (last - first))
        before, after = (np.broadcast_to(rotations[at], (len(share), 4)) for at in (first, last))
        result[first : last + 1] = slerp(before, after, share)
    return result

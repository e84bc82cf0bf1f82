"""Steady elbows: elbows that flip to the other side within a frame swivel smoothly instead; hands stay in place."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...motion import Clip
from ...motion.arm_swivel import ArmSwivel
from ...motion.limb_ik import with_world_rotations
from ...motion.rotations import Array, normalize, rotate, rotation_between
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class SteadyElbows(Tuning):
    max_speed: float = tuned(1.0, "m/s", 0.1, 10.0)
    """Speed of an elbow around the line from shoulder to wrist above which its swivel is smoothed."""
    straight_arm: float = tuned(0.03, "m", 0.001, 0.2)
    """Distance of an elbow from that line below which smoothing fades, as a straight arm's swivel is arbitrary."""
    smoothing: float = tuned(0.1, "s", 0.01, 0.5)
    """Standard deviation of the Gaussian that smooths the swivel."""


TUNING: Final = SteadyElbows()


def steady_elbows(clip: Clip) -> Clip:
    """Return a motion whose elbows do not flip to the other side within a frame.

    Args:
        clip: F frames of a body with arms.
    """
    if len(clip) < 2:
        return clip
    rotations = clip.world[1].copy()
    changed = False
    for side in "LR":
        arm = ArmSwivel.of(clip.skeleton, clip.positions, side)
        distance, swivel = np.linalg.norm(arm.across, axis=-1), _swivels(arm.axis, normalize(arm.across))
        fast = distance * np.abs(np.gradient(swivel)) * clip.rate > TUNING.max_speed
        if not fast.any():
            continue
        changed = True
        sigma = TUNING.smoothing * clip.rate
        near = scipy.ndimage.maximum_filter1d(fast.astype(float), 2 * round(3 * sigma) + 1)
        share = scipy.ndimage.gaussian_filter1d(near, sigma / 2, mode="nearest")
        smooth = scipy.ndimage.gaussian_filter1d(swivel, sigma, mode="nearest")
        # A straight arm stays: its swivel is arbitrary and may flip from one frame to the next.
        share *= np.minimum(distance / TUNING.straight_arm, 1.0)
        arm.turn(rotations, share * (smooth - swivel))
    return with_world_rotations(clip, clip.root_positions, rotations) if changed else clip


def _swivels(axis: Array, across: Array) -> Array:
    """Return the angles (F) without jumps, radians, of directions `across` (F, 3) about axes (F, 3).

    The angles are measured from a reference that turns only as the axis does from one sample to the next (parallel
    transport; Bishop 1975).
    """
    steps = rotation_between(axis[:-1], axis[1:])
    reference = np.empty_like(axis)
    reference[0] = across[0]
    for frame, step in enumerate(steps):
        reference[frame + 1] = rotate(step, reference[frame])
    sine, cosine = np.sum(np.cross(axis, reference) * across, axis=-1), np.sum(reference * across, axis=-1)
    return np.unwrap(np.arctan2(sine, cosine))

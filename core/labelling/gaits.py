"""Gaits by speed, flight and head height: stand, walk, run, crouch (PFNN section 4.3's semantic variables)."""

from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.special import expit

from ..motion import Clip
from ..motion.rotations import Array
from .contacts import velocities

NAMES: Final = ("stand", "walk", "run", "crouch")

GRAVITY: Final = 9.81
# Froude numbers v^2 / (g leg): people change from walking to running near 0.5, and jog with flight from about 0.25.
RUN_FROUDE: Final = 0.5
JOG_FROUDE: Final = 0.25
STAND_SPEED: Final = 0.25
# Share of the time about a frame without a foot down from which it is flight, not a brisk walk's uncertain contacts.
FLIGHT: Final = 0.05
CROUCHED_SHARE: Final = 0.8


def find_gaits(clip: Clip, contacts: Array, ground: float) -> Array:
    """Soft gaits (F, 4), rows summing to 1, in the order of ``NAMES``.

    Standing is slow hips over slow feet, so that steps on the spot are walking. Running is faster than the walking
    limit of the leg's length, or slower with moments when neither foot is down. Crouching is a head, or hips where
    there is no head, below 80 % of its height when upright.
    """
    skeleton, rate = clip.skeleton, clip.rate
    leg = skeleton.leg_length
    positions = clip.positions
    smooth = min(0.2 * rate, len(clip) / 4)
    speed = np.linalg.norm(
        gaussian_filter1d(velocities(positions[:, 0], rate)[:, :2], smooth, axis=0, mode="nearest"), axis=-1
    )
    feet = [skeleton.role("foot.L"), skeleton.role("foot.R")]
    foot_speed = np.linalg.norm(velocities(positions[:, feet], rate), axis=-1).max(axis=1)
    activity = np.maximum(speed, 0.5 * gaussian_filter1d(foot_speed, smooth, mode="nearest"))
    flight = gaussian_filter1d((contacts.max(axis=1) < 0.5).astype(float), smooth, mode="nearest")
    limit = np.sqrt(np.where(flight > FLIGHT, JOG_FROUDE, RUN_FROUDE) * GRAVITY * leg)
    limit = gaussian_filter1d(limit, smooth, mode="nearest")
    scale = np.sqrt(leg / 0.84)
    moving = expit((activity - STAND_SPEED * scale) / (0.05 * scale))
    running = expit((speed - limit) / (0.15 * scale))
    top = skeleton.roles.get("head", 0)
    low = expit((CROUCHED_SHARE - (positions[:, top, 2] - ground) / _upright_height(clip, top)) / 0.03)
    low = gaussian_filter1d(low, smooth, mode="nearest")
    return np.stack(
        [(1 - moving) * (1 - low), moving * (1 - running) * (1 - low), moving * running * (1 - low), low], axis=1
    )


def _upright_height(clip: Clip, joint: int) -> float:
    """How high a joint stands over the ground with straight legs and spine: the length of the bones below it."""
    skeleton = clip.skeleton
    height = skeleton.leg_length
    toe = skeleton.roles.get("toe.L")
    height += abs(float(skeleton.offsets[toe][2])) if toe is not None else 0.0
    while joint > 0:
        height += float(np.linalg.norm(skeleton.offsets[joint]))
        joint = skeleton.parents[joint]
    return height

"""Standing: how a character stands while it waits."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ..motion import Clip
from ..motion.roles import LOCOMOTION_ROLES
from ..motion.rotations import Array
from ..motion.signals import Mask, low_pass, runs_of
from .bending import flexion_angles, hinge_axes

REST_WINDOW_S: Final = 1.0
"""Window over which the root's travel is averaged: longer than rocking, shorter than a stop."""
MAX_REST_SPEED_M_S: Final = 0.1
"""Speed of travel below which the root rests; a weight shift of 6 cm in a second is slower."""
MIN_REST_S: Final = 0.5
"""Shortest rest."""
POSE_CUTOFF_HZ: Final = 6.0
"""Cutoff of the filter that removes capture noise before speeds are measured."""
MIN_FOOT_SPEED_M_S: Final = 0.08
"""Horizontal speed of heel or toe above which a foot counts as moving."""


@dataclass(frozen=True, slots=True)
class StandingReport:
    """Measures of a standing character, over the frames in which the root rests.

    Attributes:
        seconds: total time at rest, seconds.
        knee_deg: mean flexion of both knees, degrees.
        knee_left_deg: mean flexion of the left knee, degrees.
        knee_right_deg: mean flexion of the right knee, degrees.
        head_speed_cm_s: mean speed of the head, cm/s.
        foot_moving_share: share of the frames, 0 to 1, in which a heel or toe moves.
        hips_sink_cm: mean distance of the hips below their height on straight legs, cm.
    """

    seconds: float
    knee_deg: float
    knee_left_deg: float
    knee_right_deg: float
    head_speed_cm_s: float
    foot_moving_share: float
    hips_sink_cm: float


def resting_frames(clip: Clip) -> Mask:
    """Return a mask (F) of the frames in which the root rests: it may sway and rock, but does not travel.

    Raises:
        FootfallError: the skeleton has no hips.
    """
    roots = clip.positions[:, clip.skeleton.joint("hips"), :2]
    size = max(round(REST_WINDOW_S * clip.rate), 1) | 1
    course = scipy.ndimage.uniform_filter1d(roots, size, axis=0, mode="nearest")
    speeds = np.linalg.norm(np.gradient(course, 1 / clip.rate, axis=0), axis=-1) if len(clip) > 1 else np.zeros(1)
    resting = speeds < MAX_REST_SPEED_M_S
    for start, stop in runs_of(resting):
        if stop - start < MIN_REST_S * clip.rate:
            resting[start:stop] = False
    return resting


def measure_standing(clip: Clip, frames: Mask | None = None) -> StandingReport | None:
    """Measure knees, head, feet and hips of a standing character; return ``None`` if it never rests.

    Args:
        clip: the motion, on level ground.
        frames: (F) mask of the frames to measure; those in which the root rests by default.

    Raises:
        FootfallError: the skeleton lacks hips, legs or feet.
    """
    clip.skeleton.require_roles(LOCOMOTION_ROLES)
    resting = resting_frames(clip) if frames is None else frames
    if len(clip) < 2 or not resting.any():
        return None
    roles = clip.skeleton.roles
    knees = flexion_angles(clip, hinge_axes(clip))["knee"][resting].mean(axis=0)
    head = clip.positions[:, roles.get("head", roles.get("neck", roles["hips"]))]
    head_speed = np.linalg.norm(np.gradient(low_pass(head, clip.rate, POSE_CUTOFF_HZ), 1 / clip.rate, axis=0), axis=-1)
    moving = foot_speeds(clip).max(axis=1) > MIN_FOOT_SPEED_M_S
    return StandingReport(
        float(np.count_nonzero(resting)) / clip.rate,
        float(knees.mean()),
        float(knees[0]),
        float(knees[1]),
        100 * float(head_speed[resting].mean()),
        float(moving[resting].mean()),
        100 * float(hips_sink(clip)[resting].mean()),
    )


def foot_speeds(clip: Clip) -> Array:
    """Return the horizontal speeds (F, C), m/s, of left foot and toe, then right, without capture noise."""
    joints = [
        clip.skeleton.roles[role]
        for side in "LR"
        for role in (f"foot.{side}", f"toe.{side}")
        if role in clip.skeleton.roles
    ]
    tracks = low_pass(clip.positions[:, joints, :2], clip.rate, POSE_CUTOFF_HZ)
    return np.linalg.norm(np.gradient(tracks, 1 / clip.rate, axis=0), axis=-1)


def hips_sink(clip: Clip) -> Array:
    """Return the distance (F), meters, of the hip joints below their height on straight legs, as a mean of both."""
    roles = clip.skeleton.roles
    height = np.mean(
        [clip.positions[:, roles[f"thigh.{side}"], 2] - clip.positions[:, roles[f"foot.{side}"], 2] for side in "LR"],
        axis=0,
    )
    return clip.skeleton.leg_length - height

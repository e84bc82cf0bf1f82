"""Standing: posture and motion of a waiting character, and its weight shift before the first step."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ..motion import Clip
from ..motion.roles import LOCOMOTION_ROLES
from ..motion.rotations import Array, normalize
from ..motion.signals import Mask, low_pass, runs_of
from .bending import flexion_angles, hinge_axes

REST_WINDOW_S: Final = 1.0
"""Window over which the root's travel is averaged: longer than rocking, shorter than a stop."""
MAX_REST_SPEED_M_S: Final = 0.1
"""Speed of travel below which the root is at rest; a weight shift of 6 cm in a second is slower."""
MIN_REST_S: Final = 0.5
"""Shortest rest."""
POSE_CUTOFF_HZ: Final = 6.0
"""Cutoff of the filter that removes the noise of capture from speeds."""
MIN_FOOT_SPEED_M_S: Final = 0.08
"""Horizontal speed of heel or toe above which a foot moves."""
LIFT_SPEED_M_S: Final = 0.4
"""Horizontal speed of a toe above which it is in a swing."""
TRAVEL_AFTER_S: Final = 1.0
"""Time after the lift over which the direction of travel of a start is measured."""
SHIFT_WINDOW_S: Final = 1.0
"""Time before the first swing in which the weight shift is measured; people take 0.5 to 0.7 s (Winter 1995)."""


@dataclass(frozen=True, slots=True)
class StandingReport:
    """Measures of a standing character, over the frames with the root at rest.

    Attributes:
        seconds: time of rest.
        knee_deg: mean flexion of both knees, degrees.
        knee_left_deg: of the left knee.
        knee_right_deg: of the right knee.
        head_speed_cm_s: mean speed of the head.
        foot_moving_share: share of the frames in which a heel or toe moves.
        hips_sink_cm: mean drop of the hips below their height over straight legs.
    """

    seconds: float
    knee_deg: float
    knee_left_deg: float
    knee_right_deg: float
    head_speed_cm_s: float
    foot_moving_share: float
    hips_sink_cm: float


def resting_frames(clip: Clip) -> Mask:
    """Return a mask (F) of frames with the root at rest: it may sway and rock, but does not travel.

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
    """Return the measures of a standing character; ``None`` if it never rests.

    Args:
        clip: the motion, on level ground.
        frames: (F) mask of frames to measure; those with the root at rest by default.

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
    """Return the horizontal speeds (F, C), m/s, of feet and toes, without noise; left first."""
    joints = [
        clip.skeleton.roles[role]
        for side in "LR"
        for role in (f"foot.{side}", f"toe.{side}")
        if role in clip.skeleton.roles
    ]
    tracks = low_pass(clip.positions[:, joints, :2], clip.rate, POSE_CUTOFF_HZ)
    return np.linalg.norm(np.gradient(tracks, 1 / clip.rate, axis=0), axis=-1)


def hips_sink(clip: Clip) -> Array:
    """Return drops (F), meters, of the hip joints below their height over straight legs, the mean of both sides."""
    roles = clip.skeleton.roles
    height = np.mean(
        [clip.positions[:, roles[f"thigh.{side}"], 2] - clip.positions[:, roles[f"foot.{side}"], 2] for side in "LR"],
        axis=0,
    )
    return clip.skeleton.leg_length - height


def weight_shift(clip: Clip) -> float | None:
    """Return the shift of the hips, cm, toward the stance foot before the first swing; ``None`` without a first step.

    It is the largest shift from the initial position within a second before the swing foot leaves, across the following
    travel (anticipatory postural adjustment, Winter 1995).

    Args:
        clip: a start: the character stands in its first frames.

    Raises:
        FootfallError: the skeleton lacks hips, legs or feet.
    """
    clip.skeleton.require_roles(LOCOMOTION_ROLES)
    lift = first_lift(clip)
    if lift is None:
        return None
    frame, side = lift
    hips = low_pass(clip.positions[:, clip.skeleton.joint("hips"), :2], clip.rate, POSE_CUTOFF_HZ)
    first = max(frame - round(SHIFT_WINDOW_S * clip.rate), 0)
    travel = normalize(hips[min(frame + round(TRAVEL_AFTER_S * clip.rate), len(clip) - 1)] - hips[frame])
    right = np.array([travel[1], -travel[0]])
    towards = hips @ (right if side == "L" else -right)
    return 100 * float(towards[first : frame + 1].max() - towards[first])


def first_lift(clip: Clip) -> tuple[int, str] | None:
    """Return the frame in which the first foot begins to swing, and its side; ``None`` without a swing.

    Args:
        clip: the motion; the character stands in its first frames.
    """
    roles = clip.skeleton.roles
    lifts = []
    for side in "LR":
        toe = clip.positions[:, roles.get(f"toe.{side}", roles[f"foot.{side}"]), :2]
        track = low_pass(toe, clip.rate, POSE_CUTOFF_HZ)
        swinging = np.linalg.norm(np.gradient(track, 1 / clip.rate, axis=0), axis=-1) > LIFT_SPEED_M_S
        if swinging.any():
            lifts.append((int(np.argmax(swinging)), side))
    return min(lifts, default=None)

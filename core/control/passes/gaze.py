"""Gaze: eyes, head, neck and, slightly, the trunk turn to a character's target, within their range of motion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...motion import Clip, Skeleton
from ...motion.blending import smooth_step
from ...motion.limb_ik import rest_forward_direction, with_world_rotations
from ...motion.root_frame import root_track, yaw_of
from ...motion.rotations import Array, from_axis_angle, multiply, rotate, rotation_about_up, wrap_angle
from ...tuning import Tuning, tuned
from ..path.path_events import CueSpan
from .eyes import turn_eyes


@dataclass(frozen=True, slots=True)
class Gaze(Tuning):
    max_yaw: float = tuned(1.2, "rad", 0.0, 1.6)
    """Largest horizontal angle between the direction of the face and the body's facing."""
    max_pitch: float = tuned(0.6, "rad", 0.0, 1.2)
    """Largest pitch of the face above or below the horizon."""
    neck_share: float = tuned(0.4, "1", 0.0, 1.0)
    """Share of the head's turn that the neck makes."""
    smoothing: float = tuned(0.15, "s", 0.01, 1.0)
    """Standard deviation of the Gaussian that smooths the head's yaw and pitch."""
    easing: float = tuned(0.25, "s", 0.01, 2.0)
    """Standard deviation of the Gaussian that eases the turn to a target and back."""
    gives_up: float = tuned(2.0, "rad", 0.5, 3.1)
    """Angle between facing and target from which a walking character begins to turn its gaze away."""
    gone: float = tuned(2.7, "rad", 0.5, 3.14)
    """Angle between facing and target from which a walking character no longer looks at the target."""


TUNING: Final = Gaze()
TRUNK_SHARES: Final = {"spine": 0.1, "chest": 0.2, "shoulder.L": 0.2, "shoulder.R": 0.2}
"""Share of the head's turn that each trunk joint makes as well, in a walk."""


def look_along(clip: Clip, gazes: Sequence[CueSpan], lengths: Array, scale: float = 1.0) -> Clip:
    """Return a walk whose character looks at the targets of its path events; unchanged without any.

    Args:
        clip: the walk, F frames.
        gazes: path events with a gaze, in meters at the controller's scale; where two overlap, the later one applies.
        lengths: (F) planned arc length at each frame, meters at the controller's scale.
        scale: clip meters per meter at the controller's scale.
    """
    if not gazes:
        return clip
    targets, is_looking = gaze_targets(gazes, lengths, clip.rate)
    return look_at(clip, scale * targets, is_looking, TRUNK_SHARES)


def gaze_targets(gazes: Sequence[CueSpan], lengths: Array, rate: float) -> tuple[Array, Array]:
    """Return the gaze targets (F, 3) of a walk, meters, world, and weights (F): 1 during a gaze event, 0 elsewhere.

    Before, after and between events, the target is that of the event nearest in time.

    Args:
        gazes: path events with a gaze, at least one.
        lengths: (F) planned arc length at each frame, meters.
        rate: frames per second of the walk.
    """
    frames = np.arange(len(lengths))
    chosen = np.full(len(lengths), -1)
    for number, span in enumerate(gazes):
        places = lengths if span.unit == "meters" else frames / rate
        chosen[(places >= span.start) & (places <= span.end)] = number
    looking = np.flatnonzero(chosen >= 0)
    if not len(looking):
        return np.zeros((len(lengths), 3)), np.zeros(len(lengths))
    nearest = looking[np.rint(np.interp(frames, looking, np.arange(len(looking)))).astype(int)]
    targets = np.empty((len(lengths), 3))
    for number, span in enumerate(gazes):
        mine = chosen[nearest] == number
        assert span.gaze is not None, "only events with a gaze"
        targets[mine] = span.gaze[np.minimum(frames[mine], len(span.gaze) - 1)]
    return targets, (chosen >= 0).astype(float)


def look_at(
    clip: Clip, targets: Array, weights: Array | None = None, trunk_shares: Mapping[str, float] | None = None
) -> Clip:
    """Return a motion with head and eyes turned to each frame's target; a body without a head is unchanged.

    Args:
        clip: the motion, F frames.
        targets: (F, 3) targets, meters, world.
        weights: (F) share of the turn, 0 to 1; it is eased, and fades out where the target is behind the body; by
            default 1.
        trunk_shares: share of the turn that each trunk joint makes, by role; by default the trunk does not turn.
    """
    skeleton = clip.skeleton
    if "head" not in skeleton.roles:
        return clip
    head, sigma = skeleton.roles["head"], TUNING.smoothing * clip.rate
    rotations = clip.world[1].copy()
    ahead = rotate(rotations[:, head], np.broadcast_to(rest_forward_direction(skeleton), (len(clip), 3)))
    there = targets - clip.positions[:, head]
    body = root_track(clip).yaws
    aside = wrap_angle(yaw_of(there[:, :2]) - body)
    yaw = np.clip(aside, -TUNING.max_yaw, TUNING.max_yaw)
    pitch = np.clip(_pitch(there), -TUNING.max_pitch, TUNING.max_pitch)
    yaw, pitch = (scipy.ndimage.gaussian_filter1d(angle, sigma, mode="nearest") for angle in (yaw, pitch))
    turn, nod = wrap_angle(body + yaw - yaw_of(ahead[:, :2])), pitch - _pitch(ahead)
    eyes = np.ones(len(clip))
    if weights is not None:
        seen = smooth_step((TUNING.gone - np.abs(aside)) / (TUNING.gone - TUNING.gives_up))
        eyes = weights * seen
        eased = scipy.ndimage.gaussian_filter1d(eyes, TUNING.easing * clip.rate, mode="nearest")
        turn, nod = eased * turn, eased * nod
    joints = [(below, 1.0) for below in _descendants(skeleton, head)]
    if "neck" in skeleton.roles:
        joints.append((skeleton.roles["neck"], TUNING.neck_share))
    for role, share in (trunk_shares or {}).items():
        if role in skeleton.roles:
            joint = skeleton.roles[role]
            rotations[:, joint] = multiply(rotation_about_up(share * turn), rotations[:, joint])
    right = rotate(rotation_about_up(body + yaw), np.array([1.0, 0.0, 0.0]))
    for joint, share in joints:
        turned = multiply(rotation_about_up(share * turn), rotations[:, joint])
        rotations[:, joint] = multiply(from_axis_angle(right, share * nod), turned)
    return turn_eyes(with_world_rotations(clip, clip.root_positions, rotations), targets, eyes)


def face_of(clip: Clip) -> Array:
    """Return the point (F, 3), meters, world, at which others look in a body: its head or, without one, its hips."""
    roles = clip.skeleton.roles
    return clip.positions[:, roles["head" if "head" in roles else "hips"]]


def _pitch(directions: Array) -> Array:
    """Return the angles (F) of directions (F, 3) above the horizon, radians."""
    return np.arctan2(directions[:, 2], np.linalg.norm(directions[:, :2], axis=-1))


def _descendants(skeleton: Skeleton, joint: int) -> list[int]:
    """Return the indices of a joint and of all joints below it."""
    found = [joint]
    for other, parent in enumerate(skeleton.parents):
        if parent in found:
            found.append(other)
    return found

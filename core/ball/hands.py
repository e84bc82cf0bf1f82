"""Motion of the hands for ball inference: positions, palm directions and gaze, scaled to an adult."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ..errors import FootfallError
from ..motion import Clip
from ..motion.proportions import ADULT_LEG_LENGTH_M
from ..motion.rotations import UP, Array, normalize, rotate
from ..motion.skeleton import Skeleton

CUE_RATE_HZ: Final = 60.0
"""Frame rate of the clips from which a ball is inferred; others are resampled."""
GRAVITY_M_S2: Final = 9.81
REQUIRED_ROLES: Final = ("hips", "head", *(f"{part}.{side}" for side in "LR" for part in ("hand", "forearm", "thigh")))
"""Roles that the inference of a ball needs."""
MIN_FORWARD_PART: Final = 0.5
"""Least forward component of the across-hand axis at rest; below it, the hand points forward with the thumb up."""


@dataclass(frozen=True, slots=True, eq=False)
class HandMotion:
    """Motion of both hands; index 0 is the left hand, 1 the right. Lengths are divided by the body's scale.

    Attributes:
        scale: size of the body relative to an adult's.
        floor: height of the floor in the clip, meters; all heights are relative to it.
        wrists: (F, 2, 3) positions, world, meters at an adult's scale.
        elbows: (F, 2, 3) positions.
        axes: (F, 2, 3, 3) hand frames; rows point along the fingers, out of the palm and toward the thumb.
        hips: (F, 3) positions.
        head: (F, 3) positions.
        gaze: (F, 3) direction of the face.
        trunk: (F, 3, 3) trunk frame; rows point left and ahead of the hips (both level), and up.
    """

    scale: float
    floor: float
    wrists: Array
    elbows: Array
    axes: Array
    hips: Array
    head: Array
    gaze: Array
    trunk: Array

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.hips)

    @property
    def gravity(self) -> float:
        """Gravity, m/s^2, scaled to an adult like the lengths: above 9.81 for a small body."""
        return GRAVITY_M_S2 / self.scale

    def into_hands(self, vectors: Array) -> Array:
        """Convert world vectors (F, 2, 3), for the left and the right hand, to the frame of their hand."""
        return np.einsum("fhij,fhj->fhi", self.axes, vectors)

    def out_of_hands(self, vectors: Array) -> Array:
        """Convert vectors (F, 2, 3) from the hands' frames to the world, the inverse of :meth:`into_hands`."""
        return np.einsum("fhij,fhi->fhj", self.axes, vectors)

    def into_trunk(self, vectors: Array) -> Array:
        """Convert world vectors (F, ..., 3) to the trunk's frame, whose axes point left, ahead and up."""
        return np.einsum("fij,f...j->f...i", self.trunk, vectors)

    def to_clip(self, points: Array) -> Array:
        """Convert points (..., 3) from meters scaled to an adult to meters in the clip, both world."""
        return points * self.scale + [0.0, 0.0, self.floor]

    def from_clip(self, points: Array) -> Array:
        """Convert points (..., 3) from meters in the clip to meters scaled to an adult; inverse of :meth:`to_clip`."""
        return (points - [0.0, 0.0, self.floor]) / self.scale


def read_hands(clip: Clip, floor: float = 0.0) -> HandMotion:
    """Return the motion of a clip's hands at :data:`CUE_RATE_HZ`.

    If the arms point sideways at rest, palms are assumed to face down; if they hang, inward with thumbs ahead.

    Args:
        clip: the motion.
        floor: height of the floor, meters.

    Raises:
        FootfallError: the skeleton lacks a hand, or another required part.
    """
    skeleton = clip.skeleton
    missing = [role for role in REQUIRED_ROLES if role not in skeleton.roles]
    if missing:
        raise FootfallError(
            "'{name}' has no bone for {role}, but finding a ball requires both hands: choose the bone in the panel Rig",
            name=clip.name,
            role=missing[0],
        )
    scale = skeleton.leg_length / ADULT_LEG_LENGTH_M
    sampled = clip.resampled(CUE_RATE_HZ)
    positions, rotations = sampled.world

    def track(role: str) -> Array:
        return (positions[:, skeleton.joint(role)] - [0.0, 0.0, floor]) / scale

    across = (track("thigh.L") - track("thigh.R")) * [1.0, 1.0, 0.0]
    left = normalize(across)
    up = np.broadcast_to(UP, left.shape)
    axes = [
        np.stack([rotate(rotations[:, skeleton.joint(f"hand.{side}")], np.tile(axis, (len(sampled), 1)))
                  for axis in rest_hand_axes(skeleton, side)], axis=1)
        for side in "LR"
    ]  # fmt: skip
    return HandMotion(
        scale,
        floor,
        np.stack([track("hand.L"), track("hand.R")], axis=1),
        np.stack([track("forearm.L"), track("forearm.R")], axis=1),
        np.stack(axes, axis=1),
        track("hips"),
        track("head"),
        rotate(rotations[:, skeleton.joint("head")], np.tile(_rest_forward(skeleton), (len(sampled), 1))),
        np.stack([left, np.cross(up, left) * -1.0, up], axis=1),
    )


def rest_hand_axes(skeleton: Skeleton, side: str) -> Array:
    """Return a hand's axes (3, 3) at rest, world, as rows: along the fingers, out of the palm, toward the thumb."""
    hand = skeleton.joint(f"hand.{side}")
    fingers = normalize(skeleton.bone_vectors[hand])
    if not fingers.any():
        fingers = normalize(skeleton.offsets[hand])
    forward = _rest_forward(skeleton)
    thumb = forward - fingers * (fingers @ forward)
    if np.linalg.norm(thumb) < MIN_FORWARD_PART:
        thumb = UP - fingers * (fingers @ UP)
    thumb = normalize(thumb)
    palm = np.cross(fingers, thumb) if side == "L" else np.cross(thumb, fingers)
    return np.stack([fingers, palm, thumb])


def velocities(points: Array, smoothing_frames: float = 1.0) -> Array:
    """Return velocities (F, ...), per second, of points (F, ...) at :data:`CUE_RATE_HZ`, smoothed by a Gaussian."""
    smooth = scipy.ndimage.gaussian_filter1d(points, smoothing_frames, axis=0, mode="nearest")
    return np.gradient(smooth, axis=0) * CUE_RATE_HZ


def _rest_forward(skeleton: Skeleton) -> Array:
    """Return the forward direction (3) of the body in the rest pose."""
    rest = np.zeros((len(skeleton), 3))
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            rest[joint] = rest[parent] + skeleton.offsets[joint]
    across = (rest[skeleton.joint("thigh.L")] - rest[skeleton.joint("thigh.R")]) * [1.0, 1.0, 0.0]
    return normalize(np.cross(across, UP))

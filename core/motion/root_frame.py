"""The root of a character: its position and facing direction on the ground (PFNN section 4.1).

The root's frame has its origin under the hips, +Y the facing direction, +X the character's right, +Z up. A yaw of zero
faces the world's +Y; positive yaw turns left.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from . import Clip
from .paws import chest_joint
from .roles import is_quadruped
from .rotations import Array, multiply, rotation_about_up

FACING_SMOOTHING_S = 0.25
"""Standard deviation of the Gaussian that removes fast movements of hips and shoulders from the facing direction."""


@dataclass(frozen=True, eq=False)
class RootTrack:
    """The root at each frame: ``positions`` (F, 2), meters, world, and continuous ``yaws`` (F), radians."""

    positions: Array
    yaws: Array


def facing_direction(yaw: Array) -> Array:
    """Return the facing direction (..., 2), world, of a yaw (...), radians."""
    sine = np.sin(yaw)
    result = np.empty((*sine.shape, 2), dtype=sine.dtype)
    result[..., 0], result[..., 1] = -sine, np.cos(yaw)
    return result


def yaw_of(direction: Array) -> Array:
    """Return the yaw (...), radians, of a direction (..., 2): 0 along +Y, positive counterclockwise."""
    return np.arctan2(-direction[..., 0], direction[..., 1])


def into_frame(vectors: Array, yaw: Array) -> Array:
    """Convert world vectors (..., 2 or 3) to the axes of a root with yaw (...), radians."""
    cosine, sine = np.cos(yaw), np.sin(yaw)
    x, y = vectors[..., 0], vectors[..., 1]
    right = cosine * x + sine * y
    result = np.empty((*right.shape, vectors.shape[-1]), dtype=right.dtype)
    result[..., 0], result[..., 1] = right, -sine * x + cosine * y
    if vectors.shape[-1] == 3:
        result[..., 2] = vectors[..., 2]
    return result


def out_of_frame(vectors: Array, yaw: Array) -> Array:
    """Convert vectors (..., 2 or 3) from the axes of a root with yaw (...), radians, to the world's."""
    return into_frame(vectors, -yaw)


def root_track(clip: Clip, position_smoothing: float = 0.0) -> RootTrack:
    """Return the root in every frame: the hips projected on the ground, and the smoothed facing of hips and shoulders.

    See PFNN section 4.1. A quadruped's root is below the middle of its trunk and faces from the hips to the chest.

    Args:
        clip: the motion.
        position_smoothing: standard deviation, seconds, of the Gaussian that removes the sway and surge of each step
            from the position; 0 leaves the root under the hips.

    Raises:
        FootfallError: the skeleton has no hips or thighs.
    """
    skeleton = clip.skeleton
    positions = clip.positions
    if is_quadruped(skeleton.roles):
        return _quadruped_track(clip, position_smoothing)
    across = positions[:, skeleton.joint("thigh.L")] - positions[:, skeleton.joint("thigh.R")]
    if "upper_arm.L" in skeleton.roles and "upper_arm.R" in skeleton.roles:
        arms = positions[:, skeleton.roles["upper_arm.L"]] - positions[:, skeleton.roles["upper_arm.R"]]
        across = across + arms
    forward = np.stack([across[:, 1], -across[:, 0]], axis=-1)
    forward = scipy.ndimage.gaussian_filter1d(forward, FACING_SMOOTHING_S * clip.rate, axis=0, mode="nearest")
    hips = positions[:, skeleton.joint("hips"), :2]
    if position_smoothing:
        hips = smooth_positions(hips, position_smoothing * clip.rate)
    return RootTrack(hips, np.unwrap(yaw_of(forward)))


def _quadruped_track(clip: Clip, position_smoothing: float) -> RootTrack:
    """Return the root of a quadruped in every frame; arguments as in :func:`root_track`."""
    rear = clip.positions[:, clip.skeleton.joint("hips"), :2]
    front = clip.positions[:, chest_joint(clip.skeleton), :2]
    forward = scipy.ndimage.gaussian_filter1d(front - rear, FACING_SMOOTHING_S * clip.rate, axis=0, mode="nearest")
    middle = (front + rear) / 2
    if position_smoothing:
        middle = smooth_positions(middle, position_smoothing * clip.rate)
    return RootTrack(middle, np.unwrap(yaw_of(forward)))


def smooth_positions(positions: Array, sigma_frames: float) -> Array:
    """Smooth positions (F, 2) with a Gaussian, without shrinking curves; the track is extended at constant speed.

    The residual of the first smoothing is smoothed and added back (twicing, Tukey 1977), so that a circle keeps its
    radius.

    Args:
        positions: (F, 2) positions, meters.
        sigma_frames: standard deviation, frames.
    """
    if len(positions) < 2:
        return positions
    pad = int(8 * sigma_frames) + 1
    wide = np.pad(positions, ((pad, pad), (0, 0)), mode="reflect", reflect_type="odd")
    once = scipy.ndimage.gaussian_filter1d(wide, sigma_frames, axis=0)
    return (once + scipy.ndimage.gaussian_filter1d(wide - once, sigma_frames, axis=0))[pad:-pad]


def extrapolate_track(track: RootTrack, before: int, after: int, window: int) -> RootTrack:
    """Return a track extended at both ends by frames that continue at the mean speed and turn rate near each end.

    Trajectories need a second of past and future, and a person usually goes on walking or standing.

    Args:
        track: the root over F frames.
        before: number of frames added before the first.
        after: number of frames added after the last.
        window: number of frames at each end from which speed and turn are averaged.
    """
    positions, yaws = track.positions, track.yaws
    window = max(min(window, len(yaws) - 1), 1)

    def run(anchor: Array, yaw: float, step: Array, turn: float, count: int) -> tuple[Array, Array]:
        """Return positions (N, 2) and yaws (N) of N = ``count`` frames from ``anchor`` on, in equal steps."""
        new_yaws = yaw + turn * np.arange(1, count + 1)
        steps = out_of_frame(np.broadcast_to(step, (count, 2)), new_yaws)
        return anchor + np.cumsum(steps, axis=0), new_yaws

    if len(yaws) < 2:
        still = np.zeros(2)
        head, tail = run(positions[0], yaws[0], still, 0.0, before), run(positions[-1], yaws[-1], still, 0.0, after)
    else:
        # Each step is given in the frame that it leads to, so that a circle continues as a circle.
        steps, turns = np.diff(positions, axis=0), np.diff(yaws)
        back = into_frame(-steps[:window], yaws[:window]).mean(axis=0)
        on = into_frame(steps[-window:], yaws[-window:]).mean(axis=0)
        head = run(positions[0], yaws[0], back, -turns[:window].mean(), before)
        tail = run(positions[-1], yaws[-1], on, turns[-window:].mean(), after)
    return RootTrack(
        np.concatenate([head[0][::-1], positions, tail[0]]), np.concatenate([head[1][::-1], yaws, tail[1]])
    )


def rotations_in_root_frame(clip: Clip, joints: tuple[str, ...], track: RootTrack | None = None) -> Array:
    """Return the rotations (F, P, 4) of the given joints relative to the root's frame.

    Args:
        clip: the motion.
        joints: (P) names of the joints.
        track: root of the clip; computed by default.
    """
    index = [clip.skeleton.names.index(name) for name in joints]
    yaws = (track or root_track(clip)).yaws
    return multiply(rotation_about_up(-yaws)[:, None], clip.world[1][:, index])

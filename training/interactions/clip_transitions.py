"""Clips joined where they are most alike, one fading into the other while feet are where both have them."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...core.motion import Clip
from ...core.motion.blending import smooth_falloff
from ...core.motion.root_frame import RootTrack, into_frame, root_track
from ...core.motion.rotations import Array, rotation_about_up, slerp

HALF_FADE_FRAMES: Final = 12
"""Frames before and after a join over which one clip fades into the other: two fifths of a second together."""
VELOCITY_WEIGHT_S: Final = 0.15
"""Seconds of a joint's motion that count as much as its place, where clips are compared."""


@dataclass(frozen=True, eq=False)
class ClipTransition:
    """Where two clips are alike: frame ``first`` of one and frame ``second`` of the other, and how far apart they are
    there, metres, mean of the joints.
    """

    first_frame: int
    second_frame: int
    mean_joint_distance: float


def find_transition(first_clip: Clip, second_clip: Clip, first_frames: range, second_frames: range) -> ClipTransition:
    """Return the frames at which a clip had best go over into another.

    Args:
        first_frames: frames of ``first_clip`` that will do; all are taken that leave room for the fade.
        second_frames: frames of ``second_clip``.
    """
    rows = np.array([frame for frame in first_frames if HALF_FADE_FRAMES <= frame < len(first_clip) - HALF_FADE_FRAMES])
    columns = np.array(
        [frame for frame in second_frames if HALF_FADE_FRAMES <= frame < len(second_clip) - HALF_FADE_FRAMES]
    )
    if len(rows) == 0 or len(columns) == 0:
        raise ValueError("there is no room for a join")
    a, b = _pose_features(first_clip)[rows], _pose_features(second_clip)[columns]
    distances = np.abs(a[:, None] - b[None]).mean(axis=-1)
    row, column = np.unravel_index(int(np.argmin(distances)), distances.shape)
    return ClipTransition(int(rows[row]), int(columns[column]), float(distances[row, column]))


def _pose_features(clip: Clip) -> Array:
    """Places and motion of all joints (F, 6 J) in the root's frame; the root's own motion is in theirs."""
    track = root_track(clip)
    ground = np.column_stack([track.positions, np.zeros(len(clip))])
    place = into_frame(clip.positions - ground[:, None], track.yaws[:, None])
    moved = into_frame(np.gradient(clip.positions, axis=0) * clip.rate, track.yaws[:, None])
    return np.concatenate([place, VELOCITY_WEIGHT_S * moved], axis=1).reshape(len(clip), -1)


def place_clip(clip: Clip, frame: int, position: Array, yaw: float) -> Clip:
    """Return a clip moved over the ground so that its root is at ``position`` (2) and faces ``yaw`` at a frame."""
    track = root_track(clip)
    return _place_on_track(clip, track, frame, position, yaw)


def _place_on_track(clip: Clip, track: RootTrack, frame: int, position: Array, yaw: float) -> Clip:
    turn = rotation_about_up(np.array(yaw - track.yaws[frame]))
    moved = clip.transformed(turn, np.zeros(3))
    place = moved.positions[frame, moved.skeleton.joint("hips"), :2]
    return moved.transformed(np.array([1.0, 0.0, 0.0, 0.0]), np.append(position - place, 0.0))


def cross_fade(
    first_clip: Clip, second_clip: Clip, transition: ClipTransition, moved_clip: str = "first"
) -> tuple[Clip, int]:
    """One clip and then the other, and the frame of the result at which the other takes over.

    Args:
        moved_clip: which of them is moved so that both are in one place at the join, ``"first"`` or ``"second"``.
    """
    if moved_clip == "first":
        there = root_track(second_clip)
        first_clip = place_clip(
            first_clip,
            transition.first_frame,
            there.positions[transition.second_frame],
            float(there.yaws[transition.second_frame]),
        )
    else:
        there = root_track(first_clip)
        second_clip = place_clip(
            second_clip,
            transition.second_frame,
            there.positions[transition.first_frame],
            float(there.yaws[transition.first_frame]),
        )
    span = np.arange(-HALF_FADE_FRAMES, HALF_FADE_FRAMES + 1)
    share = 1 - smooth_falloff((span + HALF_FADE_FRAMES) / (2 * HALF_FADE_FRAMES))
    a, b = (
        first_clip.cut(transition.first_frame - HALF_FADE_FRAMES, transition.first_frame + HALF_FADE_FRAMES + 1),
        second_clip.cut(transition.second_frame - HALF_FADE_FRAMES, transition.second_frame + HALF_FADE_FRAMES + 1),
    )
    roots = a.root_positions + share[:, None] * (b.root_positions - a.root_positions)
    rotations = slerp(a.rotations, b.rotations, share[:, None])
    result = replace(
        first_clip,
        root_positions=np.concatenate(
            [
                first_clip.root_positions[: transition.first_frame - HALF_FADE_FRAMES],
                roots,
                second_clip.root_positions[transition.second_frame + HALF_FADE_FRAMES + 1 :],
            ]
        ),
        rotations=np.concatenate(
            [
                first_clip.rotations[: transition.first_frame - HALF_FADE_FRAMES],
                rotations,
                second_clip.rotations[transition.second_frame + HALF_FADE_FRAMES + 1 :],
            ]
        ),
    )
    return result, transition.first_frame

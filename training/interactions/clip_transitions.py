"""Transitions between clips where they are most alike (motion graphs, Kovar, Gleicher and Pighin 2002)."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...core.motion import Clip
from ...core.motion.blending import smooth_falloff
from ...core.motion.root_frame import RootTrack, into_frame, root_track
from ...core.motion.rotations import Array, rotation_about_up, slerp
from ...core.tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class ClipTransitionsTuning(Tuning):
    half_fade: int = tuned(12, "frames", 1, 120)
    """Frames before and after a transition in which one clip fades into the other (0.4 s in all)."""
    velocity_weight: float = tuned(0.15, "s", 0.0, 2.0)
    """Weight of joint velocities relative to joint positions in the distance between two poses."""


TUNING: Final = ClipTransitionsTuning()


class NoTransitionError(ValueError):
    """Error: two clips have no frames with enough room for a fade from one to the other."""


@dataclass(frozen=True, eq=False)
class ClipTransition:
    """A transition between two clips: a frame of each, and the mean joint distance between their poses, m."""

    first_frame: int
    second_frame: int
    mean_joint_distance: float


def find_transition(first_clip: Clip, second_clip: Clip, first_frames: range, second_frames: range) -> ClipTransition:
    """Return the pair of frames, one of each clip, with the most similar poses.

    Args:
        first_clip: the earlier clip.
        second_clip: the later clip.
        first_frames: allowed frames of ``first_clip``; those without room for the fade are ignored.
        second_frames: allowed frames of ``second_clip``.

    Raises:
        NoTransitionError: no frame has room for the fade.
    """
    rows = np.array([frame for frame in first_frames if TUNING.half_fade <= frame < len(first_clip) - TUNING.half_fade])
    columns = np.array(
        [frame for frame in second_frames if TUNING.half_fade <= frame < len(second_clip) - TUNING.half_fade]
    )
    if len(rows) == 0 or len(columns) == 0:
        raise NoTransitionError("the clips are too short to be joined")
    a, b = _pose_features(first_clip)[rows], _pose_features(second_clip)[columns]
    distances = np.abs(a[:, None] - b[None]).mean(axis=-1)
    row, column = np.unravel_index(int(np.argmin(distances)), distances.shape)
    return ClipTransition(int(rows[row]), int(columns[column]), float(distances[row, column]))


def _pose_features(clip: Clip) -> Array:
    """Return the positions and weighted velocities of all joints (F, 6 J) in the root frame."""
    track = root_track(clip)
    ground = np.column_stack([track.positions, np.zeros(len(clip))])
    place = into_frame(clip.positions - ground[:, None], track.yaws[:, None])
    moved = into_frame(np.gradient(clip.positions, axis=0) * clip.rate, track.yaws[:, None])
    return np.concatenate([place, TUNING.velocity_weight * moved], axis=1).reshape(len(clip), -1)


def place_clip(clip: Clip, frame: int, position: Array, yaw: float) -> Clip:
    """Return a clip moved over the ground so that its root is at a given place at a given frame.

    Args:
        clip: the clip.
        frame: the frame at which the root is placed.
        position: (2) position of the root, m, world.
        yaw: yaw of the root, rad.
    """
    track = root_track(clip)
    return _place_on_track(clip, track, frame, position, yaw)


def _place_on_track(clip: Clip, track: RootTrack, frame: int, position: Array, yaw: float) -> Clip:
    """Return a clip moved over the ground, given its root track; see :func:`place_clip`."""
    turn = rotation_about_up(np.array(yaw - track.yaws[frame]))
    moved = clip.transformed(turn, np.zeros(3))
    place = moved.positions[frame, moved.skeleton.joint("hips"), :2]
    return moved.transformed(np.array([1.0, 0.0, 0.0, 0.0]), np.append(position - place, 0.0))


def cross_fade(
    first_clip: Clip, second_clip: Clip, transition: ClipTransition, moved_clip: str = "first"
) -> tuple[Clip, int]:
    """Return a clip that fades from one clip to another, and its frame at which the second clip takes over.

    Args:
        first_clip: the earlier clip.
        second_clip: the later clip.
        transition: the frame of each clip at the middle of the fade.
        moved_clip: the clip to move so that both coincide at the transition, ``"first"`` or ``"second"``.
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
    span = np.arange(-TUNING.half_fade, TUNING.half_fade + 1)
    share = 1 - smooth_falloff((span + TUNING.half_fade) / (2 * TUNING.half_fade))
    a, b = (
        first_clip.cut(transition.first_frame - TUNING.half_fade, transition.first_frame + TUNING.half_fade + 1),
        second_clip.cut(transition.second_frame - TUNING.half_fade, transition.second_frame + TUNING.half_fade + 1),
    )
    roots = a.root_positions + share[:, None] * (b.root_positions - a.root_positions)
    rotations = slerp(a.rotations, b.rotations, share[:, None])
    result = replace(
        first_clip,
        root_positions=np.concatenate(
            [
                first_clip.root_positions[: transition.first_frame - TUNING.half_fade],
                roots,
                second_clip.root_positions[transition.second_frame + TUNING.half_fade + 1 :],
            ]
        ),
        rotations=np.concatenate(
            [
                first_clip.rotations[: transition.first_frame - TUNING.half_fade],
                rotations,
                second_clip.rotations[transition.second_frame + TUNING.half_fade + 1 :],
            ]
        ),
    )
    return result, transition.first_frame

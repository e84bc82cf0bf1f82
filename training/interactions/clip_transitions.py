"""Clips joined where they are most alike, one fading into the other while feet are where both have them."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...core.motion import Clip
from ...core.motion.blending import fade
from ...core.motion.root_frame import RootTrack, into_frame, root_track
from ...core.motion.rotations import Array, about_up, slerp

HALF: Final = 12
"""Frames before and after a join over which one clip fades into the other: two fifths of a second together."""
SECOND: Final = 0.15
"""Seconds of a joint's motion that count as much as its place, where clips are compared."""


@dataclass(frozen=True, eq=False)
class Join:
    """Where two clips are alike: frame ``first`` of one and frame ``second`` of the other, and how far apart they are
    there, metres, mean of the joints.
    """

    first: int
    second: int
    apart: float


def best_join(one: Clip, other: Clip, early: range, late: range) -> Join:
    """The frames at which a clip had best go over into another.

    Args:
        early: frames of ``one`` that will do; all are taken that leave room for the fade.
        late: frames of ``other``.
    """
    rows = np.array([frame for frame in early if HALF <= frame < len(one) - HALF])
    columns = np.array([frame for frame in late if HALF <= frame < len(other) - HALF])
    if len(rows) == 0 or len(columns) == 0:
        raise ValueError("there is no room for a join")
    a, b = _state(one)[rows], _state(other)[columns]
    distances = np.abs(a[:, None] - b[None]).mean(axis=-1)
    row, column = np.unravel_index(int(np.argmin(distances)), distances.shape)
    return Join(int(rows[row]), int(columns[column]), float(distances[row, column]))


def _state(clip: Clip) -> Array:
    """Places and motion of all joints (F, 6 J) in the root's frame; the root's own motion is in theirs."""
    track = root_track(clip)
    ground = np.column_stack([track.positions, np.zeros(len(clip))])
    place = into_frame(clip.positions - ground[:, None], track.yaws[:, None])
    moved = into_frame(np.gradient(clip.positions, axis=0) * clip.rate, track.yaws[:, None])
    return np.concatenate([place, SECOND * moved], axis=1).reshape(len(clip), -1)


def brought(clip: Clip, frame: int, position: Array, yaw: float) -> Clip:
    """A clip moved over the ground so that its root is at ``position`` (2) and faces ``yaw`` at a frame."""
    track = root_track(clip)
    return _turned(clip, track, frame, position, yaw)


def _turned(clip: Clip, track: RootTrack, frame: int, position: Array, yaw: float) -> Clip:
    turn = about_up(np.array(yaw - track.yaws[frame]))
    moved = clip.placed(turn, np.zeros(3))
    place = moved.positions[frame, moved.skeleton.role("hips"), :2]
    return moved.placed(np.array([1.0, 0.0, 0.0, 0.0]), np.append(position - place, 0.0))


def joined(one: Clip, other: Clip, join: Join, moved: str = "first") -> tuple[Clip, int]:
    """One clip and then the other, and the frame of the result at which the other takes over.

    Args:
        moved: which of them is moved so that both are in one place at the join, ``"first"`` or ``"second"``.
    """
    if moved == "first":
        there = root_track(other)
        one = brought(one, join.first, there.positions[join.second], float(there.yaws[join.second]))
    else:
        there = root_track(one)
        other = brought(other, join.second, there.positions[join.first], float(there.yaws[join.first]))
    span = np.arange(-HALF, HALF + 1)
    share = 1 - fade((span + HALF) / (2 * HALF))
    a, b = one.cut(join.first - HALF, join.first + HALF + 1), other.cut(join.second - HALF, join.second + HALF + 1)
    roots = a.root_positions + share[:, None] * (b.root_positions - a.root_positions)
    rotations = slerp(a.rotations, b.rotations, share[:, None])
    result = replace(
        one,
        root_positions=np.concatenate(
            [one.root_positions[: join.first - HALF], roots, other.root_positions[join.second + HALF + 1 :]]
        ),
        rotations=np.concatenate(
            [one.rotations[: join.first - HALF], rotations, other.rotations[join.second + HALF + 1 :]]
        ),
    )
    return result, join.first

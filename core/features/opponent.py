"""The other character as features: its root at the trajectory samples, and the distances to its joints.

Starke et al. 2020, section 4, X^R: beyond a radius of five meters all values are zero, as if there were no other
character. In addition to the paper's groups there are the positions of the other's hands, since distances of
corresponding joints do not contain the distance from the left hand to the other's right hand.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion import Clip
from ..motion.root_frame import RootTrack, extrapolate_track, facing_direction, into_frame, root_track
from ..motion.rotations import Array
from .locomotion import EXTRAPOLATION_WINDOW_FRAMES, ROOT_SMOOTHING_S, TRACK_PADDING_FRAMES
from .phase_system import SAMPLE_OFFSETS_FRAMES

OPPONENT_RADIUS_M: Final = 5.0
"""Largest distance between the roots of two characters that see each other (Starke et al. 2020, section 4)."""
GROUPS: Final = tuple(
    f"opponent.{name}" for name in ("weight", "position", "direction", "velocity", "distance", "hands")
)
"""Names of the opponent's groups in the layout."""
HAND_ROLES: Final = ("hand.L", "hand.R")
"""Roles of the hands, in the order of their group."""


@dataclass(frozen=True, slots=True, eq=False)
class SampledRoots:
    """Roots of characters at their samples.

    Attributes:
        positions: (..., S, 2) positions, meters, world.
        yaws: (..., S) yaws, radians, world.
        velocities: (..., S, 2) velocities, m/s, world.
    """

    positions: Array
    yaws: Array
    velocities: Array


def opponent_features(
    position: Array,
    yaw: Array,
    own: Array,
    other: SampledRoots,
    own_joints: Array,
    other_joints: Array,
    other_hands: Array,
) -> Mapping[str, Array]:
    """Return the features of another character, by name of :data:`GROUPS`; all zero if it is too far away.

    Args:
        position: (..., 2) position of the character's root now, meters, world.
        yaw: (...) yaw of that root, radians.
        own: (..., S, 2) the character's own roots at the samples, meters, world.
        other: the other character's roots at the samples.
        own_joints: (..., P, 3) joint positions of the last known pose, meters, world.
        other_joints: (..., P, 3) the same joints of the other character.
        other_hands: (..., 2, 3) the other character's hands in the same pose as its joints, meters, world.
    """
    weight = (np.linalg.norm(other.positions - own, axis=-1) <= OPPONENT_RADIUS_M).astype(float)
    now = np.linalg.norm(other.positions - position[..., None, :], axis=-1)[..., SAMPLE_OFFSETS_FRAMES.index(0)]
    seen = (now <= OPPONENT_RADIUS_M).astype(float)[..., None]
    vectors = other.positions - own, facing_direction(other.yaws), other.velocities
    values = [into_frame(vector, yaw[..., None]) * weight[..., None] for vector in vectors]
    distances = np.linalg.norm(other_joints - own_joints, axis=-1) * seen
    ground = np.concatenate([position, np.zeros_like(position[..., :1])], axis=-1)
    hands = into_frame(other_hands - ground[..., None, :], yaw[..., None]) * seen[..., None]
    return dict(zip(GROUPS, (weight, *values, distances, hands), strict=True))


def no_opponent(samples: int, joints: int) -> Mapping[str, Array]:
    """Return the features of :data:`GROUPS`, all zero, for samples without another character.

    Args:
        samples: number of samples (N).
        joints: number of pose joints (P).
    """
    at = samples, len(SAMPLE_OFFSETS_FRAMES)
    shapes = at, *(3 * ((*at, 2),)), (samples, joints), (samples, 2, 3)
    return {name: np.zeros(shape) for name, shape in zip(GROUPS, shapes, strict=True)}


def clip_opponent_features(clip: Clip, other: Clip, joints: tuple[str, ...]) -> Mapping[str, Array]:
    """Return the features (N, ...) of another character for the samples of a clip, by name of :data:`GROUPS`.

    Args:
        clip: the motion of F frames, at 60 Hz; its samples are the frames 2 .. F - 2.
        other: the other character's motion in the same space, with the same frames and skeleton.
        joints: names of the pose joints (P).

    Raises:
        FootfallError: the other character has no hands.
        ValueError: the clips differ in rate or length.
    """
    if clip.rate != other.rate or len(clip) != len(other):
        raise ValueError(f"both clips need one rate and length, not {len(clip)} and {len(other)} frames")
    frames = np.arange(2, len(clip) - 1)
    own, theirs = (_sampled_roots(one, frames) for one in (clip, other))
    track = root_track(clip, ROOT_SMOOTHING_S)
    own_joints, other_joints = (
        one.positions[frames - 1][:, [one.skeleton.names.index(name) for name in joints]] for one in (clip, other)
    )
    hands = other.positions[frames - 1][:, [other.skeleton.joint(role) for role in HAND_ROLES]]
    now = track.positions[frames], track.yaws[frames]
    return opponent_features(*now, own.positions, theirs, own_joints, other_joints, hands)


def _sampled_roots(clip: Clip, frames: NDArray[np.intp]) -> SampledRoots:
    """Return a clip's roots at the samples around frames (N), extrapolated beyond its ends as the trajectory is."""
    wide: RootTrack = extrapolate_track(
        root_track(clip, ROOT_SMOOTHING_S), TRACK_PADDING_FRAMES, TRACK_PADDING_FRAMES, EXTRAPOLATION_WINDOW_FRAMES
    )
    at = np.clip(frames[:, None] + np.array(SAMPLE_OFFSETS_FRAMES) + TRACK_PADDING_FRAMES, 1, len(wide.positions) - 1)
    velocities = (wide.positions[at] - wide.positions[at - 1]) * clip.rate
    return SampledRoots(wide.positions[at], wide.yaws[at], velocities)

"""Outputs y of interaction networks: the motion from a frame to the next, and the expected motion from there.

NSM section 3.2; groups and frames of reference are those of :func:`.interaction.output_layout`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..motion import Clip
from ..motion.contacts import CONTACT_THRESHOLD
from ..motion.root_frame import RootTrack, facing_direction, into_frame, yaw_of
from ..motion.rotations import Array, wrap_cycles
from .interaction import (
    FUTURE_OFFSETS_FRAMES,
    PREDICTION_HORIZON_FRAMES,
    ActionLabels,
    Float32,
    RootTracks,
    TimeSeries,
    output_layout,
    pose_rotation_vectors,
    time_series_at,
)
from .layout import Layout
from .locomotion import FEATURE_RATE_HZ, pose_features


@dataclass(frozen=True, slots=True, eq=False)
class NsmOutcome:
    """The outcome of a frame of B characters at 60 Hz, from which y is computed.

    Attributes:
        now: (B) roots at the frame, world.
        following: (B) roots at the next frame, world.
        future: roots at the samples ahead of the next frame, positions (B, 6, 2) and yaws (B, 6), world.
        actions: (B, 7, A) action weights at the next frame and at these samples.
        goals: goals around the next frame, world.
        contacts: (B, 7) contacts, from 0 to 1.
        phase_rate: (B) phase rate, cycles per second.
        pose, velocity, rotation: (B, P, 3) joint positions, velocities and rotations of the frame, in its root's frame,
            as in the outputs.
        future_pose: (B, P, 3) joint positions a second after the next frame, in that moment's root frame, meters.
    """

    now: RootTrack
    following: RootTrack
    future: RootTrack
    actions: Array
    goals: TimeSeries
    contacts: Array
    phase_rate: Array
    pose: Array
    velocity: Array
    rotation: Array
    future_pose: Array

    def to_outputs(self, layout: Layout) -> Float32:
        """Return this outcome as network outputs y (B, m) in the given layout, not normalized."""
        y = np.zeros((len(self.now.yaws), layout.size), dtype=np.float32)
        positions, yaws, following = self.future.positions, self.future.yaws, self.following
        count = len(FUTURE_OFFSETS_FRAMES)
        goal_positions, goal_yaws = self.goals.positions[:, -count:, :2], yaw_of(self.goals.directions[:, -count:])
        local_goal_positions, local_goal_directions = self.goals.in_root_frame(following.positions, following.yaws)
        velocity = into_frame(following.positions - self.now.positions, self.now.yaws) * FEATURE_RATE_HZ
        for name, values in (
            ("root.velocity", velocity),
            ("root.angular_velocity", ((following.yaws - self.now.yaws) * FEATURE_RATE_HZ)[:, None]),
            ("phase.rate", self.phase_rate[:, None]),
            ("contact", self.contacts > CONTACT_THRESHOLD),
            ("trajectory.position", into_frame(positions - following.positions[:, None], following.yaws[:, None])),
            ("trajectory.direction", facing_direction(yaws - following.yaws[:, None])),
            ("trajectory.action", self.actions),
            ("goal_trajectory.position", into_frame(positions - goal_positions, goal_yaws)),
            ("goal_trajectory.direction", facing_direction(yaws - goal_yaws)),
            ("pose.position", self.pose),
            ("pose.velocity", self.velocity),
            ("pose.rotation", self.rotation),
            ("future_pose.position", self.future_pose),
            ("goal.position", local_goal_positions),
            ("goal.direction", local_goal_directions),
            ("goal.action", self.goals.actions),
        ):
            layout.view(y, name)[:] = values
        return y


def clip_outputs(
    clip: Clip, labels: ActionLabels, joints: tuple[str, ...], reference: Array, frames: NDArray[np.intp]
) -> Float32:
    """Return the outputs y (N, m), not normalized, that an interaction network learns for given frames of a clip.

    Args:
        clip: the motion, at 60 Hz.
        labels: its labels.
        joints: names of the pose joints (P).
        reference: (P, 4) each joint's reference rotation in the root's frame, see ``locomotion.clip_features``.
        frames: (N) frames of the clip, see :func:`.interaction.sample_frames`.
    """
    tracks, following = RootTracks.of(clip), frames + 1
    track, future = tracks.track, following[:, None] + np.array(FUTURE_OFFSETS_FRAMES)
    pose, velocity = pose_features(clip, joints, track)
    at = np.clip(np.concatenate([following[:, None], future], axis=1), 0, len(clip) - 1)
    return NsmOutcome(
        now=RootTrack(track.positions[frames], track.yaws[frames]),
        following=RootTrack(track.positions[following], track.yaws[following]),
        future=RootTrack(
            tracks.extended.positions[future + tracks.padding], tracks.extended.yaws[future + tracks.padding]
        ),
        actions=labels.actions[at],
        goals=time_series_at(clip, labels, following)[1],
        contacts=labels.contacts[frames],
        phase_rate=wrap_cycles(labels.phase[following] - labels.phase[frames]) * clip.rate,
        pose=pose[frames],
        velocity=velocity[frames],
        rotation=pose_rotation_vectors(clip, joints, reference, track)[frames],
        future_pose=pose[np.minimum(following + PREDICTION_HORIZON_FRAMES, len(clip) - 1)],
    ).to_outputs(output_layout(joints))

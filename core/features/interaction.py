"""What a network of interactions is told, x, and answers, y, as named layouts (NSM sections 3.1 and 3.2), and how
motion among things becomes them.

As with locomotion, frame ``i`` sees its surroundings in its own root's frame and the pose of frame ``i - 1`` in that
frame's root; it answers with the pose of frame ``i``, the root's motion to ``i + 1`` and what it expects from there.
All about goals is said at thirteen samples, a second back to a second ahead; so is the trajectory.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion import Clip
from ..motion.roles import FOOT_CONTACTS
from ..motion.root_frame import (
    RootTrack,
    extrapolate_track,
    facing_direction,
    into_frame,
    root_track,
    rotations_in_root_frame,
    yaw_of,
)
from ..motion.rotations import Array, inverse, log, multiply, rotation_about_up
from ..scene.environment_sensor import SPHERE_COUNT as SPHERES
from ..scene.interaction_sensor import CELL_COUNT as CELLS
from .layout import Group, Layout
from .locomotion import FEATURE_RATE_HZ

ACTIONS: Final = ("idle", "walk", "run", "sit", "open", "carry", "climb")
"""What somebody does; two at a time where they carry something and walk."""
GOAL_ACTIONS: Final = ACTIONS[:6]
"""What somebody sets out to do; nobody can say when a climb begins."""
CONTACT_JOINTS: Final = ("hips", "hand.L", "hand.R", *FOOT_CONTACTS)
"""Hips and hands touch things, feet the ground; of feet, heels and balls each, so that they can be held."""
SAMPLE_STEP_FRAMES: Final = 10
SAMPLE_OFFSETS_FRAMES: Final = tuple(range(-60, 61, SAMPLE_STEP_FRAMES))
FUTURE_OFFSETS_FRAMES: Final = tuple(offset for offset in SAMPLE_OFFSETS_FRAMES if offset > 0)
PREDICTION_HORIZON_FRAMES: Final = SAMPLE_OFFSETS_FRAMES[-1]
"""Frames, a second, by which the pose in the goal's stead is ahead."""
GATING_GROUPS: Final = {
    "gating.action": ACTIONS,
    "gating.goal_action": GOAL_ACTIONS,
    "gating.goal_distance": GOAL_ACTIONS,
    "gating.goal_angle": GOAL_ACTIONS,
}
"""What the gate sees, of which actions; 650 numbers in all."""

Float32 = NDArray[np.float32]


def input_layout(joints: tuple[str, ...]) -> Layout:
    """Return the groups of x for these pose joints; those of ``gating`` are the gate's alone."""
    samples, count = len(SAMPLE_OFFSETS_FRAMES), len(joints)
    units = {"gating.goal_distance": "m", "gating.goal_angle": "rad"}
    return Layout(
        (
            Group("trajectory.position", (samples, 2), "m", "root"),
            Group("trajectory.direction", (samples, 2), "1", "root"),
            Group("trajectory.action", (samples, len(ACTIONS)), "1", "none"),
            Group("pose.position", (count, 3), "m", "previous root"),
            Group("pose.velocity", (count, 3), "m/s", "previous root"),
            Group("goal.position", (samples, 3), "m", "root"),
            Group("goal.direction", (samples, 2), "1", "root"),
            Group("goal.action", (samples, len(GOAL_ACTIONS)), "1", "none"),
            Group("environment.occupancy", (SPHERES,), "1", "root"),
            Group("interaction.voxel", (CELLS, 4), "m, occupancy 1", "root"),
            *(
                Group(name, (2, samples, len(actions)), units.get(name, "1"), "none")
                for name, actions in GATING_GROUPS.items()
            ),
        )
    )


def has_goals(layout: Layout) -> bool:
    """Whether a layout of inputs is one of interactions."""
    return "goal.position" in layout.slices


def output_layout(joints: tuple[str, ...]) -> Layout:
    """Return the groups of y for these pose joints.

    ``goal_trajectory`` is the trajectory in the goal's frame, and ``future_pose`` the pose a second ahead in the root's
    frame there.
    """
    future, samples, count = len(FUTURE_OFFSETS_FRAMES), len(SAMPLE_OFFSETS_FRAMES), len(joints)
    return Layout(
        (
            Group("root.velocity", (2,), "m/s", "root"),
            Group("root.angular_velocity", (1,), "rad/s", "up"),
            Group("phase.rate", (1,), "1/s", "none"),
            Group("contact", (len(CONTACT_JOINTS),), "1", "none"),
            Group("trajectory.position", (future, 2), "m", "next root"),
            Group("trajectory.direction", (future, 2), "1", "next root"),
            Group("trajectory.action", (1 + future, len(ACTIONS)), "1", "none"),
            Group("goal_trajectory.position", (future, 2), "m", "goal"),
            Group("goal_trajectory.direction", (future, 2), "1", "goal"),
            Group("pose.position", (count, 3), "m", "root"),
            Group("pose.velocity", (count, 3), "m/s", "root"),
            Group("pose.rotation", (count, 3), "rad", "root, from the reference rotation"),
            Group("future_pose.position", (count, 3), "m", "future root"),
            Group("goal.position", (samples, 3), "m", "next root"),
            Group("goal.direction", (samples, 2), "1", "next root"),
            Group("goal.action", (samples, len(GOAL_ACTIONS)), "1", "none"),
        )
    )


@dataclass(frozen=True, slots=True, eq=False)
class TimeSeries:
    """Something at the thirteen samples of B moments, in the world.

    Attributes:
        positions: (B, 13, 2) on the ground, of a trajectory; (B, 13, 3) of goals; metres.
        directions: (B, 13, 2).
        actions: (B, 13, 7) of a trajectory, (B, 13, 6) of goals, from 0 to 1.
    """

    positions: Array
    directions: Array
    actions: Array

    def in_root_frame(self, positions: Array, yaws: Array) -> tuple[Array, Array]:
        """Positions and directions from roots at ``positions`` (B, 2) that face ``yaws`` (B)."""
        origin = np.zeros((len(yaws), 1, self.positions.shape[-1]))
        origin[..., :2] = positions[:, None]
        return into_frame(self.positions - origin, yaws[:, None]), into_frame(self.directions, yaws[:, None])


@dataclass(frozen=True, slots=True, eq=False)
class NsmState:
    """All that x is made of at B moments.

    Attributes:
        positions: (B, 2) of the roots on the ground, metres, world.
        yaws: (B) radians.
        trajectory, goals: in the world.
        pose, velocity: (B, P, 3) of the frame before, in its root's frame.
        environment: (B, 2034), see :func:`..scene.environment_sensor.sense_environment`.
        interaction: (B, 512, 4), see :class:`..scene.interaction_sensor.InteractionVolume`.
        phase: (B) cycles.
    """

    positions: Array
    yaws: Array
    trajectory: TimeSeries
    goals: TimeSeries
    pose: Array
    velocity: Array
    environment: Array
    interaction: Array
    phase: Array

    def to_inputs(self, layout: Layout) -> Float32:
        """x (B, n)."""
        x = np.empty((len(self.yaws), layout.size), dtype=np.float32)
        places, directions = self.trajectory.in_root_frame(self.positions, self.yaws)
        goals, facings = self.goals.in_root_frame(self.positions, self.yaws)
        for name, values in (
            ("trajectory.position", places),
            ("trajectory.direction", directions),
            ("trajectory.action", self.trajectory.actions),
            ("pose.position", self.pose),
            ("pose.velocity", self.velocity),
            ("goal.position", goals),
            ("goal.direction", facings),
            ("goal.action", self.goals.actions),
            ("environment.occupancy", self.environment),
            ("interaction.voxel", self.interaction),
        ):
            layout.view(x, name)[:] = values
        for name, values in gating_features(self.phase, self.trajectory, self.goals).items():
            layout.view(x, name)[:] = values
        return x


def gating_features(phase: Array, trajectory: TimeSeries, goals: TimeSeries) -> dict[str, Array]:
    """What the gate sees, (B, 2, 13, actions) by group: the products of the phase's sine and cosine with what is done,
    what is wanted, and how far and how turned away that is (NSM eq. 5 to 7).

    Distances to goals are on the ground, from each sample of the trajectory, metres; angles are radians.
    """
    distance = np.linalg.norm(goals.positions[..., :2] - trajectory.positions, axis=-1)
    turn = np.abs(yaw_of(into_frame(goals.directions, yaw_of(trajectory.directions))))
    angle = 2 * np.pi * np.asarray(phase)
    both = np.stack([np.sin(angle), np.cos(angle)], axis=-1)[:, :, None, None]
    wanted = goals.actions
    parts = (trajectory.actions, wanted, distance[..., None] * wanted, turn[..., None] * wanted)
    return {name: both * part[:, None] for name, part in zip(GATING_GROUPS, parts, strict=True)}


@dataclass(frozen=True, eq=False)
class ActionLabels:
    """What is done in a clip of F frames, besides how it looks.

    Attributes:
        actions: (F, 7) soft; two at a time may be 1.
        goal_actions: (F, 6).
        goal_positions: (F, 3) metres, world.
        goal_directions: (F, 2).
        contacts: (F, 7), of :data:`CONTACT_JOINTS`.
        phase: (F) cycles.
        known: (F) the last frame whose goal is known by then: goals change at any time, and nobody knows before.
    """

    actions: Array
    goal_actions: Array
    goal_positions: Array
    goal_directions: Array
    contacts: Array
    phase: Array
    known_goal_frames: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class _RootTracks:
    """The root over a clip's frames and beyond."""

    track: RootTrack
    extended: RootTrack
    padding: int

    @staticmethod
    def of(clip: Clip) -> "_RootTracks":
        track, pad = root_track(clip), PREDICTION_HORIZON_FRAMES + 1
        return _RootTracks(track, extrapolate_track(track, pad, pad, int(0.75 * FEATURE_RATE_HZ)), pad)


def sample_frames(frame_count: int) -> NDArray[np.intp]:
    """Return the frames (N) of a clip of ``frame_count`` frames that make samples."""
    return np.arange(2, max(frame_count - 1, 2))


def time_series_at(clip: Clip, labels: ActionLabels, frames: NDArray[np.intp]) -> tuple[TimeSeries, TimeSeries]:
    """Return the trajectory and the goals around some frames (B) of a clip; before its beginning and beyond its end it
    goes on as it began and ended, doing the same.
    """
    tracks, at = _RootTracks.of(clip), frames[:, None] + np.array(SAMPLE_OFFSETS_FRAMES)
    inside = np.clip(at, 0, len(clip) - 1)
    trajectory = TimeSeries(
        tracks.extended.positions[at + tracks.padding],
        facing_direction(tracks.extended.yaws[at + tracks.padding]),
        labels.actions[inside],
    )
    told = np.minimum(inside, labels.known_goal_frames[frames, None])
    return trajectory, TimeSeries(labels.goal_positions[told], labels.goal_directions[told], labels.goal_actions[told])


def clip_outputs(
    clip: Clip, labels: ActionLabels, joints: tuple[str, ...], reference: Array, frames: NDArray[np.intp]
) -> Float32:
    """y (N, m) of some frames of a clip at 60 Hz.

    Args:
        reference: (P, 4), each joint's reference rotation in the root's frame, see ``locomotion.clip_features``.
    """
    layout, tracks = output_layout(joints), _RootTracks.of(clip)
    track, wide, pad = tracks.track, tracks.extended, tracks.padding
    y = np.zeros((len(frames), layout.size), dtype=np.float32)
    following = frames + 1
    pose, velocity = pose_features(clip, joints, track)
    turned = log(multiply(inverse(reference), rotations_in_root_frame(clip, joints, track)))
    future = following[:, None] + np.array(FUTURE_OFFSETS_FRAMES)
    ways, yaws = wide.positions[future + pad], wide.yaws[future + pad]
    _, goals = time_series_at(clip, labels, following)
    there, goal_yaws = (
        goals.positions[:, -len(FUTURE_OFFSETS_FRAMES) :, :2],
        yaw_of(goals.directions[:, -len(FUTURE_OFFSETS_FRAMES) :]),
    )
    places, facings = goals.in_root_frame(track.positions[following], track.yaws[following])
    now = np.clip(np.concatenate([following[:, None], future], axis=1), 0, len(clip) - 1)
    rate = ((labels.phase[following] - labels.phase[frames] + 0.5) % 1.0 - 0.5) * clip.rate
    last = np.minimum(following + PREDICTION_HORIZON_FRAMES, len(clip) - 1)
    for name, values in (
        (
            "root.velocity",
            into_frame(track.positions[following] - track.positions[frames], track.yaws[frames]) * FEATURE_RATE_HZ,
        ),
        ("root.angular_velocity", ((track.yaws[following] - track.yaws[frames]) * clip.rate)[:, None]),
        ("phase.rate", rate[:, None]),
        ("contact", labels.contacts[frames] > 0.5),
        (
            "trajectory.position",
            into_frame(ways - track.positions[following, None], track.yaws[following, None]),
        ),
        ("trajectory.direction", facing_direction(yaws - track.yaws[following, None])),
        ("trajectory.action", labels.actions[now]),
        ("goal_trajectory.position", into_frame(ways - there, goal_yaws)),
        ("goal_trajectory.direction", facing_direction(yaws - goal_yaws)),
        ("pose.position", pose[frames]),
        ("pose.velocity", velocity[frames]),
        ("pose.rotation", turned[frames]),
        ("future_pose.position", pose[last]),
        ("goal.position", places),
        ("goal.direction", facings),
        ("goal.action", goals.actions),
    ):
        layout.view(y, name)[:] = values
    return y


def pose_features(clip: Clip, joints: tuple[str, ...], track: RootTrack) -> tuple[Array, Array]:
    """Places and velocities (F, P, 3) of the pose joints in the root's frame."""
    index = [clip.skeleton.names.index(name) for name in joints]
    ground = np.concatenate([track.positions, np.zeros((len(clip), 1))], axis=1)
    moved = np.diff(clip.positions[:, index], axis=0, prepend=clip.positions[:1, index]) * clip.rate
    place = into_frame(clip.positions[:, index] - ground[:, None], track.yaws[:, None])
    return place, into_frame(moved, track.yaws[:, None])


def goal_object_pose(goals: TimeSeries) -> tuple[Array, Array]:
    """Where the object that goals are about is looked for: positions (B, 3) and rotations (B, 4), upright, of the goal
    a second ahead (section 4.3: what is carried is seen where it is to be).
    """
    return goals.positions[:, -1], rotation_about_up(yaw_of(goals.directions[:, -1]))

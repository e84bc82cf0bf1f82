"""Inputs x and outputs y of interaction networks as named layouts, and their values for motion among objects.

NSM sections 3.1 and 3.2. As with locomotion, frame ``i`` sees its surroundings in its own root's frame and the pose of
frame ``i - 1`` in that frame's root; its output is the pose of frame ``i``, the root's motion to ``i + 1`` and the
predictions from there. Goals and trajectory are given at thirteen samples, from a second ago to a second ahead.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..actions import ACTION_TABLE, CONTROLLER_ACTIONS
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
from ..motion.rotations import Array, inverse, length, log, multiply, rotation_about_up
from ..scene.environment_sensor import SPHERE_COUNT as SPHERES
from ..scene.interaction_sensor import CELL_COUNT as CELLS
from .layout import Group, Layout
from .locomotion import EXTRAPOLATION_WINDOW_FRAMES, POSE_FEEDBACK_GROUPS

ACTIONS: Final = CONTROLLER_ACTIONS
"""All actions in layout order; a controller knows the first several of them."""
FIRST_ACTION_COUNT: Final = 7
"""Number of actions, up to *climb*, known to every controller."""
CONTACT_JOINTS: Final = ("hips", "hand.L", "hand.R", *FOOT_CONTACTS)
"""Joints with contacts: hips and hands with objects, heels and balls with the ground."""
SAMPLE_STEP_FRAMES: Final = 10
"""Number of frames from one sample of a time series to the next."""
SAMPLE_OFFSETS_FRAMES: Final = tuple(range(-60, 61, SAMPLE_STEP_FRAMES))
"""The thirteen samples of a time series, in frames from the current one."""
FUTURE_OFFSETS_FRAMES: Final = tuple(offset for offset in SAMPLE_OFFSETS_FRAMES if offset > 0)
"""The six predicted samples of a time series, in frames from the next frame."""
PREDICTION_HORIZON_FRAMES: Final = SAMPLE_OFFSETS_FRAMES[-1]
"""Number of frames by which the predicted future pose is ahead: one second."""
GATING_GROUPS: Final = ("gating.action", "gating.goal_action", "gating.goal_distance", "gating.goal_angle")
"""The gate's groups: the actions, then three groups of the goal's actions; see :func:`gating_features`."""

ROTATION_GROUP: Final = "pose.rotation"
"""Group of the joint rotations, exponential maps, in y and in the next frame's x; older controllers' x lacks it."""

ROOT_FEEDBACK_GROUPS: Final = ("root.velocity", "root.angular_velocity")
"""Groups of the root's motion, in y and in the next frame's x; only inputs of attacks have them."""

Float32 = NDArray[np.float32]


@cache
def goal_actions_of(actions: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of ``actions`` that can be a goal; a climb cannot, since its beginning cannot be labeled."""
    return tuple(action for action in actions if action in ACTION_TABLE and ACTION_TABLE[action].is_goal)


GOAL_ACTIONS: Final = goal_actions_of(ACTIONS)
"""Actions that can be goals."""


def are_known_actions(names: tuple[str, ...]) -> bool:
    """Return whether ``names`` are the first of :data:`ACTIONS`, including all that every controller knows."""
    return len(names) >= FIRST_ACTION_COUNT and names == ACTIONS[: len(names)]


def input_layout(joints: tuple[str, ...], actions: tuple[str, ...] = ACTIONS, rotations: bool = True) -> Layout:
    """Return the groups of the inputs x; only the gate uses the ``gating`` groups.

    Args:
        joints: names of the pose joints.
        actions: the controller's actions.
        rotations: whether to include joint rotations, which older controllers lack.
    """
    samples, count = len(SAMPLE_OFFSETS_FRAMES), len(joints)
    acts, goals = len(actions), len(goal_actions_of(actions))
    rotation = Group(ROTATION_GROUP, (count, 3), "rad", "previous root, from the reference rotation")
    units = {"gating.goal_distance": "m", "gating.goal_angle": "rad"}
    return Layout(
        (
            Group("trajectory.position", (samples, 2), "m", "root"),
            Group("trajectory.direction", (samples, 2), "1", "root"),
            Group("trajectory.action", (samples, acts), "1", "none"),
            Group("pose.position", (count, 3), "m", "previous root"),
            Group("pose.velocity", (count, 3), "m/s", "previous root"),
            *((rotation,) if rotations else ()),
            Group("goal.position", (samples, 3), "m", "root"),
            Group("goal.direction", (samples, 2), "1", "root"),
            Group("goal.action", (samples, goals), "1", "none"),
            Group("environment.occupancy", (SPHERES,), "1", "root"),
            Group("interaction.voxel", (CELLS, 4), "m, occupancy 1", "root"),
            *(
                Group(name, (2, samples, size), units.get(name, "1"), "none")
                for name, size in zip(GATING_GROUPS, (acts, goals, goals, goals), strict=True)
            ),
        )
    )


def pose_feedback_groups(layout: Layout) -> tuple[str, ...]:
    """Return the names of the pose groups that are in y and in the next frame's x, such as positions and velocities."""
    names = (*POSE_FEEDBACK_GROUPS, ROTATION_GROUP, *ROOT_FEEDBACK_GROUPS)
    return tuple(name for name in names if name in layout.slices)


def has_goals(layout: Layout) -> bool:
    """Return whether a layout of inputs belongs to an interaction controller."""
    return "goal.position" in layout.slices


def output_layout(joints: tuple[str, ...], actions: tuple[str, ...] = ACTIONS) -> Layout:
    """Return the groups of the outputs y.

    ``goal_trajectory`` is the trajectory in the goal's frame, and ``future_pose`` the pose a second ahead in that
    moment's root frame.
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
            Group("trajectory.action", (1 + future, len(actions)), "1", "none"),
            Group("goal_trajectory.position", (future, 2), "m", "goal"),
            Group("goal_trajectory.direction", (future, 2), "1", "goal"),
            Group("pose.position", (count, 3), "m", "root"),
            Group("pose.velocity", (count, 3), "m/s", "root"),
            Group("pose.rotation", (count, 3), "rad", "root, from the reference rotation"),
            Group("future_pose.position", (count, 3), "m", "future root"),
            Group("goal.position", (samples, 3), "m", "next root"),
            Group("goal.direction", (samples, 2), "1", "next root"),
            Group("goal.action", (samples, len(goal_actions_of(actions))), "1", "none"),
        )
    )


@dataclass(frozen=True, slots=True, eq=False)
class TimeSeries:
    """A trajectory or goals at the thirteen samples of B moments, in the world.

    Attributes:
        positions: positions, meters; (B, 13, 2) on the ground for a trajectory, (B, 13, 3) for goals.
        directions: (B, 13, 2) unit vectors.
        actions: (B, 13, A) actions of a trajectory and (B, 13, G) of goals, the controller's actions, from 0 to 1.
    """

    positions: Array
    directions: Array
    actions: Array

    def in_root_frame(self, positions: Array, yaws: Array) -> tuple[Array, Array]:
        """Return positions and directions relative to roots at ``positions`` (B, 2) with yaws ``yaws`` (B)."""
        origin = np.zeros((len(yaws), 1, self.positions.shape[-1]))
        origin[..., :2] = positions[:, None]
        return into_frame(self.positions - origin, yaws[:, None]), into_frame(self.directions, yaws[:, None])


@dataclass(frozen=True, slots=True, eq=False)
class NsmState:
    """The state of B characters from which x is computed.

    Attributes:
        positions: (B, 2) positions of the roots on the ground, meters, world.
        yaws: (B) yaws, radians.
        trajectory: root trajectory at the samples, world.
        goals: goals around the current frame, world.
        pose: (B, P, 3) joint positions of the last frame, in its root's frame, meters.
        velocity: (B, P, 3) joint velocities of the last frame, m/s.
        rotation: (B, P, 3) joint rotations of the last frame in its root's frame, exponential maps relative to the
            controller's reference rotations.
        environment: (B, 2034) occupied spheres, see :func:`..scene.environment_sensor.sense_environment`.
        interaction: (B, 512, 4) cells of the object, see :class:`..scene.interaction_sensor.InteractionVolume`.
        phase: (B) phase, cycles.
    """

    positions: Array
    yaws: Array
    trajectory: TimeSeries
    goals: TimeSeries
    pose: Array
    velocity: Array
    rotation: Array
    environment: Array
    interaction: Array
    phase: Array

    def to_inputs(self, layout: Layout) -> Float32:
        """Return the inputs x (B, n), not normalized."""
        x = np.empty((len(self.yaws), layout.size), dtype=np.float32)
        here, (trajectory, goals) = self.positions[:, None], (self.trajectory, self.goals)
        # Together, which takes half the time of one after the other.
        parts = trajectory.positions - here, trajectory.directions, goals.positions[..., :2] - here, goals.directions
        seen = into_frame(np.concatenate(parts, axis=1).reshape(len(x), 4, -1, 2), self.yaws[:, None, None])
        for name, values in (
            ("trajectory.position", seen[:, 0]),
            ("trajectory.direction", seen[:, 1]),
            ("trajectory.action", self.trajectory.actions),
            ("pose.position", self.pose),
            ("pose.velocity", self.velocity),
            ("goal.position", np.concatenate([seen[:, 2], goals.positions[..., 2:]], axis=-1)),
            ("goal.direction", seen[:, 3]),
            ("goal.action", self.goals.actions),
            ("environment.occupancy", self.environment),
            ("interaction.voxel", self.interaction),
        ):
            layout.view(x, name)[:] = values
        if ROTATION_GROUP in layout.slices:
            layout.view(x, ROTATION_GROUP)[:] = self.rotation
        for name, values in gating_features(self.phase, self.trajectory, self.goals).items():
            layout.view(x, name)[:] = values
        return x


def gating_features(phase: Array, trajectory: TimeSeries, goals: TimeSeries) -> dict[str, Array]:
    """Return the gating features (B, 2, 13, actions) by group (NSM eq. 5 to 7).

    They are products of the phase's sine and cosine with four factors: the actions, the goal's actions, and the goal's
    actions times the distance to the goal or the angle to its direction. Distances are horizontal, from each sample of
    the trajectory, in meters; angles are in radians.

    Args:
        phase: (B) phase, cycles.
        trajectory: root trajectory at the samples, world.
        goals: goals around the current frame, world.
    """
    distance = length(goals.positions[..., :2] - trajectory.positions)
    goal_angle = np.abs(yaw_of(into_frame(goals.directions, yaw_of(trajectory.directions))))
    angle = 2 * np.pi * np.asarray(phase)
    sine_cosine = np.stack([np.sin(angle), np.cos(angle)], axis=-1)[:, :, None, None]
    actions = goals.actions
    # In the order of GATING_GROUPS.
    factors = (trajectory.actions, actions, distance[..., None] * actions, goal_angle[..., None] * actions)
    return {name: sine_cosine * factor[:, None] for name, factor in zip(GATING_GROUPS, factors, strict=True)}


@dataclass(frozen=True, eq=False)
class ActionLabels:
    """Labels of a clip of F frames with interactions.

    Attributes:
        actions: (F, A) soft weights of :data:`ACTIONS`; two may be 1 simultaneously.
        goal_actions: (F, G) goal actions of :data:`GOAL_ACTIONS`.
        goal_positions: (F, 3) goal positions, meters, world.
        goal_directions: (F, 2) directions of the goals.
        contacts: (F, 7) contacts of :data:`CONTACT_JOINTS`.
        phase: (F) phase, cycles.
        known_goal_frames: (F) the last frame whose goal is known at each frame, since a goal is unknown until it is
            commanded.
    """

    actions: Array
    goal_actions: Array
    goal_positions: Array
    goal_directions: Array
    contacts: Array
    phase: Array
    known_goal_frames: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class RootTracks:
    """The root over a clip's frames, and extrapolated by ``padding`` frames at both ends."""

    track: RootTrack
    extended: RootTrack
    padding: int

    @staticmethod
    def of(clip: Clip) -> "RootTracks":
        track, pad = root_track(clip), PREDICTION_HORIZON_FRAMES + 1
        return RootTracks(track, extrapolate_track(track, pad, pad, EXTRAPOLATION_WINDOW_FRAMES), pad)


def sample_frames(frame_count: int) -> NDArray[np.intp]:
    """Return the frames (N) that become samples in a clip of ``frame_count`` frames."""
    return np.arange(2, frame_count - 1)


def time_series_at(clip: Clip, labels: ActionLabels, frames: NDArray[np.intp]) -> tuple[TimeSeries, TimeSeries]:
    """Return the trajectory and the goals around the given frames of a clip.

    Beyond its ends, the clip continues with the speed and the actions at these ends.

    Args:
        clip: the motion, at 60 Hz.
        labels: its labels.
        frames: (B) frames of the clip.
    """
    tracks, at = RootTracks.of(clip), frames[:, None] + np.array(SAMPLE_OFFSETS_FRAMES)
    inside = np.clip(at, 0, len(clip) - 1)
    trajectory = TimeSeries(
        tracks.extended.positions[at + tracks.padding],
        facing_direction(tracks.extended.yaws[at + tracks.padding]),
        labels.actions[inside],
    )
    known = np.minimum(inside, labels.known_goal_frames[frames, None])
    goals = TimeSeries(labels.goal_positions[known], labels.goal_directions[known], labels.goal_actions[known])
    return trajectory, goals


def pose_rotation_vectors(clip: Clip, joints: tuple[str, ...], reference: Array, track: RootTrack) -> Array:
    """Return the pose joints' rotations in the root's frame relative to references, as exponential maps (F, P, 3).

    Args:
        clip: F frames.
        joints: names of the pose joints (P).
        reference: (P, 4) each joint's reference rotation in the root's frame.
        track: the root.
    """
    return log(multiply(inverse(reference), rotations_in_root_frame(clip, joints, track)))


def goal_object_pose(goals: TimeSeries) -> tuple[Array, Array]:
    """Return the poses at which the goals' objects are sensed: positions (B, 3), meters, and rotations (B, 4).

    Each is upright, at the goal a second ahead (NSM section 4.3: a carried object is sensed at its destination).
    """
    return goals.positions[:, -1], rotation_about_up(yaw_of(goals.directions[:, -1]))

"""Samples (inputs x, outputs y) of windows whose motion is adapted to replaced objects (NSM section 5.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....core.features.interaction import (
    FUTURE_OFFSETS_FRAMES,
    PREDICTION_HORIZON_FRAMES,
    SAMPLE_OFFSETS_FRAMES,
    Float32,
    NsmState,
    TimeSeries,
    goal_object_pose,
    input_layout,
    output_layout,
)
from ....core.features.interaction_outputs import NsmOutcome
from ....core.features.locomotion import FEATURE_RATE_HZ
from ....core.motion.root_frame import RootTrack, facing_direction, into_frame
from ....core.motion.rotations import Array, inverse, log, multiply, rotation_about_up, wrap_cycles
from ....core.scene.interaction_sensor import CELL_COUNT as CELLS
from ..samples import MAX_GOAL_LEAD_FRAMES, environment_features
from .adapted_motion import AdaptedMotion, AdaptedPoses

FIRST_POSE: Final = -2
"""First frame whose pose a sample needs, relative to the sample's own frame."""
PAST, FUTURE = np.array(SAMPLE_OFFSETS_FRAMES), np.array(FUTURE_OFFSETS_FRAMES)


@dataclass(frozen=True, eq=False)
class AugmentedWindow:
    """A window of T consecutive frames of a take with replaced objects.

    Attributes:
        motion: the adapted motion of the take.
        frames: (T) frames of the take in the window.
    """

    motion: AdaptedMotion
    frames: NDArray[np.intp]

    @cached_property
    def _roots(self) -> RootTrack:
        """The root from the start of the first sample's trajectory to the end of the last sample's."""
        return self.motion.root_at(np.arange(self.frames[0] + PAST[0], self.frames[-1] + 1 + FUTURE[-1] + 1))

    def root_at(self, frames: NDArray[np.intp]) -> RootTrack:
        """Return the root track at frames (...) of the take, which must lie within the trajectories of the samples."""
        rows = frames - (self.frames[0] + PAST[0])
        return RootTrack(self._roots.positions[rows], self._roots.yaws[rows])

    @property
    def pose_frames(self) -> NDArray[np.intp]:
        """Frames (2 T + 2) whose poses are needed: two before the window, the window's T, and the T a second later."""
        ahead = np.minimum(self.frames + 1 + PREDICTION_HORIZON_FRAMES, len(self.motion.record) - 1)
        return np.concatenate([np.arange(self.frames[0] + FIRST_POSE, self.frames[-1] + 1), ahead])

    def goals_around(self, frames: NDArray[np.intp]) -> TimeSeries:
        """Return the goals at the trajectory samples around frames (T) of the take, as far as known at these frames."""
        record, last = self.motion.record, len(self.motion.record) - 1
        labels, inside = record.labels, np.clip(frames[:, None] + PAST, 0, last)
        known = np.minimum(inside, labels.known_goal_frames[frames, None])
        positions, directions = labels.goal_positions[known], labels.goal_directions[known]
        moved, turned = self.motion.replacement.move_goals(positions, directions)
        about = (record.goal_object[known] == self.motion.contacts.number)[..., None]
        led = record.led_goal_frames[known]
        on_path = led >= 0
        if on_path.any():
            shift, turn = self.motion.root_change(led[on_path])
            positions[on_path] += shift * [1.0, 1.0, 0.0]
            directions[on_path] = into_frame(directions[on_path], -turn)
        return TimeSeries(
            np.where(about, moved, positions), np.where(about, turned, directions), labels.goal_actions[known]
        )


def augmented_samples(
    windows: Sequence[AugmentedWindow], poses: AdaptedPoses, joints: tuple[str, ...], reference: Array
) -> tuple[Float32, Float32]:
    """Return inputs x (B, T, n) and outputs y (B, T, m), not normalized, of windows of equal length.

    Args:
        windows: the windows (B).
        poses: the adapted poses at ``pose_frames`` of all windows, one window after the other.
        joints: names of the pose joints (P).
        reference: (P, 4) reference rotation of each joint in the root's frame.
    """
    length, count = len(windows[0].frames), len(windows)
    seen = _PoseFeatures.of(windows, poses, joints, reference)
    roots = [one.root_at(one.frames) for one in windows]
    root = RootTrack(*(np.concatenate([getattr(each, name) for each in roots]) for name in ("positions", "yaws")))
    goals = [one.goals_around(one.frames) for one in windows]
    trajectory = _joined([_trajectory(one) for one in windows])
    x = NsmState(
        root.positions,
        root.yaws,
        trajectory,
        _joined(goals),
        seen.positions[:, 1 : length + 1].reshape(count * length, -1, 3),
        seen.velocities[:, 1 : length + 1].reshape(count * length, -1, 3),
        seen.rotations[:, 1 : length + 1].reshape(count * length, -1, 3),
        np.concatenate([_environment(one, each) for one, each in zip(windows, roots, strict=True)]),
        np.concatenate([_interaction(*each) for each in zip(windows, roots, goals, strict=True)]),
        np.concatenate([one.motion.record.labels.phase[one.frames] for one in windows]),
    ).to_inputs(input_layout(joints))
    y = _outcome(windows, root, seen).to_outputs(output_layout(joints))
    return x.reshape(count, length, -1), y.reshape(count, length, -1)


@dataclass(frozen=True, slots=True, eq=False)
class _PoseFeatures:
    """Poses of the L = 2 T + 2 pose frames of B windows, in the roots' frames, each array (B, L, P, 3)."""

    positions: Array
    velocities: Array
    rotations: Array

    @staticmethod
    def of(
        windows: Sequence[AugmentedWindow], poses: AdaptedPoses, joints: tuple[str, ...], reference: Array
    ) -> "_PoseFeatures":
        """Return the features of poses; velocities of a window's first frame and of its frames ahead are undefined."""
        clip, index = poses.adapted, [poses.adapted.skeleton.names.index(name) for name in joints]
        positions, rotations = clip.world[0][:, index], clip.world[1][:, index]
        roots = [one.root_at(one.pose_frames) for one in windows]
        origins, yaws = (np.concatenate([getattr(one, name) for one in roots]) for name in ("positions", "yaws"))
        ground = np.column_stack([origins, np.zeros(len(origins))])[:, None]
        steps = np.diff(positions, axis=0, prepend=positions[:1]) * FEATURE_RATE_HZ
        turned = multiply(inverse(rotation_about_up(yaws))[:, None], rotations)
        shape = (len(windows), -1, len(index), 3)
        return _PoseFeatures(
            into_frame(positions - ground, yaws[:, None]).reshape(shape),
            into_frame(steps, yaws[:, None]).reshape(shape),
            log(multiply(inverse(reference), turned)).reshape(shape),
        )


def _trajectory(window: AugmentedWindow) -> TimeSeries:
    """Return the trajectory samples around each frame of a window, in world space."""
    at = window.frames[:, None] + PAST
    track, record = window.root_at(at), window.motion.record
    return TimeSeries(
        track.positions, facing_direction(track.yaws), record.labels.actions[np.clip(at, 0, len(record) - 1)]
    )


def _joined(parts: Sequence[TimeSeries]) -> TimeSeries:
    """Return several time series concatenated into one."""
    names = ("positions", "directions", "actions")
    return TimeSeries(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _outcome(windows: Sequence[AugmentedWindow], root: RootTrack, seen: _PoseFeatures) -> NsmOutcome:
    """Return the outcome of all frames of several windows."""
    length, rows = len(windows[0].frames), len(root.yaws)
    following = [one.root_at(one.frames + 1) for one in windows]
    ahead = [one.frames[:, None] + 1 + FUTURE for one in windows]
    future = [one.root_at(at) for one, at in zip(windows, ahead, strict=True)]
    labels = [one.motion.record.labels for one in windows]
    actions = [
        own.actions[np.clip(np.column_stack([one.frames + 1, at]), 0, len(one.motion.record) - 1)]
        for own, one, at in zip(labels, windows, ahead, strict=True)
    ]
    steps = [own.phase[one.frames + 1] - own.phase[one.frames] for own, one in zip(labels, windows, strict=True)]
    return NsmOutcome(
        now=root,
        following=_joined_tracks(following),
        future=_joined_tracks(future),
        actions=np.concatenate(actions),
        goals=_joined([one.goals_around(one.frames + 1) for one in windows]),
        contacts=np.concatenate([own.contacts[one.frames] for own, one in zip(labels, windows, strict=True)]),
        phase_rate=wrap_cycles(np.concatenate(steps)) * FEATURE_RATE_HZ,
        pose=seen.positions[:, 2 : length + 2].reshape(rows, -1, 3),
        velocity=seen.velocities[:, 2 : length + 2].reshape(rows, -1, 3),
        rotation=seen.rotations[:, 2 : length + 2].reshape(rows, -1, 3),
        future_pose=seen.positions[:, length + 2 :].reshape(rows, -1, 3),
    )


def _joined_tracks(tracks: Sequence[RootTrack]) -> RootTrack:
    """Return several root tracks concatenated into one."""
    return RootTrack(*(np.concatenate([getattr(one, name) for one in tracks]) for name in ("positions", "yaws")))


def _environment(window: AugmentedWindow, root: RootTrack) -> Float32:
    """Return the environment sensor's occupancy (T, 2034) with the new objects in place."""
    ground = np.column_stack([root.positions, np.zeros(len(root.yaws))])
    return environment_features(window.motion.replacement.objects, ground, root.yaws, window.frames)


def _interaction(window: AugmentedWindow, root: RootTrack, goals: TimeSeries) -> Float32:
    """Return the cells (T, 512, 4) of the interaction sensor for the goal's new object."""
    record, contacts = window.motion.record, window.motion.contacts
    ground = np.column_stack([root.positions, np.zeros(len(root.yaws))])
    positions, rotations = goal_object_pose(goals)
    cells = np.zeros((len(ground), CELLS, 4), dtype=np.float32)
    cells[..., :3] = into_frame(positions - ground, root.yaws)[:, None]
    ahead = np.minimum(window.frames + MAX_GOAL_LEAD_FRAMES, record.labels.known_goal_frames[window.frames])
    rows = np.flatnonzero(record.goal_object[np.minimum(ahead, len(record) - 1)] == contacts.number)
    if len(rows):
        volume = window.motion.replacement.volume
        cells[rows] = volume.sense(positions[rows], rotations[rows], ground[rows], root.yaws[rows])
    return cells

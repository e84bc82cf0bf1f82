"""Conversion of takes to samples, whose inputs include goals and objects (NSM section 5)."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.features.interaction import (
    SAMPLE_OFFSETS_FRAMES,
    ActionLabels,
    Float32,
    NsmState,
    goal_object_pose,
    input_layout,
    pose_rotation_vectors,
    sample_frames,
    time_series_at,
)
from ...core.features.interaction_outputs import clip_outputs
from ...core.features.locomotion import pose_features
from ...core.labelling import label_clip
from ...core.motion.root_frame import into_frame, root_track
from ...core.motion.rotations import Array, rotate
from ...core.scene.collider_pose import PosedCollider
from ...core.scene.environment_sensor import SENSOR_RADIUS_M, SPHERE_RADIUS_M, sense_environment
from ...core.scene.interaction_sensor import CELL_COUNT as CELLS
from ...core.scene.interaction_sensor import InteractionVolume
from .take import InteractionTake, TakeObject, is_moving

MAX_GOAL_LEAD_FRAMES: Final = SAMPLE_OFFSETS_FRAMES[-1]
"""Largest number of frames by which a new goal is known in advance."""


def take_samples(
    take: InteractionTake, joints: tuple[str, ...], reference_rotations: Array
) -> tuple[Float32, Float32, Float32]:
    """Return inputs x (N, n), outputs y (N, m) and phases (N), cycles, of the consecutive frames of a take.

    Args:
        take: the take.
        joints: names of the pose joints (P).
        reference_rotations: (P, 4) rotations in the root's frame, to which pose rotations are relative.
    """
    labels, clip = action_labels_of(take), take.clip
    frames = sample_frames(len(clip))
    track = root_track(clip)
    pose, velocity = pose_features(clip, joints, track)
    trajectory, goals = time_series_at(clip, labels, frames)
    roots = np.column_stack([track.positions, np.zeros(len(clip))])
    layout = input_layout(joints)
    x = NsmState(
        positions=track.positions[frames],
        yaws=track.yaws[frames],
        trajectory=trajectory,
        goals=goals,
        pose=pose[frames - 1],
        velocity=velocity[frames - 1],
        rotation=pose_rotation_vectors(clip, joints, reference_rotations, track)[frames - 1],
        environment=environment_features(take.objects, roots[frames], track.yaws[frames], frames),
        interaction=interaction_features(
            take, *goal_object_pose(goals), roots[frames], track.yaws[frames], frames, labels.known_goal_frames
        ),
        phase=labels.phase[frames],
    ).to_inputs(layout)
    return x, clip_outputs(clip, labels, joints, reference_rotations, frames), labels.phase[frames].astype(np.float32)


def action_labels_of(take: InteractionTake) -> ActionLabels:
    """Return the action labels of a take; the take's seed determines how early each goal is known."""
    generator = np.random.default_rng([take.seed, len(take.clip)])
    known = np.arange(len(take.clip)) + MAX_GOAL_LEAD_FRAMES
    positions, directions = goal_poses(take)
    for change in _goal_changes(take, positions):
        lead = int(generator.integers(0, MAX_GOAL_LEAD_FRAMES + 1))
        known[max(change - MAX_GOAL_LEAD_FRAMES, 0) : max(change - lead, 0)] = change - 1
    return ActionLabels(
        actions=take.actions,
        goal_actions=take.goal_actions,
        goal_positions=positions,
        goal_directions=directions,
        contacts=np.column_stack([take.contacts[:, :3], label_clip(take.clip).foot_contacts.probabilities]),
        phase=take.phase,
        known_goal_frames=np.minimum(known, len(take.clip) - 1),
    )


def goal_poses(take: InteractionTake) -> tuple[Array, Array]:
    """Return the goal positions (F, 3), m, and directions (F, 2), world: an object's place and front (NSM 3.1).

    While a box is fetched the goal is its place; while it is carried, the place where it will be put down.
    """
    positions, directions = take.goal_positions.copy(), take.goal_directions.copy()
    for number, take_object in enumerate(take.objects):
        about = np.flatnonzero(take.goal_object == number)
        if len(about) == 0:
            continue
        rest = np.concatenate([~is_moving(take_object.positions, take_object.rotations), [True]])
        # The next frame of rest; the goal of a swinging leaf is the door, which does not move.
        following = np.minimum.accumulate(np.where(rest, np.arange(len(rest)), len(rest) - 1)[::-1])[::-1]
        at = following[about] if take_object.kind == "box" else np.zeros(len(about), dtype=np.intp)
        positions[about] = take_object.positions[at]
        directions[about] = rotate(take_object.rotations[at], np.array([0.0, 1.0, 0.0]))[:, :2]
    return positions, directions


def _goal_changes(take: InteractionTake, positions: Array) -> list[int]:
    """Return the frames at which the goal of a take changes."""
    kinds, goal_objects = take.goal_actions.argmax(axis=1), take.goal_object
    moved = (goal_objects[1:] >= 0) & (np.abs(np.diff(positions, axis=0)).max(axis=1) > 1e-6)
    return [int(frame) for frame in np.flatnonzero((np.diff(goal_objects) != 0) | (np.diff(kinds) != 0) | moved) + 1]


def environment_features(
    objects: tuple[TakeObject, ...], roots: Array, yaws: Array, frames: NDArray[np.intp]
) -> Float32:
    """Return the occupancies (N, 2034) of the environment sensor, which does not sense a carried box.

    Args:
        objects: the objects of the take.
        roots: (N, 3) root positions, m, world.
        yaws: (N) root yaws, rad.
        frames: (N) frames of the take.
    """
    objects = tuple(one for one in objects if _is_in_sight(one, roots, frames))
    resting = [one for one in objects if not is_moving(one.positions[frames], one.rotations[frames]).any()]
    placed = [PosedCollider(one.collider, one.positions[frames[0]], one.rotations[frames[0]]) for one in resting]
    # A single frame does not show whether a box is carried.
    carried = [one.is_carried[frames[0]] for one in resting]
    still = [one for one, lifted in zip(placed, carried, strict=True) if not lifted]
    sensed = sense_environment(roots, yaws, still).astype(np.float32)
    for take_object in objects:
        if any(take_object is one for one in resting):
            continue
        for rows, moved in _stationary_runs(take_object, frames):
            around = sense_environment(roots[rows], yaws[rows], [moved]).astype(np.float32)
            around[take_object.is_carried[frames[rows]]] = 0.0
            sensed[rows] = np.maximum(sensed[rows], around)
    return sensed


def _is_in_sight(take_object: TakeObject, roots: Array, frames: NDArray[np.intp]) -> bool:
    """Return whether an object is within the environment sensor's range of one of the roots (N, 3)."""
    lower, upper = take_object.collider.bounds
    radius = float(np.linalg.norm(np.maximum(np.abs(lower), np.abs(upper))[:2])) + SENSOR_RADIUS_M + SPHERE_RADIUS_M
    apart = (take_object.positions[frames] - roots)[:, :2]
    return bool((np.square(apart).sum(axis=1) < radius**2).any())


def _stationary_runs(take_object: TakeObject, frames: NDArray[np.intp]) -> Iterator[tuple[slice, PosedCollider]]:
    """Yield each range of rows over which an object rests, with its posed collider; carried boxes are left out."""
    positions, rotations = take_object.positions[frames], take_object.rotations[frames]
    moved = is_moving(positions, rotations)
    for start, stop in pairwise([0, *(np.flatnonzero(moved) + 1), len(frames)]):
        if not take_object.is_carried[frames[start:stop]].all():
            yield slice(start, stop), PosedCollider(take_object.collider, positions[start], rotations[start])


def interaction_features(
    take: InteractionTake,
    positions: Array,
    rotations: Array,
    roots: Array,
    yaws: Array,
    frames: NDArray[np.intp],
    known: NDArray[np.intp],
) -> Float32:
    """Return the interaction sensor's cells (N, 512, 4), position and occupancy, of the goal's object a second later.

    If the goal is not an object, all cells are empty and lie at the goal.

    Args:
        take: the take.
        positions: (N, 3) goal positions, m, world.
        rotations: (N, 4) goal rotations, world.
        roots: (N, 3) root positions, m, world.
        yaws: (N) root yaws, rad.
        frames: (N) frames of the take.
        known: (F) last frame whose goal is already known, for each frame of the take.
    """
    cells = np.zeros((len(frames), CELLS, 4), dtype=np.float32)
    cells[..., :3] = into_frame(positions - roots, yaws)[:, None]
    about = take.goal_object[np.minimum(np.minimum(frames + MAX_GOAL_LEAD_FRAMES, known[frames]), len(take.clip) - 1)]
    for number, take_object in enumerate(take.objects):
        rows = np.flatnonzero(about == number)
        if len(rows):
            volume = InteractionVolume.from_collider(take_object.collider)
            cells[rows] = volume.sense(positions[rows], rotations[rows], roots[rows], yaws[rows])
    return cells

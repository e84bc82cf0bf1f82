"""Tracks of a shot's objects, and extension of two parts to the same sensors, gaits and objects."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...labelling import Labels
from ...motion.rotations import Array, inverse, length, multiply, unroll
from ...motion.signals import Mask
from ...scene.interaction_object import InteractionObject
from ..interaction.recording import InteractionRecording
from ..performance import ObjectTrack, Performance


def object_tracks(
    recording: InteractionRecording, states: Sequence[Sequence[InteractionObject]], scale: float
) -> tuple[ObjectTrack, ...]:
    """Return the motion of all objects of a recording, with the frames in which they are held.

    Args:
        recording: the recorded interaction.
        states: for each of F frames, all objects, in meters at the controller's scale.
        scale: world meters per meter at the controller's scale.
    """
    tracks = []
    for index, one in enumerate(recording.objects):
        positions = scale * np.array([state[index].position for state in states])
        rotations = unroll(np.array([state[index].rotation for state in states]))
        tracks.append(ObjectTrack(one.name, positions, rotations, _is_held(recording, index, len(states))))
    return tuple(tracks)


def settling_tracks(
    last: Sequence[InteractionObject], following: Sequence[Sequence[InteractionObject]], scale: float
) -> tuple[ObjectTrack, ...]:
    """Return the motion of the objects that still move after a recording, such as a door that falls shut.

    Args:
        last: objects at the last frame of the recording, in meters at the controller's scale.
        following: for each of F frames after it, all objects, in meters at the controller's scale.
        scale: world meters per meter at the controller's scale.
    """
    tracks = []
    for index, one in enumerate(last):
        states = [state[index] for state in following]
        if any(state is not one for state in states):
            rotations = unroll(np.array([state.rotation for state in (one, *states)]))[1:]
            positions = scale * np.array([state.position for state in states])
            tracks.append(ObjectTrack(one.name, positions, rotations, np.zeros(len(states), dtype=bool)))
    return tuple(tracks)


def settled(performance: Performance, frame: int, track: ObjectTrack) -> Performance:
    """Return a motion in which an object moves along `track` from a frame on, and then rests until it is moved again.

    A door that is opened while it falls shut stays at the wider of both openings.
    """
    known = next((one for one in performance.objects if one.name == track.name), None)
    if known is None or frame >= len(known):
        return performance
    positions, rotations = known.positions.copy(), known.rotations.copy()
    poses = np.concatenate([positions, rotations], axis=1)[frame:]
    rests = np.all(poses == poses[0], axis=1)
    at = np.minimum(np.arange(len(poses)), len(track) - 1)
    shut = inverse(track.rotations[-1])
    wider = _turned(track.rotations[at], shut) > _turned(rotations[frame:], shut)
    settles = np.logical_and.accumulate(rests)
    settles[: len(track)] |= np.logical_and.accumulate(settles | wider)[: len(track)]
    span = frame + np.flatnonzero(settles)
    positions[span], rotations[span] = track.positions[at[settles]], track.rotations[at[settles]]
    moved = replace(known, positions=positions, rotations=unroll(rotations))
    return replace(performance, objects=tuple(moved if one is known else one for one in performance.objects))


def _turned(rotations: Array, rest: Array) -> Array:
    """Return the angles (N), radians, of rotations (N, 4) from a pose at rest, given its inverse (4)."""
    turns = multiply(rotations, rest)
    return 2.0 * np.arctan2(length(turns[:, 1:]), np.abs(turns[:, 0]))


def _is_held(recording: InteractionRecording, object_index: int, frames: int) -> Mask:
    """Return a mask (F) of the frames in which an object is held in the hands."""
    held = np.zeros(frames, dtype=bool)
    for event in recording.events:
        if event.kind in ("took", "put") and recording.tasks[event.task_index].object_index == object_index:
            held[event.frame :] = event.kind == "took"
    return held


def alike(before: Performance, after: Performance) -> tuple[Performance, Performance]:
    """Return two motions of one body, each extended by the sensors, gaits and objects that only the other has.

    An added object rests where the other motion has it at the seam: in its first frame, or its last.
    """
    sensors, gaits = (
        tuple(dict.fromkeys((*names[0], *names[1])))
        for names in (
            (before.labels.contact_joints, after.labels.contact_joints),
            (before.labels.gait_names, after.labels.gait_names),
        )
    )
    names = tuple(dict.fromkeys(one.name for one in (*before.objects, *after.objects)))
    known = {one.name: one for one in before.objects}, {one.name: one for one in after.objects}
    return (
        replace(
            before,
            labels=_with_columns(before.labels, sensors, gaits),
            objects=tuple(known[0].get(name) or _still(known[1][name], 0, len(before)) for name in names),
        ),
        replace(
            after,
            labels=_with_columns(after.labels, sensors, gaits),
            objects=tuple(known[1].get(name) or _still(known[0][name], -1, len(after)) for name in names),
            standing_clip=after.standing_clip or before.standing_clip,
        ),
    )


def _with_columns(labels: Labels, sensors: tuple[str, ...], gaits: tuple[str, ...]) -> Labels:
    """Return labels with exactly the given sensors and gaits as columns, in that order."""
    return replace(
        labels,
        contact_joints=sensors,
        contacts=_columns(labels.contact_joints, labels.contacts, sensors),
        confidence=_columns(labels.contact_joints, labels.confidence, sensors),
        gait_names=gaits,
        gaits=_columns(labels.gait_names, labels.gaits, gaits),
    )


def _columns(names: Sequence[str], values: Array, wanted: Sequence[str]) -> Array:
    """Return columns (F, K) in the order of the given names; zeros for missing names."""
    made = np.zeros((len(values), len(wanted)))
    for name, column in zip(names, values.T, strict=True):
        made[:, list(wanted).index(name)] = column
    return made


def _still(track: ObjectTrack, frame: int, frames: int) -> ObjectTrack:
    """Return a track in which an object keeps its pose at one frame of its motion."""
    return track.taken(np.full(frames, frame % len(track)))

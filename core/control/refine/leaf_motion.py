"""Leaf motion: the angles of doors over a whole recording, computed from the refined body that walks through.

A recorded leaf follows the body frame by frame and is pushed open in jerks. Since the recording is complete, the leaf's
motion is recomputed: it opens smoothly as far as the hand on its handle reaches, early enough for the body, and no
faster than a leaf can turn. A pulled leaf opens as recorded, with the character's steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...motion import Clip
from ...motion.blending import smooth_falloff
from ...motion.rotations import Array
from ...scene.body_capsules import BodyCapsules
from ...scene.interaction_object import InteractionObject
from ...tuning import Tuning, tuned
from ..interaction.door import TUNING as DOOR_TUNING
from ..interaction.door import clearing_angles, opening_angle, opening_sign, opening_start
from ..interaction.recording import InteractionRecording, ObjectStates, replace_at
from ..interaction.wrist_targets import palm_offset, wrist_on_object

PUSHING_ROLES: Final = ("hips", "spine", "chest", "neck", "head", "upper_arm", "thigh", "shin", "foot")
"""Body parts that a door's leaf must not touch as the body walks through."""


@dataclass(frozen=True, slots=True)
class LeafMotion(Tuning):
    """Tuned numbers of the motion of leaves."""

    comfortable_reach: float = tuned(0.97, "1", 0.5, 1.0)
    """Largest distance from shoulder to wrist at which a hand pushes a leaf, as a share of the arm's length."""
    margin: float = tuned(np.radians(3.0), "rad", 0.0, 0.5)
    """Angle by which a leaf is opened farther than the body requires."""
    shutting: float = tuned(2.0, "s", 0.2, 10.0)
    """Time in which a leaf falls shut behind the character."""
    shut: float = tuned(np.radians(1.0), "rad", 0.0, 0.2)
    """Opening angle up to which a leaf counts as shut."""
    earliness: float = tuned(0.12, "s", 0.0, 1.0)
    """Time by which a leaf opens earlier than the body requires."""
    smoothing: float = tuned(0.09, "s", 0.01, 1.0)
    """Standard deviation of the Gaussian that smooths a leaf's angle."""


TUNING: Final = LeafMotion()
ANGLE_STEPS: Final = 51
"""Number of a leaf's opening angles at which the reach of the hand is tested."""


def swing_leaves(recording: InteractionRecording, clip: Clip, scale: float) -> ObjectStates:
    """Return the states of all objects in every frame, with smooth turning of the doors that the character opens.

    Args:
        recording: the recorded interaction, F frames.
        clip: motion of the character, F frames.
        scale: clip meters per recording meter.
    """
    states, opened = list(recording.object_states), {}
    for start, stop, task_index in recording.task_intervals():
        task = recording.tasks[task_index]
        if task.action == "open":
            angles = _wanted_angles(recording, clip, scale, (start, stop, task_index))
            opened.setdefault(task.object_index, []).append(angles)
    for index, wanted in opened.items():
        # A leaf opened from both sides swings both ways.
        angles = sum(
            sign * smooth_angles(np.max([np.maximum(sign * one, 0.0) for one in wanted], axis=0), clip.rate)
            for sign in (1.0, -1.0)
        )
        closed = recording.objects[index]
        states = [
            replace_at(state, index, closed.swing_open(float(angle)))
            for state, angle in zip(states, np.asarray(angles), strict=True)
        ]
    return states


def fall_shut(recording: InteractionRecording, last: Sequence[InteractionObject]) -> ObjectStates:
    """Return the states of all objects after a recording, in which doors that are still open fall shut.

    Args:
        recording: the recorded interaction.
        last: all objects in their states at the recording's last frame.

    Returns:
        States of the following frames, one entry a frame; empty if no door is open.
    """
    total = TUNING.shutting * recording.model.rate
    angles = {}
    for _, stop, task_index in recording.task_intervals():
        index = recording.tasks[task_index].object_index
        if recording.tasks[task_index].action == "open":
            closed, fallen = recording.objects[index], len(recording) - stop
            angle = opening_angle(last[index], closed) * opening_sign(
                closed.facing_side(recording.approach_sides[task_index])
            )
            shares = smooth_falloff(np.arange(fallen, round(total) + 1) / total)
            if abs(angle) > TUNING.shut and len(shares) > 1 and shares[0] > 0.0:
                angles[index] = angle * shares[1:] / shares[0]
    states: list[tuple[InteractionObject, ...]] = []
    for frame in range(max(map(len, angles.values()), default=0)):
        state = tuple(last)
        for index, one in angles.items():
            state = replace_at(state, index, recording.objects[index].swing_open(float(one[min(frame, len(one) - 1)])))
        states.append(state)
    return states


def _wanted_angles(recording: InteractionRecording, clip: Clip, scale: float, interval: tuple[int, int, int]) -> Array:
    """Return the angles (F), radians, to which a leaf opens in a task's interval, and from which it closes afterward.

    Args:
        recording: the recorded interaction.
        clip: motion of the character.
        scale: meters of the clip's body per meter of the recording.
        interval: first frame, frame after the last, and index of a task.
    """
    start, stop, task_index = interval
    closed = recording.task_object(task_index)
    door = closed.facing_side(recording.approach_sides[task_index])
    assert door.handle is not None
    if door.handle.is_pulled:
        states = recording.object_states[start:stop]
        opened = np.array([opening_angle(state[recording.tasks[task_index].object_index], closed) for state in states])
        opened[: opening_start(opened)] = 0.0
        # The body steps aside for a pulled leaf, so it opens no earlier than recorded, unlike a pushed one.
        opened = np.pad(opened, (round(TUNING.earliness * clip.rate), 0))[: stop - start]
    else:
        opened = _pushed_angles(recording, clip, scale, interval, door)
    wanted = np.zeros(len(clip))
    wanted[start:stop] = np.maximum.accumulate(opened)
    away = np.arange(len(clip) - stop) / (TUNING.shutting * clip.rate)
    wanted[stop:] = wanted[stop - 1] * smooth_falloff(away)
    return opening_sign(door) * wanted


def _pushed_angles(
    recording: InteractionRecording, clip: Clip, scale: float, interval: tuple[int, int, int], door: InteractionObject
) -> Array:
    """Return the angles (N), radians, to which body and hand push a leaf in an interval of N frames."""
    start, stop, _ = interval
    by_body = np.minimum(_body_angles(door, clip, scale), DOOR_TUNING.max_opening)[start:stop]
    widest = max(float(by_body.max()) + float(TUNING.margin), float(DOOR_TUNING.open_angle))
    widest = min(widest, float(DOOR_TUNING.max_opening))
    by_hand = _hand_angles(door, clip.cut(start, stop), scale, recording.model.skeleton.leg_length)
    return np.maximum(by_body, np.minimum(by_hand, widest))


def _body_angles(door: InteractionObject, clip: Clip, scale: float) -> Array:
    """Return the opening angles (F), radians, that trunk, head and legs need to pass."""
    body = BodyCapsules.from_skeleton(clip.skeleton)
    spheres = body.sphere_indices(PUSHING_ROLES)
    centres = body.sphere_centres(clip)[:, spheres] / scale
    clearances = np.broadcast_to(body.radii[spheres] / scale + DOOR_TUNING.leaf_clearance, centres.shape[:2])
    return clearing_angles(door, centres, clearances).max(axis=1)


def _hand_angles(door: InteractionObject, clip: Clip, scale: float, leg_length: float) -> Array:
    """Return the largest opening angle (F), radians, at which the pushing hand still reaches the handle; 0 if none."""
    assert door.handle is not None
    hand = door.handle.pushing_hand
    joints = [clip.skeleton.joint(f"{part}.{hand}") for part in ("upper_arm", "forearm", "hand")]
    length = float(np.linalg.norm(clip.skeleton.offsets[joints[1:]], axis=-1).sum()) / scale
    angles = np.linspace(0.0, float(DOOR_TUNING.max_opening), ANGLE_STEPS)
    wrist = wrist_on_object(door, 0, hand, palm_offset(leg_length))
    held = np.stack(
        [door.swing_open(opening_sign(door) * angle).posed_collider.to_world(wrist[None])[0] for angle in angles]
    )
    away = np.linalg.norm(held[None] - clip.positions[:, joints[0], None] / scale, axis=-1)
    return np.where(away < TUNING.comfortable_reach * length, angles, 0.0).max(axis=1)


def smooth_angles(wanted: Array, rate: float) -> Array:
    """Return smooth angles (F), radians, of a leaf that is never less open than `wanted` (F), radians.

    They change no faster than a leaf can turn; `rate` is in frames per second.
    """
    if not wanted.any():
        return wanted
    step = float(DOOR_TUNING.max_leaf_speed) / rate
    frames = np.arange(len(wanted))
    # A rate limit from both sides: the smallest angles above the required ones with bounded slope.
    limited = np.maximum.accumulate((wanted - step * frames)[::-1])[::-1] + step * frames
    limited = np.maximum.accumulate(limited + step * frames) - step * frames
    early = round(TUNING.earliness * rate)
    ahead = np.pad(limited[early:], (0, early), mode="edge")
    return scipy.ndimage.gaussian_filter1d(np.maximum(limited, ahead), TUNING.smoothing * rate, mode="nearest")

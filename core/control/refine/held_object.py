"""Displacement of held objects: along with the bearer's root, and out of the bearer's body."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...motion import Clip
from ...motion.blending import smooth_step
from ...motion.rotations import Array, slerp
from ...scene.body_capsules import BodyCapsules
from ...scene.interaction_object import InteractionObject, animated_collider
from ...tuning import Tuning, tuned
from ..interaction.attachment import HANDOVER_S
from ..interaction.recording import InteractionRecording, ObjectStates, replace_at
from ..passes.depenetration import HORIZONTAL_DIRECTIONS, BodyPart, depenetrate


@dataclass(frozen=True, slots=True)
class HeldObjects(Tuning):
    """Tuned numbers of held objects."""

    lifting: float = tuned(0.7, "s", 0.05, 2.0)
    """Time in which an object that is taken blends from rest into the motion of the hands."""
    max_push: float = tuned(0.2, "m", 0.0, 0.5)
    """Largest distance by which a held object is pushed away from the body."""


TUNING: Final = HeldObjects()
PUSH_BODY_PARTS: Final = ("hips", "spine", "chest", "neck", "head", "upper_arm", "thigh")
"""Body parts from which a held object is pushed away."""


def ease_grasps(recording: InteractionRecording) -> ObjectStates:
    """Return the states of all objects, in which an object eases into motion when taken, instead of within a frame.

    Args:
        recording: the recorded interaction.
    """
    states = list(recording.object_states)
    for task_index, task in enumerate(recording.tasks):
        grasped = recording.event_frame("took", task_index)
        if grasped is None:
            continue
        index, ease = task.object_index, TUNING.lifting * recording.model.rate
        rest = states[max(grasped - 1, 0)][index]
        for frame in range(grasped, min(grasped + round(ease), len(states))):
            held, share = states[frame][index], float(smooth_step((frame - grasped) / ease))
            eased = replace(
                held,
                position=rest.position + share * (held.position - rest.position),
                rotation=slerp(rest.rotation, held.rotation, np.array(share)),
            )
            states[frame] = replace_at(states[frame], index, eased)
    return states


def move_held_object(recording: InteractionRecording, root_shift: Array) -> ObjectStates:
    """Return the states of all objects, in which a held object follows a displacement of its bearer.

    Args:
        recording: the recorded interaction.
        root_shift: (F, 3) displacement of the bearer, meters at the recording's scale, world.
    """
    states = list(recording.object_states)
    for task_index, task in enumerate(recording.tasks):
        shifts = carry_weights(recording, task_index)[:, None] * root_shift
        if shifts.any():
            states = [shift_object(state, task.object_index, by) for state, by in zip(states, shifts, strict=True)]
    return states


def push_held_object(recording: InteractionRecording, clip: Clip, scale: float) -> ObjectStates:
    """Return the states of all objects, in which a held object is pushed forward, out of the bearer's body.

    Args:
        recording: the recorded interaction.
        clip: motion of the bearer.
        scale: clip meters per recording meter.
    """
    states = list(recording.object_states)
    body = BodyCapsules.from_skeleton(clip.skeleton)
    spheres = body.sphere_indices(PUSH_BODY_PARTS)
    mask = np.zeros((len(clip), len(body.radii)), dtype=bool)
    for task_index, task in enumerate(recording.tasks):
        weights = carry_weights(recording, task_index)
        if not weights.any():
            continue
        index = task.object_index
        # The body would have to move back; the object moves forward instead.
        front = recording.objects[index].facing_side(recording.approach_sides[task_index]).front_direction
        collider = animated_collider([state[index] for state in states], scale)
        directions = tuple(
            (axis, sign)
            for axis, sign in HORIZONTAL_DIRECTIONS
            if sign * _to_object_direction(recording.objects[index], front)[axis] > 0.5
        )
        levers = np.repeat(weights[:, None] > 0, len(spheres), axis=1).astype(float)
        displacement = depenetrate(
            body, clip, [collider], [mask], BodyPart(spheres, levers, directions, TUNING.max_push)
        )
        if displacement is not None:
            shifts = -weights[:, None] * displacement / scale
            states = [
                shift_object(state, index, by) if by.any() else state for state, by in zip(states, shifts, strict=True)
            ]
    return states


def _to_object_direction(interaction_object: InteractionObject, direction: Array) -> Array:
    """Return a horizontal direction (2), given in the world, in an object's own space."""
    return interaction_object.posed_collider.to_local(np.append(direction, 0.0) + interaction_object.position)[:2]


def shift_object(objects: tuple[InteractionObject, ...], index: int, offset: Array) -> tuple[InteractionObject, ...]:
    """Return the objects with the one at `index` moved by `offset` (3), meters at the objects' scale, world."""
    return replace_at(objects, index, replace(objects[index], position=objects[index].position + offset))


def carry_weights(recording: InteractionRecording, task_index: int) -> Array:
    """Return the weights (F), 0 to 1, with which a task's object follows the hands that carry it.

    Args:
        recording: the recorded interaction.
        task_index: index of the task.
    """
    frames, ease = np.arange(len(recording)), HANDOVER_S * recording.model.rate
    grasped = recording.event_frame("took", task_index)
    if grasped is None:
        return np.zeros(len(frames))
    released = recording.event_frame("put", task_index)
    if released is None:
        released = recording.event_frame("gave up", task_index)
    # A released object is at rest after the handover, two frames before the frame of the event.
    end = (len(frames) if released is None else released) - 2
    return smooth_step(np.minimum(frames - grasped, end + ease - frames) / ease)

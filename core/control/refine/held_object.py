"""Displacement of held objects: with their bearer's root, and out of the bearer's trunk."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ...motion import Clip
from ...motion.blending import smooth_step
from ...motion.rotations import Array
from ...scene.body_capsules import BodyCapsules
from ...scene.interaction_object import InteractionObject, animated_collider
from ..interaction.attachment import HANDOVER_S
from ..interaction.sequencer import InteractionSequencer
from .depenetration import HORIZONTAL_DIRECTIONS, BodyPart, depenetrate

MAX_PUSH_M: Final = 0.2
"""Largest distance by which a held object is pushed away from the body."""
PUSH_BODY_PARTS: Final = ("hips", "spine", "chest", "upper_arm", "thigh")
"""Body parts from which a held object is pushed away."""


def move_held_object(interaction: InteractionSequencer, root_shift: Array) -> list[tuple[InteractionObject, ...]]:
    """Return the object states with the held object moved along with its bearer.

    Args:
        interaction: the recorded interaction.
        root_shift: (F, 3) displacement of the bearer, meters of the recording.
    """
    places = list(interaction.object_states)
    for number, errand in enumerate(interaction.tasks):
        by = carry_weights(interaction, number)[:, None] * root_shift
        if by.any():
            places = [_shift_object(now, errand.object_index, one) for now, one in zip(places, by, strict=True)]
    return places


def push_held_object(
    interaction: InteractionSequencer, clip: Clip, scale: float
) -> list[tuple[InteractionObject, ...]]:
    """Return the object states with the held object pushed forward, out of the bearer's body.

    Args:
        interaction: the recorded interaction.
        clip: motion of the bearer.
        scale: meters of the clip's body for one of the recording's.
    """
    places = list(interaction.object_states)
    body = BodyCapsules.from_skeleton(clip.skeleton)
    spheres = body.sphere_indices(PUSH_BODY_PARTS)
    free = np.zeros((len(clip), len(body.radii)), dtype=bool)
    for number, errand in enumerate(interaction.tasks):
        share = carry_weights(interaction, number)
        if not share.any():
            continue
        thing = errand.object_index
        # The body would have to move back; the object moves forward instead.
        front = interaction.objects[thing].facing_side(interaction.approach_sides[number]).front_direction
        back = animated_collider([now[thing] for now in places], scale)
        ways = tuple(
            (axis, sign)
            for axis, sign in HORIZONTAL_DIRECTIONS
            if sign * _to_object_direction(interaction.objects[thing], front)[axis] > 0.5
        )
        part = BodyPart(spheres, np.repeat(share[:, None] > 0, len(spheres), axis=1).astype(float), ways, MAX_PUSH_M)
        way = depenetrate(body, clip, [back], [free], part)
        if way is not None:
            shift = -share[:, None] * way / scale
            places = [_shift_object(now, thing, by) if by.any() else now for now, by in zip(places, shift, strict=True)]
    return places


def _to_object_direction(interaction_object: InteractionObject, direction: Array) -> Array:
    """Return a horizontal direction (2) in an object's own space."""
    return interaction_object.posed_collider.to_local(np.append(direction, 0.0) + interaction_object.position)[:2]


def _shift_object(
    objects: Sequence[InteractionObject], object_index: int, offset: Array
) -> tuple[InteractionObject, ...]:
    """Return the objects with one of them shifted by ``offset`` (3), meters."""
    moved = replace(objects[object_index], position=objects[object_index].position + offset)
    return (*objects[:object_index], moved, *objects[object_index + 1 :])


def carry_weights(interaction: InteractionSequencer, task_index: int) -> Array:
    """Return for each frame (F) the weight, 0 to 1, with which a task's object moves with the hands.

    Args:
        interaction: the recorded interaction.
        task_index: index of the task.
    """
    frames, ease = np.arange(len(interaction.frames)), HANDOVER_S * interaction.model.rate
    about = {event.kind: event.frame for event in interaction.events if event.task_index == task_index}
    if interaction.tasks[task_index].action != "carry" or "took" not in about:
        return np.zeros(len(frames))
    # A released object is at rest after the handover, two frames before the event's frame says so.
    put = about.get("put", len(frames)) - 2
    return smooth_step(np.minimum(frames - about["took"], put + ease - frames) / ease)

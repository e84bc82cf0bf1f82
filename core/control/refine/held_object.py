"""What is carried held as far before the body as it needs room: a deep box would be in the chest and the upper arms of
who has it between their hands.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ...motion import Clip
from ...motion.rotations import Array
from ...scene.body_capsules import BodyCapsules
from ...scene.interaction_object import InteractionObject, animated_collider
from ..interaction.attachment import HANDOVER_S
from ..interaction.sequencer import InteractionSequencer
from .depenetration import HORIZONTAL_DIRECTIONS, BodyPart, depenetrate

MAX_PUSH_M: Final = 0.2
"""Metres by which a box is held farther away, at most."""
PUSH_BODY_PARTS: Final = ("hips", "spine", "chest", "upper_arm", "thigh")
"""Parts that it is held away from."""


def move_held_object(interaction: InteractionSequencer, root_shift: Array) -> list[tuple[InteractionObject, ...]]:
    """The things of a play at each of its frames, with what is carried moved as its bearer was, by (F, 3) metres."""
    places = list(interaction.object_states)
    for number, errand in enumerate(interaction.tasks):
        by = carry_weights(interaction, number)[:, None] * root_shift
        if by.any():
            places = [_shift_object(now, errand.object_index, one) for now, one in zip(places, by, strict=True)]
    return places


def push_held_object(
    interaction: InteractionSequencer, clip: Clip, scale: float
) -> list[tuple[InteractionObject, ...]]:
    """The things of a play at each of its frames, with what is carried before the body and not in it.

    Args:
        clip: the motion of who carries it.
        scale: metres of the clip's body for one of the play's.
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
        # The body would have to go backwards; the box goes forwards instead.
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
    """A direction (2) over the ground in a thing's own space."""
    return interaction_object.posed_collider.to_local(np.append(direction, 0.0) + interaction_object.position)[:2]


def _shift_object(
    objects: Sequence[InteractionObject], object_index: int, offset: Array
) -> tuple[InteractionObject, ...]:
    moved = replace(objects[object_index], position=objects[object_index].position + offset)
    return (*objects[:object_index], moved, *objects[object_index + 1 :])


def carry_weights(interaction: InteractionSequencer, task_index: int) -> Array:
    """How far (F), from 0 to 1, an errand's thing is in hands, and not where it lay or is put."""
    frames, ease = np.arange(len(interaction.frames)), HANDOVER_S * interaction.model.rate
    about = {event.kind: event.frame for event in interaction.events if event.task_index == task_index}
    if interaction.tasks[task_index].action != "carry" or "took" not in about:
        return np.zeros(len(frames))
    # What is put lies still, half a second later, two frames before the count of frames says so.
    put = about.get("put", len(frames)) - 2
    ramp = np.clip(np.minimum(frames - about["took"], put + ease - frames) / ease, 0.0, 1.0)
    return ramp * ramp * (3 - 2 * ramp)

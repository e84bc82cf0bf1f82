"""Legs of characters on seats too high for their feet: they hang with bent knees instead of reaching for the ground."""

from typing import Final

import numpy as np

from ...motion import Clip
from ...motion.blending import smooth_step
from ...motion.contacts import FootContacts
from ...motion.root_frame import facing_direction, root_track
from ...motion.rotations import Array
from ...scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ..interaction.actions import ACTION_SPECS
from ..interaction.actions.base import SeatContact
from ..interaction.recording import InteractionRecording

THIGH_SLOPE_RAD: Final = np.radians(7.0)
"""Angle by which thighs fall off to the knees over the edge of a high seat."""
SHIN_SLOPE_RAD: Final = np.radians(6.0)
"""Angle by which hanging shins lead back."""
HANGING_S: Final = 1.0
"""Time in which feet leave the ground before the character is seated, and reach it after."""
HIGH_SEAT_RATIO: Final = 0.17
"""Height of a seat over the length of the shins, as a share of the leg length, from which feet hang."""


def hang_legs(recording: InteractionRecording, clip: Clip, contacts: FootContacts) -> tuple[Clip, FootContacts]:
    """Return the motion with legs that hang from high seats, and the contacts without those of feet in the air.

    Args:
        recording: the recorded interaction, F frames.
        clip: the motion with hips on their seats, F frames.
        contacts: of its feet.
    """
    weights = _seated_weights(recording, clip)
    if not weights.any():
        return clip, contacts
    skeleton = clip.skeleton
    thigh_length, shin_length = (
        float(np.linalg.norm(skeleton.offsets[[skeleton.joint(f"{part}.{side}") for side in "LR"]], axis=-1).mean())
        for part in ("shin", "foot")
    )
    ahead = np.column_stack([facing_direction(root_track(clip).yaws), np.zeros(len(clip))])
    reach = thigh_length * np.cos(THIGH_SLOPE_RAD) - shin_length * np.sin(SHIN_SLOPE_RAD)
    drop = thigh_length * np.sin(THIGH_SLOPE_RAD) + shin_length * np.cos(SHIN_SLOPE_RAD)
    goals = [EffectorGoal("hips", clip.positions[:, skeleton.joint("hips")], np.ones(len(clip)))]
    for side in "LR":
        hanging = clip.positions[:, skeleton.joint(f"thigh.{side}")] + reach * ahead - [0.0, 0.0, drop]
        goals.append(EffectorGoal(f"foot.{side}", hanging, weights))
    on_ground = contacts.probabilities.copy()
    on_ground[weights > 0] = 0.0
    return solve_full_body_ik(clip, goals), FootContacts(on_ground)


def feet_hang(recording: InteractionRecording, contact: SeatContact) -> bool:
    """Return whether feet hang from a seat: it is over the height of the knees."""
    model = recording.model.skeleton
    shin = float(np.linalg.norm(model.offsets[[model.joint(f"foot.{side}") for side in "LR"]], axis=-1).mean())
    return float(contact.position[2]) >= shin + HIGH_SEAT_RATIO * model.leg_length


def _seated_weights(recording: InteractionRecording, clip: Clip) -> Array:
    """Return for each frame (F) the weight, 0 to 1, of sitting on a seat that is too high for the feet."""
    frames, ease = np.arange(len(clip)), HANGING_S * clip.rate
    weights = np.zeros(len(clip))
    for interval in recording.task_intervals():
        _, stop, task_index = interval
        contact = ACTION_SPECS[recording.tasks[task_index].action].seat_contact(recording, interval)
        if contact is None or not feet_hang(recording, contact):
            continue
        outside = np.maximum(contact.start - frames, frames - (stop - 1))
        weights = np.maximum(weights, smooth_step(1 - outside / ease))
    return weights

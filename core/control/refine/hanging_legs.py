"""Legs of characters on seats too high for their feet: they hang with bent knees instead of reaching for the ground."""

from typing import Final

import numpy as np

from ...motion import Clip, Skeleton
from ...motion.blending import smooth_step
from ...motion.contacts import FootContacts
from ...motion.root_frame import facing_direction, root_track
from ...motion.rotations import Array
from ...scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ..interaction.actions import ACTION_SPECS
from ..interaction.recording import InteractionRecording
from .seat_pose import seated_height

THIGH_SLOPE_RAD: Final = np.radians(7.0)
"""Angle by which thighs fall off to the knees over the edge of a high seat."""
SHIN_SLOPE_RAD: Final = np.radians(6.0)
"""Angle by which hanging shins lead back."""
HANGING_S: Final = 1.0
"""Time in which feet leave the ground before the character is seated, and reach it after."""
HIGH_HIPS_RATIO: Final = 0.3375
"""Height of seated hip joints over the length of the shins, as a share of the leg length, from which feet hang."""


def hang_legs(
    recording: InteractionRecording, clip: Clip, contacts: FootContacts, scale: float, thickness: float | None = None
) -> tuple[Clip, FootContacts]:
    """Return the motion with legs that hang from high seats, and the contacts without those of feet in the air.

    Args:
        recording: the recorded interaction, F frames.
        clip: the motion with hips on their seats, F frames, in meters of the body.
        contacts: of its feet.
        scale: meters of the body for one of the controller.
        thickness: height of the hip joints over the seat, meters; those of the controller by default.
    """
    rise = scale * seated_height(recording.model.skeleton) if thickness is None else thickness
    weights = _seated_weights(recording, clip, scale, rise)
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


def feet_hang(body: Skeleton, hip_height: float) -> bool:
    """Return whether the feet of a seated body hang: its shins are too short for the height of its hip joints, meters.

    Thighs that slope down from the edge of the seat bring feet to the ground.
    """
    shin = float(np.linalg.norm(body.offsets[[body.joint(f"foot.{side}") for side in "LR"]], axis=-1).mean())
    return hip_height >= shin + HIGH_HIPS_RATIO * body.leg_length


def _seated_weights(recording: InteractionRecording, clip: Clip, scale: float, rise: float) -> Array:
    """Return for each frame (F) the weight, 0 to 1, of sitting on a seat that is too high for the feet."""
    frames, ease = np.arange(len(clip)), HANGING_S * clip.rate
    weights = np.zeros(len(clip))
    for interval in recording.task_intervals():
        _, stop, task_index = interval
        contact = ACTION_SPECS[recording.tasks[task_index].action].seat_contact(recording, interval)
        if contact is None or not feet_hang(clip.skeleton, scale * float(contact.position[2]) + rise):
            continue
        outside = np.maximum(contact.start - frames, frames - (stop - 1))
        weights = np.maximum(weights, smooth_step(1 - outside / ease))
    return weights

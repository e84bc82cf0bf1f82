"""Legs of characters on seats that are too high for their feet: they hang with bent knees."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...jobs.steps import Stepwise
from ...motion import Clip, Skeleton
from ...motion.blending import smooth_step
from ...motion.contacts import FootContacts
from ...motion.root_frame import facing_direction, root_track
from ...motion.rotations import Array
from ...scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...tuning import Tuning, tuned
from ..interaction.actions import ACTION_SPECS
from ..interaction.actions.base import SeatContact
from ..interaction.recording import InteractionRecording
from .seat_pose import seated_height


@dataclass(frozen=True, slots=True)
class HangingLegs(Tuning):
    """Tuned numbers of hanging legs."""

    thigh_slope: float = tuned(np.radians(7.0), "rad", 0.0, 0.5)
    """Downward angle of thighs over the edge of a high seat."""
    shin_slope: float = tuned(np.radians(6.0), "rad", 0.0, 0.5)
    """Backward angle of hanging shins from the vertical."""
    hanging: float = tuned(1.0, "s", 0.05, 3.0)
    """Time in which feet leave the ground before the character sits, and return to it afterward."""
    supported_shares: tuple[float, float] = tuned((0.55, 0.7), "1", 0.0, 1.0)
    """Share of the thigh that lies on a shallow seat, over whose edge thighs slope down, and on a deep one."""
    high_hips: tuple[float, float] = tuned((0.3375, 0.295), "1", 0.0, 1.0)
    """Height of seated hips minus shin length, as a share of the leg length, from which feet hang: on a shallow seat,
    and on a deep one.
    """
    edge_depth: float = tuned(0.01, "m", 0.001, 0.1)
    """Depth below the top of a seat at which its front edge is searched."""


TUNING: Final = HangingLegs()
EDGE_STEP_M: Final = 0.01
"""Step of the search for the front edge of a seat, meters."""


@Stepwise
def hang_legs(
    recording: InteractionRecording, clip: Clip, contacts: FootContacts, scale: float, thickness: float | None = None
) -> Generator[None, None, tuple[Clip, FootContacts]]:
    """Return the motion with legs hanging from high seats, and the contacts without those of hanging feet.

    Args:
        recording: the recorded interaction, F frames.
        clip: the motion with hips on their seats, F frames, in meters at the body's scale.
        contacts: contacts of the feet.
        scale: meters at the body's scale per meter at the controller's scale.
        thickness: height of the hip joints above the seat, meters at the body's scale; by default the controller's.
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
    reach = thigh_length * np.cos(TUNING.thigh_slope) - shin_length * np.sin(TUNING.shin_slope)
    drop = thigh_length * np.sin(TUNING.thigh_slope) + shin_length * np.cos(TUNING.shin_slope)
    goals = [EffectorGoal("hips", clip.positions[:, skeleton.joint("hips")], np.ones(len(clip)))]
    for side in "LR":
        hanging = clip.positions[:, skeleton.joint(f"thigh.{side}")] + reach * ahead - [0.0, 0.0, drop]
        goals.append(EffectorGoal(f"foot.{side}", hanging, weights))
    on_ground = contacts.probabilities.copy()
    on_ground[weights > 0] = 0.0
    return (yield from solve_full_body_ik.steps(clip, goals)), FootContacts(on_ground)


def feet_hang(body: Skeleton, hip_height: float, edge: float = 0.0) -> bool:
    """Return whether the feet of a seated body hang because its shins are too short for the height of its hips.

    Thighs that slope down over the edge of the seat bring the feet nearer to the ground.

    Args:
        body: the skeleton.
        hip_height: height of the hip joints over the ground, meters.
        edge: horizontal distance from the hips to the front edge of the seat, meters.
    """
    thigh, shin = (
        float(np.linalg.norm(body.offsets[[body.joint(f"{part}.{side}") for side in "LR"]], axis=-1).mean())
        for part in ("shin", "foot")
    )
    return hip_height >= shin + np.interp(edge / thigh, TUNING.supported_shares, TUNING.high_hips) * body.leg_length


def edge_distance(recording: InteractionRecording, task_index: int, contact: SeatContact) -> float:
    """Return the distance from a seated body's place to the seat's front edge, meters at the controller's scale.

    Args:
        recording: the recorded interaction.
        task_index: index of the task that sits.
        contact: the body's contact with the seat.
    """
    seat = recording.task_object(task_index).posed_collider
    steps = np.arange(0.0, recording.model.skeleton.leg_length, EDGE_STEP_M)
    ahead = np.append(contact.direction, 0.0)
    points = contact.position - [0.0, 0.0, TUNING.edge_depth] + steps[:, None] * ahead
    return float(steps[seat.collider.distances(seat.to_local(points)) <= 0.0].max(initial=0.0))


def _seated_weights(recording: InteractionRecording, clip: Clip, scale: float, rise: float) -> Array:
    """Return the weights (F), 0 to 1, of sitting on a seat that is too high for the feet."""
    frames, ease = np.arange(len(clip)), TUNING.hanging * clip.rate
    weights = np.zeros(len(clip))
    for interval in recording.task_intervals():
        _, stop, task_index = interval
        contact = ACTION_SPECS[recording.tasks[task_index].action].seat_contact(recording, interval)
        if contact is None:
            continue
        edge = scale * edge_distance(recording, task_index, contact)
        if not feet_hang(clip.skeleton, scale * float(contact.position[2]) + rise, edge):
            continue
        outside = np.maximum(contact.start - frames, frames - (stop - 1))
        weights = np.maximum(weights, smooth_step(1 - outside / ease))
    return weights

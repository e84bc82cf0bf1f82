"""Support of held objects: they are raised out of the ground and of objects below them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.blending import smooth_step
from ...motion.rotations import Array
from ...scene.collider_pose import AnimatedCollider
from ...scene.interaction_object import InteractionObject, animated_collider
from ...tuning import Tuning, tuned
from ..interaction.recording import InteractionRecording, ObjectStates
from ..passes.depenetration import smooth_envelope
from .held_object import carry_weights, shift_object


@dataclass(frozen=True, slots=True)
class ObjectSupport(Tuning):
    """Tuned numbers of the support of held objects."""

    max_rise: float = tuned(0.35, "m", 0.0, 1.0)
    """Largest distance by which an object is raised; one that would need more is beside an obstacle, not on it."""
    ramp: float = tuned(0.2, "s", 0.02, 2.0)
    """Time after the grasp, and before the object comes to rest, over which the smoothing of its rise fades in and out.
    """
    inset_share: float = tuned(0.05, "1", 0.0, 0.45)
    """Distance from the edges of an object's base to the outermost sample points, as a share of the base's size."""
    layer_height: float = tuned(0.03, "m", 0.005, 0.2)
    """Vertical spacing of sample points, less than the thickness of table tops and shelves."""


TUNING: Final = ObjectSupport()
SAMPLES_PER_SIDE: Final = 4
"""Number of sample points along each side of an object's base."""


def support_held_object(recording: InteractionRecording) -> ObjectStates:
    """Return the states of all objects, with held ones raised out of the ground and out of objects below them.

    Hands that bend down too far would otherwise press held objects through the table.

    Args:
        recording: the recorded interaction.
    """
    states = list(recording.object_states)
    for task_index, task in enumerate(recording.tasks):
        frames = np.flatnonzero(carry_weights(recording, task_index) > 0)
        if not len(frames):
            continue
        # The object is in the hands from the frame of the grasp, which still has no weight.
        frames = np.arange(max(frames[0] - 1, 0), frames[-1] + 1)
        sinking = np.zeros(len(states))
        sinking[frames] = _sinking(states, frames, task.object_index)
        if not sinking.any():
            continue
        rate, every = recording.model.rate, np.arange(len(states))
        ends = np.minimum(every - frames[0], frames[-1] - every)
        rise = np.maximum(sinking, smooth_step(ends / (TUNING.ramp * rate)) * smooth_envelope(sinking, rate))
        for frame in np.flatnonzero(rise > 0):
            states[frame] = shift_object(states[frame], task.object_index, np.array([0.0, 0.0, rise[frame]]))
    return states


def _sinking(states: ObjectStates, frames: NDArray[np.intp], index: int) -> Array:
    """Return how far (N), meters, a held object must be raised out of the ground and other objects at frames (N).

    Its depth while it rests before and after is allowed, since meshes rest inside the cuboids of their supports.
    """
    about = [max(frames[0] - 1, 0), *frames, min(frames[-1] + 1, len(states) - 1)]
    rise = _rise([states[frame] for frame in about], index)
    return np.maximum(rise[1:-1] - np.linspace(rise[0], rise[-1], len(frames)), 0.0)


def _rise(states: Sequence[tuple[InteractionObject, ...]], held_index: int) -> Array:
    """Return how far (F), meters, an object must rise to be above the ground and out of the objects it penetrates."""
    held = animated_collider([state[held_index] for state in states])
    points, heights = _sample_points(*held.collider.bounds)
    world = held.to_world(np.broadcast_to(points, (len(states), *points.shape)))
    rise = np.maximum(-world[..., 2].min(axis=1), 0.0)
    for index in range(len(states[0])):
        if index != held_index:
            below = animated_collider([state[index] for state in states])
            rows = _near_rows(held, below)
            if len(rows):
                rise[rows] = np.maximum(rise[rows], _rise_above(below, rows, world[rows], heights))
    return rise


def _sample_points(lower: Array, upper: Array) -> tuple[Array, Array]:
    """Return sample points (N, 3) just inside bounds (3), and their heights (N) over the base, meters."""
    size, shares = upper - lower, np.linspace(TUNING.inset_share, 1 - TUNING.inset_share, SAMPLES_PER_SIDE)
    heights = np.arange(0.0, min(float(size[2]), TUNING.max_rise), TUNING.layer_height)
    across, along, up = np.meshgrid(lower[0] + shares * size[0], lower[1] + shares * size[1], lower[2] + heights)
    points = np.stack([across, along, up], axis=-1).reshape(-1, 3)
    return points, points[:, 2] - lower[2]


def _near_rows(held: AnimatedCollider, below: AnimatedCollider) -> NDArray[np.intp]:
    """Return the frames (N) at which one object may be over another."""
    reach = sum(
        float(np.linalg.norm(np.abs(np.stack(each.collider.bounds)[:, :2]).max(axis=0))) for each in (held, below)
    )
    return np.flatnonzero(np.linalg.norm((held.positions - below.positions)[:, :2], axis=1) < reach)


def _rise_above(below: AnimatedCollider, rows: NDArray[np.intp], points: Array, heights: Array) -> Array:
    """Return how far (N), meters, points (N, P, 3) at heights (P) above their base must rise to leave an object.

    Rises above ``TUNING.max_rise`` count as 0.
    """
    placed = replace(below, positions=below.positions[rows], rotations=below.rotations[rows])
    local = placed.to_local(points).reshape(-1, 3)
    exits = below.collider.exit_distances(local, np.zeros(len(local)), 2, 1.0).reshape(points.shape[:2])
    rise = np.where(exits > 0, exits + heights, 0.0)
    return np.where(rise <= TUNING.max_rise, rise, 0.0).max(axis=1)

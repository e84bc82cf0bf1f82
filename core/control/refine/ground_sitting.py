"""Sitting on the ground: hips rest on it, hands stay where they touch it, and feet stay put while the body rests."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...jobs.steps import Stepwise
from ...motion import Clip
from ...motion.blending import smooth_falloff
from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.rotations import Array
from ...scene.body_capsules import BodyCapsules
from ...scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...tuning import Tuning, tuned
from ..interaction.recording import InteractionRecording
from .ground_hands import hand_goals_on_ground, raise_hands

ACTION: Final = "sit_ground"


@dataclass(frozen=True, slots=True)
class GroundSitting(Tuning):
    """Tuned numbers of sitting on the ground."""

    settling: float = tuned(0.5, "s", 0.05, 2.0)
    """Time over which the hips blend to the ground before the body rests on it, and away from it afterward."""
    sway: float = tuned(0.4, "s", 0.05, 2.0)
    """Standard deviation of the Gaussian that separates the hips' offset, which is corrected, from their sway, which is
    kept.
    """


TUNING: Final = GroundSitting()


def resting_frames(recording: InteractionRecording) -> NDArray[np.bool_]:
    """Return a mask (F) of the frames in which the body sits settled on the ground, not yet commanded to get up."""
    rests = np.zeros(len(recording), dtype=bool)
    for _, stop, task_index in recording.task_intervals():
        reached = recording.event_frame("reached", task_index)
        if recording.tasks[task_index].action == ACTION and reached is not None:
            rests[reached:stop] = True
    return rests


def descent_weights(recording: InteractionRecording) -> Array:
    """Return the weights (F), 0 to 1, with which the body lies, goes down to sit on the ground, or gets up from it.

    They are zero for controllers without these actions, and for a body settled on the ground.
    """
    names, weights = recording.model.actions, np.zeros(len(recording))
    if "lie" in names:
        weights = recording.actions[:, names.index("lie")]
    if ACTION in names:
        sits = recording.actions[:, names.index(ACTION)]
        weights = np.maximum(weights, np.where(resting_frames(recording), 0.0, sits))
    return weights


@Stepwise
def sit_on_ground(recording: InteractionRecording, clip: Clip) -> Generator[None, None, Clip]:
    """Return a clip whose hips rest on the plane z = 0 while the body sits, and whose hands are never below it.

    Args:
        recording: the recorded interaction.
        clip: the interaction's motion, F frames, on the controller's body or another.
    """
    rests = resting_frames(recording)
    if not rests.any():
        return clip
    weights = _near(rests, TUNING.settling * clip.rate)
    own = clip.positions[:, clip.skeleton.joint("hips")]
    gap = scipy.ndimage.gaussian_filter1d(_hips_gap(clip), TUNING.sway * clip.rate, mode="nearest")
    hips = own - (weights * gap)[:, None] * np.array([0.0, 0.0, 1.0])
    sits = recording.actions[:, recording.model.actions.index(ACTION)] > CONTACT_THRESHOLD
    touches = (recording.contacts[:, 1:3] > CONTACT_THRESHOLD) & sits[:, None]
    goals = [EffectorGoal("hips", hips, np.ones(len(clip))), *hand_goals_on_ground(clip, touches)]
    clip = yield from solve_full_body_ik.steps(clip, goals)
    return raise_hands(clip)


def _near(frames: NDArray[np.bool_], ease: float) -> Array:
    """Return weights (F) that are 1 in the given frames (F) and fade to 0 within ``ease`` frames around them."""
    at, chosen = np.arange(len(frames)), np.flatnonzero(frames)
    after = np.searchsorted(chosen, at).clip(max=len(chosen) - 1)
    before = np.maximum(after - 1, 0)
    distance = np.minimum(np.abs(chosen[after] - at), np.abs(at - chosen[before]))
    return smooth_falloff(distance / ease)


def _hips_gap(clip: Clip) -> Array:
    """Return the height (F) of the hips' lowest point above the ground, meters."""
    body = BodyCapsules.from_skeleton(clip.skeleton)
    spheres = body.sphere_indices(("hips",))
    return (body.sphere_centres(clip)[:, spheres, 2] - body.radii[spheres]).min(axis=1)

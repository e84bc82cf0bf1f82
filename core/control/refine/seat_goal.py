"""The IK goal that brings hips onto their seats, and keeps them there until the weight is over the feet."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...evaluation.posture import trunk_lean
from ...features.interaction import ACTIONS
from ...motion import Clip
from ...motion.blending import smooth_falloff
from ...motion.rotations import Array
from ...retarget.retarget import hip_center
from ...scene.full_body_ik import EffectorGoal
from ...tuning import Tuning, tuned
from ..interaction.actions import ACTION_SPECS
from ..interaction.recording import InteractionRecording
from .hanging_legs import edge_distance, feet_hang
from .seat_facing import leaving_end
from .seat_pose import seated_height


@dataclass(frozen=True, slots=True)
class SeatGoal(Tuning):
    """Tuned numbers of the goal of hips over seats."""

    get_up_window: float = tuned(1.2, "s", 0.1, 4.0)
    """Time after the command to get up in which the trunk's largest forward lean is searched."""
    min_get_up_lean: float = tuned(30.0, "deg", 0.0, 90.0)
    """Smallest lean of the trunk for which the hips wait on the seat; people get up with a lean of 48 to 50 degrees."""
    leaving: float = tuned(0.8, "s", 0.05, 3.0)
    """Time in which the hips blend from the seat to the network's positions."""
    sway: float = tuned(0.4, "s", 0.02, 2.0)
    """Standard deviation of the Gaussian that separates the hips' offset, which is corrected, from their sway, which is
    kept.
    """
    high_seat_rise: float = tuned(0.06, "m", 0.0, 0.3)
    """Upward correction of the hips from which a seat counts as high."""
    high_seat_lead: float = tuned(0.3, "s", 0.0, 1.0)
    """Time by which the hips rise before they move over a high seat."""
    weight_smoothing: float = tuned(0.1, "s", 0.01, 1.0)
    """Standard deviation of the Gaussian that smooths the goal's weights."""


TUNING: Final = SeatGoal()


def hip_goal(
    recording: InteractionRecording, clip: Clip, actions: Array, scale: float, thickness: float | None = None
) -> EffectorGoal | None:
    """Return the goal that brings the hips onto their seats, weighted by the action *sit*; ``None`` without seats.

    The point brought to the seat is midway between both hip joints; a rig's *hips* joint can be below or above it.

    Args:
        recording: the recorded interaction.
        clip: F frames, in meters at the body's scale.
        actions: (F, A) weights of the controller's actions.
        scale: meters at the body's scale per meter at the controller's scale.
        thickness: height of the hip joints above the seat, meters at the body's scale; by default the controller's.
    """
    hips, own = clip.positions[:, clip.skeleton.joint("hips")], hip_center(clip.skeleton, clip.positions)
    rise = scale * seated_height(recording.model.skeleton) if thickness is None else thickness
    shift, waits, rests, rises = np.zeros_like(own), *np.zeros((3, len(own)))
    hung = np.zeros(len(own), dtype=bool)
    lean, weight = trunk_lean(clip), actions[:, ACTIONS.index("sit")]
    for interval in recording.task_intervals():
        start, stop, task_index = interval
        contact = ACTION_SPECS[recording.tasks[task_index].action].seat_contact(recording, interval)
        if contact is None:
            continue
        goal = scale * contact.position
        goal[2] += rise
        first, following = contact.start, leaving_end(weight, stop, clip.rate)
        seated = goal - scipy.ndimage.gaussian_filter1d(
            own[first:stop], TUNING.sway * clip.rate, axis=0, mode="nearest"
        )
        # Before and after, the correction fades with the action weight until the character stands.
        shift[start:first], shift[first:stop], shift[stop:following] = seated[0], seated, seated[-1]
        if feet_hang(clip.skeleton, float(goal[2]), scale * edge_distance(recording, task_index, contact)):
            rests[first:stop], hung[start:following] = 1.0, True
            rises[start:following] = np.maximum(goal[2] - own[start:following, 2], 0.0)
            rises[first:stop] = seated[:, 2]
        window = lean[stop : stop + round(TUNING.get_up_window * clip.rate)]
        if len(window) and window.max() > TUNING.min_get_up_lean:
            # Hips wait until the weight is over the feet; the network raises them before it leans.
            away = np.arange(stop, following) - (stop + int(window.argmax()) - TUNING.leaving * clip.rate / 6)
            waits[stop:following] = smooth_falloff(np.maximum(away, 0.0) / (TUNING.leaving * clip.rate))
            on_seat = own[stop - 1] + seated[-1]
            shift[stop:following] += waits[stop:following, None] * (on_seat - own[stop:following] - seated[-1])
    if not shift.any():
        return None
    weight = np.maximum(np.clip(weight, 0.0, 1.0), waits)
    weight = np.where(
        shift.any(axis=1), scipy.ndimage.gaussian_filter1d(weight, TUNING.weight_smoothing * clip.rate), 0.0
    )
    if shift[:, 2].max() < TUNING.high_seat_rise:
        return EffectorGoal("hips", hips + shift, weight)
    # Hips rise before they move over a high seat, and leave it before they sink.
    lead = 2 * round(TUNING.high_seat_lead * clip.rate) + 1
    early = scipy.ndimage.maximum_filter1d(weight, lead)
    early = scipy.ndimage.gaussian_filter1d(early, TUNING.high_seat_lead / 2 * clip.rate)
    early = np.maximum(early, weight)
    risen = scipy.ndimage.maximum_filter1d(shift[:, 2], lead)
    shift[:, 2] = np.where(weight > 0, shift[:, 2], risen)
    if rests.any():
        # This far from the network's positions, an action weight below 1 would let the hips sink in.
        early = np.maximum(early, scipy.ndimage.gaussian_filter1d(rests, TUNING.weight_smoothing * clip.rate))
        # They rise to the seat and no farther: feet that do not reach the ground would pull the body down.
        lift = scipy.ndimage.gaussian_filter1d(early * rises, TUNING.weight_smoothing * clip.rate)
        shift[:, 2] = np.where(hung, lift / np.maximum(early, 1e-6), shift[:, 2])
    shift[:, :2] *= np.divide(weight, early, out=np.zeros_like(weight), where=early > 0)[:, None]
    return EffectorGoal("hips", hips + shift, early)

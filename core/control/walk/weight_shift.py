"""Weight shift: before the first step the root moves sideways toward the stance foot.

People stand with their feet wider apart than they walk. The stance foot is on the line of the following steps, so the
body first moves sideways from the middle between the feet (anticipatory postural adjustment, Winter 1995). The smoothed
root of captured starts moves by 3 cm within about 0.6 s, which the drift correction would suppress.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...features.rest import REST_PHASES
from ...models.model_file import ControllerModel
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.roles import is_quadruped
from ...motion.root_frame import facing_direction
from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from ..runtime.locomotion_runtime import LocomotionRuntime
from ..runtime.resting import TUNING as RESTING_TUNING
from .path_tables import PlanSamples


@dataclass(frozen=True, slots=True)
class WeightShiftTuning(Tuning):
    """Tuned numbers of the weight shift; lengths are those of an adult, and are multiplied by the body's scale."""

    half_step_width: float = tuned(0.05, "m", 0.0, 0.3)
    """Distance of a foot from the line of travel, which is half of the step width."""
    max_shift: float = tuned(0.05, "m", 0.0, 0.3)
    """Largest sideways shift of the root from its path."""
    shift_speed: float = tuned(0.07, "m/s", 0.01, 1.0)
    """Speed of the shift before the first step."""
    return_speed: float = tuned(0.02, "m/s", 0.001, 1.0)
    """Speed at which a walking character returns sideways to its path."""


TUNING: Final = WeightShiftTuning()

SHIFT_SAMPLE: Final = 3
"""Index of the future sample, half a second ahead, at which the start of a walk is detected."""

PHASE_TOLERANCE: Final = 1e-6
"""Largest distance from a resting phase, cycles, at which a phase counts as at rest."""


class WeightShift:
    """Weight shift of B characters to the side of their paths before the first step; quadrupeds have none."""

    def __init__(self, model: ControllerModel) -> None:
        skeleton = model.skeleton
        self._has_two_legs = not is_quadruped(skeleton.roles)
        self._scale, self._rate = skeleton.leg_length / ADULT_LEG_LENGTH_M, model.rate
        self._feet = [model.joints.index(skeleton.names[skeleton.roles[f"foot.{side}"]]) for side in "RL"]

    def advance(self, shifts: Array, runtime: LocomotionRuntime, plans: PlanSamples, moving: Array) -> Array:
        """Return the shifts (B), meters, of characters to the right of their paths after a frame.

        Args:
            shifts: (B) shifts before the frame, meters.
            runtime: the runtime of the characters.
            plans: the plans at this frame and the S future samples.
            moving: (B, S) weights of moving, 0 to 1.
        """
        rests = moving[:, 0] < RESTING_TUNING.moving_share
        leaves = (
            rests & (moving[:, SHIFT_SAMPLE] >= RESTING_TUNING.moving_share) & (plans.speeds[:, SHIFT_SAMPLE] > 0.0)
        )
        if not self._has_two_legs or (not leaves.any() and not shifts.any()):
            return shifts
        # The phase of a resting character is at a resting phase, or moves toward one.
        poses, right_stays = runtime.state.pose, (runtime.phase - REST_PHASES[1] - PHASE_TOLERANCE) % 1.0 < 0.5
        beside = np.where(right_stays, poses[:, self._feet[0], 0], -poses[:, self._feet[1], 0])
        width = np.clip(beside - TUNING.half_step_width * self._scale, 0.0, TUNING.max_shift * self._scale)
        side = np.where(right_stays, 1.0, -1.0) * np.cos(plans.yaw_offsets[:, 0])
        goals = np.where(leaves, side * width, np.where(rests, shifts, 0.0))
        speeds = np.where(leaves, TUNING.shift_speed, TUNING.return_speed) * self._scale
        return shifts + np.clip(goals - shifts, -speeds / self._rate, speeds / self._rate)


def displaced(points: Array, shifts: Array, yaws: Array) -> Array:
    """Return each character's points, shifted sideways.

    Args:
        points: (B, ..., 2) horizontal positions, meters, world.
        shifts: (B) displacements, meters; positive to the right of the facing direction.
        yaws: (B) yaws of the facing directions, radians.
    """
    if not shifts.any():
        return points
    moves = shifts[:, None] * facing_direction(yaws - np.pi / 2)
    return points + moves.reshape(len(moves), *(1,) * (points.ndim - 2), 2)

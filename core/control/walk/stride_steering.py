"""Stride steering: phases drawn so that feet strike the places of a plan, as the middles of treads."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...models.model_file import ControllerModel
from ...motion.rotations import Array
from ..runtime.locomotion_runtime import LocomotionRuntime

STEERING_S: Final = 0.12
"""Time constant with which a phase is drawn to its plan."""
MAX_STEERING_HZ: Final = 0.35
"""Largest rate at which a phase is drawn, cycles per second."""
ERROR_SHARE: Final = 0.5
"""Share of the error of each strike in what is expected of the next one."""
MAX_ERROR_M: Final = 0.15
"""Largest error that is expected."""
STRIKE_CYCLES: Final = (0.0, 0.5)
"""Phases at which the right and the left foot strike."""
STANCE_CYCLES: Final = 0.2
"""Cycles from a strike to the middle of the stance."""
SOLE_MIDDLE_SHARE: Final = 0.5
"""Place of the sole's middle from the ankle to the toe joint, as a share of their distance."""


class StrideSteering:
    """Steering of the phases of B characters.

    Args:
        model: the controller.
    """

    def __init__(self, model: ControllerModel) -> None:
        self._rate = model.rate
        roles = model.skeleton.roles
        joints = [
            [model.joints.index(model.skeleton.names[roles.get(f"{part}.{side}", roles[f"foot.{side}"])])
             for part in ("foot", "toe")]
            for side in "RL"
        ]  # fmt: skip
        self._soles = np.array(joints)

    def note_strikes(self, strike_lengths: Array, arc_lengths: Array, phases: Array, next_phases: Array) -> Array:
        """Return the arc lengths (B, 2), meters, of the root at the last strikes of the right and left foot.

        Args:
            strike_lengths: (B, 2) before the frame.
            arc_lengths: (B) of the roots, meters.
            phases: (B) cycles before the frame.
            next_phases: (B) cycles after it.
        """
        struck = np.column_stack([_passes(phases, next_phases, cycle) for cycle in STRIKE_CYCLES])
        return np.where(struck, arc_lengths[:, None], strike_lengths)

    def learn_leads(
        self, errors: Array, planned: Array, reached: Array, phases: Array, runtime: LocomotionRuntime
    ) -> Array:
        """Return how much farther (B), meters, feet are expected to strike before the root than is planned.

        A foot is seen in the middle of its stance, where it rests.

        Args:
            errors: (B) expected before the frame.
            planned: (B, 2) leads of the last strikes of right and left foot, meters; zero without a plan.
            reached: (B, 2) travel of the root since these strikes, meters.
            phases: (B) cycles before the frame.
            runtime: the characters after the frame.
        """
        for index, strike in enumerate(STRIKE_CYCLES):
            seen = _passes(phases, runtime.phase, strike + STANCE_CYCLES) & (planned[:, index] > 0.0)
            ends = runtime.state.pose[:, self._soles[index], 1]
            middle = ends[:, 0] + SOLE_MIDDLE_SHARE * (ends[:, 1] - ends[:, 0])
            found = np.clip(middle + reached[:, index] - planned[:, index], -MAX_ERROR_M, MAX_ERROR_M)
            errors = np.where(seen, errors + ERROR_SHARE * (found - errors), errors)
        return errors

    def phase_shifts(self, phases: Array, cycles: Array, weights: Array) -> Array:
        """Return the cycles (B) by which phases are shifted in a frame, either foot first.

        Args:
            phases: (B) cycles.
            cycles: (B) planned.
            weights: (B) of the plan.
        """
        error = (cycles - phases + 0.25) % 0.5 - 0.25
        return weights * np.clip(error / STEERING_S, -MAX_STEERING_HZ, MAX_STEERING_HZ) / self._rate


def _passes(phases: Array, next_phases: Array, cycle: float) -> NDArray[np.bool_]:
    """Return which phases (B) pass a cycle in a frame."""
    advance, ahead = (next_phases - phases) % 1.0, (cycle - phases) % 1.0
    return (ahead > 0.0) & (ahead <= advance) & (advance < 0.5)

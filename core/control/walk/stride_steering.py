"""Stride steering: phases drawn so that feet strike the places of a plan, as the middles of treads."""

from typing import Final

import numpy as np

from ...models.model_file import ControllerModel
from ...motion.rotations import Array
from ..runtime.locomotion_runtime import LocomotionRuntime

STEERING_S: Final = 0.2
"""Time constant with which a phase is drawn to its plan."""
MAX_STEERING_HZ: Final = 0.35
"""Largest rate at which a phase is drawn, cycles per second."""
ERROR_SHARE: Final = 0.5
"""Share of the error of each strike in what is expected of the next one."""
MAX_ERROR_M: Final = 0.15
"""Largest error that is expected."""
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

    def observe_strikes(self, errors: Array, leads: Array, phases: Array, runtime: LocomotionRuntime) -> Array:
        """Return how much farther (B), meters, feet are expected to strike before the root than is planned.

        Args:
            errors: (B) expected before the frame.
            leads: (B) planned distances from the root to a strike, meters; zero without a plan.
            phases: (B) cycles before the frame.
            runtime: the characters after the frame.
        """
        advance = (runtime.phase - phases) % 1.0
        for index, strike in enumerate((0.0, 0.5)):
            passed = (strike - phases) % 1.0
            struck = (leads > 0.0) & (passed > 0.0) & (passed <= advance) & (advance < 0.5)
            ends = runtime.state.pose[:, self._soles[index], 1]
            middle = ends[:, 0] + SOLE_MIDDLE_SHARE * (ends[:, 1] - ends[:, 0])
            found = np.clip(middle - leads, -MAX_ERROR_M, MAX_ERROR_M)
            errors = np.where(struck, errors + ERROR_SHARE * (found - errors), errors)
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

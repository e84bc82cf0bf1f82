"""Stride steering: phases are adjusted so that feet strike planned positions, such as the middles of treads."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...models.model_file import ControllerModel
from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from ..runtime.locomotion_runtime import LocomotionRuntime
from ..runtime.resting import TUNING as RESTING_TUNING
from .path_tables import PathTables


@dataclass(frozen=True, slots=True)
class StrideSteeringTuning(Tuning):
    steering: float = tuned(0.12, "s", 0.01, 2.0)
    """Time constant with which a phase approaches the planned one."""
    max_rate: float = tuned(0.35, "Hz", 0.0, 2.0)
    """Largest adjustment of a phase, cycles per second."""
    error_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Weight of the last strike's error in the expected error of the next strike."""
    max_error: float = tuned(0.15, "m", 0.0, 1.0)
    """Largest expected error of a strike's position."""
    stance: float = tuned(0.2, "cycles", 0.0, 0.5)
    """Phase from a strike to mid-stance, at which the foot's lead is measured."""
    sole_middle: float = tuned(0.5, "1", 0.0, 1.0)
    """Position of the sole's middle between ankle and toe joint, as a share of their distance."""


TUNING: Final = StrideSteeringTuning()

STRIKE_COLUMNS: Final = 3
"""Number of values stored about each character's last foot strikes."""
STRIKE_CYCLES: Final = (0.0, 0.5)
"""Phases, cycles, at which the right and the left foot strike."""


class StrideSteering:
    """Adjustment of the phases of B characters, so that their feet strike planned positions."""

    def __init__(self, model: ControllerModel) -> None:
        self._rate = model.rate
        roles = model.skeleton.roles
        joints = [
            [model.joints.index(model.skeleton.names[roles.get(f"{part}.{side}", roles[f"foot.{side}"])])
             for part in ("foot", "toe")]
            for side in "RL"
        ]  # fmt: skip
        self._soles = np.array(joints)

    def steer(
        self,
        strikes: Array,
        runtime: LocomotionRuntime,
        tables: PathTables,
        arc_lengths: Array,
        phases: Array,
        walking: Array,
    ) -> Array:
        """Adjust the phases after a frame so that the feet strike as planned; either foot may come first.

        Args:
            strikes: (B, :data:`STRIKE_COLUMNS`) values about the last strikes, meters: the expected excess of the
                actual over the planned lead, and the root's arc lengths at the last strikes of the right and the left
                foot.
            runtime: runtime of the characters after the frame, whose phases are modified in place.
            tables: tables of the characters' paths.
            arc_lengths: (B) arc lengths of the roots, meters.
            phases: (B) phases before the frame, cycles.
            walking: (B) weights of walking, 0 to 1; a resting or running character is not steered.

        Returns:
            The values of `strikes` after the frame.
        """
        errors, lengths = strikes[:, 0], strikes[:, 1:]
        plan = tables.path_at(arc_lengths + errors)
        weights = plan.steering * np.where(walking < RESTING_TUNING.moving_share, 0.0, walking)
        off = (plan.cycles - runtime.phase + 0.25) % 0.5 - 0.25
        shifts = weights * np.clip(off / TUNING.steering, -TUNING.max_rate, TUNING.max_rate) / self._rate
        runtime.phase = (runtime.phase + shifts) % 1.0
        struck = np.column_stack([_passes(phases, runtime.phase, cycle) for cycle in STRIKE_CYCLES])
        lengths = np.where(struck, arc_lengths[:, None], lengths)
        leads, reached = tables.path_at(lengths).leads, arc_lengths[:, None] - lengths
        return np.column_stack([self._learn_leads(errors, leads, reached, phases, runtime), lengths])

    def _learn_leads(
        self, errors: Array, planned: Array, reached: Array, phases: Array, runtime: LocomotionRuntime
    ) -> Array:
        """Return by how much (B), meters, the feet's lead at a strike is expected to exceed the planned lead.

        A foot is measured in the middle of its stance, when it is at rest.

        Args:
            errors: (B) expected excess before the frame, meters.
            planned: (B, 2) planned leads of the last strikes of right and left foot, meters; zero if there is no plan.
            reached: (B, 2) travel of the root since these strikes, meters.
            phases: (B) phases before the frame, cycles.
            runtime: the characters after the frame.
        """
        for index, strike in enumerate(STRIKE_CYCLES):
            seen = _passes(phases, runtime.phase, strike + TUNING.stance) & (planned[:, index] > 0.0)
            ends = runtime.state.pose[:, self._soles[index], 1]
            middle = ends[:, 0] + TUNING.sole_middle * (ends[:, 1] - ends[:, 0])
            found = np.clip(middle + reached[:, index] - planned[:, index], -TUNING.max_error, TUNING.max_error)
            errors = np.where(seen, errors + TUNING.error_share * (found - errors), errors)
        return errors


def _passes(phases: Array, next_phases: Array, cycle: float) -> NDArray[np.bool_]:
    """Return which phases (B) pass a given phase, cycles, from one frame to the next."""
    advance, ahead = (next_phases - phases) % 1.0, (cycle - phases) % 1.0
    return (ahead > 0.0) & (ahead <= advance) & (advance < 0.5)

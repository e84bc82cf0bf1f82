"""Limit of the steering toward far goals, so that a character stands up from an object before it walks away."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...actions import LOCOMOTION_ACTIONS
from ...features.interaction import ACTIONS
from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from .goal_command import GoalCommand


@dataclass(frozen=True, slots=True)
class SteeringLimitTuning(Tuning):
    rise: float = tuned(0.9, "s", 0.05, 5.0)
    """Time in which steering reaches full weight after an interaction, during which the character stands up."""
    new_goal_distance: float = tuned(0.3, "m", 0.01, 3.0)
    """Distance from the previous frame's goal above which a goal counts as new."""


TUNING: Final = SteeringLimitTuning()

WALK_RUN_INDICES: Final = [ACTIONS.index("walk"), ACTIONS.index("run")]
"""Indices of the locomotion actions."""


def limit_steering(
    steering: Array, actions: Array, commands: Sequence[GoalCommand], last_commands: Sequence[GoalCommand], rate: float
) -> Array:
    """Return the largest allowed weights (B) of steering, 0 to 1; after an interaction they rise slowly.

    Args:
        steering: (B) largest weights in the last frame.
        actions: (B, A) current action weights.
        commands: (B) commands of this frame.
        last_commands: (B) commands of the last frame; empty before the first frame.
        rate: frames per second.
    """
    result = np.minimum(steering + 1 / (TUNING.rise * rate), 1.0)
    for row, (command, last) in enumerate(zip(commands, last_commands, strict=False)):
        if last.action in LOCOMOTION_ACTIONS:
            continue
        distance = float(np.linalg.norm(command.position - last.position))
        if command.action != last.action or distance > TUNING.new_goal_distance:
            result[row] = min(result[row], actions[row, WALK_RUN_INDICES].sum())
    return result

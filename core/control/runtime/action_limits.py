"""Limits of predicted actions: those that only a command may start, and how much a character may carry."""

from typing import Final

import numpy as np

from ...features.interaction import ACTIONS, GOAL_ACTIONS
from ...motion.rotations import Array

COMMANDED_ACTIONS: Final = slice(ACTIONS.index("run"), None)
"""Columns of the actions that only a command may start: all but idling and walking."""
GOAL_COLUMNS: Final = [ACTIONS.index(action) for action in GOAL_ACTIONS]
"""Columns, among actions, of the goal's actions."""
CARRY_ACTION_INDEX: Final = ACTIONS.index("carry")
"""Index of the action *carry*."""


def clamp_actions(actions: Array, last_actions: Array, goal_actions: Array, carry_limits: Array) -> Array:
    """Return predicted actions (B, 7, A) of which those that were not commanded may fade out but not in.

    The network feeds back on its own actions and would continue what it sees itself begin.

    Args:
        actions: (B, 7, A) weights of the current sample and those ahead.
        last_actions: (B, A) weights of the frame before.
        goal_actions: (B, G) weights of the commanded actions.
        carry_limits: (B, 2) lower and upper bound of the *carry* action.
    """
    wanted = np.zeros_like(last_actions)
    wanted[:, GOAL_COLUMNS[: goal_actions.shape[1]]] = goal_actions
    limit = np.maximum(last_actions, wanted)[:, None]
    clamped = actions.copy()
    clamped[..., COMMANDED_ACTIONS] = np.minimum(actions[..., COMMANDED_ACTIONS], limit[..., COMMANDED_ACTIONS])
    clamped[:, 0, CARRY_ACTION_INDEX] = np.clip(clamped[:, 0, CARRY_ACTION_INDEX], *carry_limits.T)
    # What is clamped of running becomes walking.
    run, walk = ACTIONS.index("run"), ACTIONS.index("walk")
    clamped[..., walk] = np.minimum(clamped[..., walk] + actions[..., run] - clamped[..., run], 1.0)
    return clamped

"""Steering: far from its goal, a character's future trajectory is bent onto the planned path."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...features.interaction import FUTURE_OFFSETS_FRAMES, GOAL_ACTIONS, TimeSeries
from ...motion.root_frame import facing_direction, yaw_of
from ...motion.rotations import Array, wrap_angle
from ...tuning import Tuning, tuned
from .goal_command import GoalCommand
from .time_series import normalize_directions, one_hot_action


@dataclass(frozen=True, slots=True)
class GoalSteeringTuning(Tuning):
    active_weight: float = tuned(0.5, "1", 0.0, 1.0)
    """Weight above which an action counts as active."""
    fade_range: tuple[float, float] = tuned((1.0, 2.0), "m", 0.0, 10.0)
    """Path lengths to the goal over which steering fades in: none at the first, full at the second."""
    turn_rate: float = tuned(2.0, "rad/s", 0.1, 10.0)
    """Largest turning speed of the steered trajectory."""
    min_speed_share: float = tuned(0.35, "1", 0.0, 1.0)
    """Share of the steered speed for a character that faces away from its goal."""


TUNING: Final = GoalSteeringTuning()

SPEEDS_M_S: Final = {"walk": 1.15, "run": 2.8}
"""Speed of the steered trajectory, by action."""


def steer_trajectory(
    trajectory: TimeSeries,
    commands: Sequence[GoalCommand],
    roots: tuple[Array, Array],
    steering: Array,
    goal_actions: Array,
    actions: tuple[str, ...],
    rate: float,
) -> TimeSeries:
    """Return the future trajectories (B, 6), bent toward the look-ahead points of characters far from their goals.

    Args:
        trajectory: (B, 6) the network's trajectory, in the world.
        commands: (B) commands.
        roots: positions (B, 2), meters, world, and yaws (B), radians.
        steering: (B) largest weight of the steering, 0 to 1.
        goal_actions: (B, G) weights of the goals' actions.
        actions: names of the controller's actions.
        rate: frames per second.
    """
    if not steering.any():
        return normalize_directions(trajectory)
    position, yaw = roots
    look_aheads = [command.look_ahead(place) for command, place in zip(commands, position, strict=True)]
    offset = np.stack([point for point, _ in look_aheads]) - position
    distance = np.array([length for _, length in look_aheads])
    seconds = np.array(FUTURE_OFFSETS_FRAMES) / rate
    near, far = TUNING.fade_range
    fade = np.minimum(np.maximum((distance - near) / (far - near), 0.0), 1.0)
    if not fade.any():
        return normalize_directions(trajectory)
    share = fade[:, None] * seconds / seconds[-1] * steering[:, None]
    error, largest = wrap_angle(yaw_of(offset) - yaw), TUNING.turn_rate * seconds
    yaws = yaw[:, None] + np.minimum(np.maximum(error[:, None], -largest), largest)
    runs = goal_actions[:, GOAL_ACTIONS.index("run")] > TUNING.active_weight
    speeds = np.where(runs, SPEEDS_M_S["run"], SPEEDS_M_S["walk"]) * np.maximum(np.cos(error), TUNING.min_speed_share)
    directions = facing_direction(yaws)
    steps = speeds[:, None, None] * (seconds[1] - seconds[0]) * directions
    positions = position[:, None] + steps.cumsum(axis=1)
    running, walking = (one_hot_action(gait, actions) for gait in ("run", "walk"))
    gait_actions = np.where(runs[:, None], running, walking)[:, None]
    share = share[..., None]
    return normalize_directions(
        TimeSeries(
            trajectory.positions + share * (positions - trajectory.positions),
            trajectory.directions + share * (directions - trajectory.directions),
            trajectory.actions + share * (gait_actions - trajectory.actions),
        )
    )

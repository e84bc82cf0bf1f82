"""Goal trajectory of attacks: it leads straight to a place in reach of the target (Freda 2018, section 4.5)."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...features.strikes import EFFECTORS
from ...motion import Skeleton
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.root_frame import facing_direction, yaw_of
from ...motion.rotations import Array
from ...motion.weapons import weapon_role
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class StrikeGoalTuning(Tuning):
    """Tuned numbers of a strike's goal trajectory."""

    speed: float = tuned(1.2, "m/s", 0.3, 4.0)
    """Speed at which the goal trajectory approaches the target."""
    weapon_share: float = tuned(0.8, "1", 0.0, 1.0)
    """Reach that a weapon adds to the hand that swings it, as a share of the weapon's length.

    It is measured on captured cuts.
    """
    velocity_bias: float = tuned(0.5, "1", 0.05, 20.0)
    """Exponent tau of the blend of predicted and goal velocities; the smaller, the stronger the goal."""
    direction_bias: float = tuned(2.0, "1", 0.05, 20.0)
    """Exponent tau of the blend of predicted and goal directions, in the same way."""


TUNING: Final = StrikeGoalTuning()

REACHES_M: Final = {"hand": 0.65, "foot": 0.85}
"""Reach by limb: mean distance of an adult's root from the target in captured attacks, meters.

The thesis's 75 cm apply to a sword of 115 cm swung with both hands.
"""


def reaches(effectors: NDArray[np.intp], skeleton: Skeleton) -> Array:
    """Return the distances (B), meters, of roots from their targets at which given end effectors reach the targets.

    A hand that holds a weapon with a bone reaches farther, by a share of the weapon's length.

    Args:
        effectors: (B) indices into ``EFFECTORS``.
        skeleton: skeleton of the characters.
    """
    return np.array([_reach(EFFECTORS[int(number)], skeleton) for number in effectors], dtype=float)


def _reach(effector: str, skeleton: Skeleton) -> float:
    """Return the distance, meters, from which a character reaches its target with an end effector."""
    own = skeleton.leg_length / ADULT_LEG_LENGTH_M * REACHES_M[effector.partition(".")[0]]
    role = weapon_role(skeleton, effector)
    blade = skeleton.bone_vectors[skeleton.joint(role)] if role != effector else np.zeros(3)
    return own + TUNING.weapon_share * float(np.linalg.norm(blade))


def goal_trajectory(positions: Array, yaws: Array, targets: Array, stops: Array, seconds: Array) -> tuple[Array, Array]:
    """Return positions (B, S, 2), meters, world, and yaws (B, S), radians, of the trajectory to striking distance.

    The character goes straight forward or back, facing the target, up to the stopping distance from the target.

    Args:
        positions: (B, 2) roots, meters, world.
        yaws: (B) yaws of the roots, radians; used only for characters that stand on their target.
        targets: (B, 2 or more) targets, meters, world; only the first two coordinates count.
        stops: (B) distances from the target at which the trajectory stops, meters.
        seconds: (S) future times, seconds.
    """
    away = targets[:, :2] - positions
    distance = np.linalg.norm(away, axis=-1)
    way = np.where(distance[:, None] > 1e-3, away / np.maximum(distance, 1e-3)[:, None], facing_direction(yaws))
    left = distance - stops
    gone = np.sign(left)[:, None] * np.minimum(np.abs(left)[:, None], TUNING.speed * seconds)
    return positions[:, None] + gone[..., None] * way[:, None], np.repeat(yaw_of(way)[:, None], len(seconds), axis=1)


def blend_trajectories(
    position: Array, expected: tuple[Array, Array], goal: tuple[Array, Array]
) -> tuple[Array, Array]:
    """Return positions (B, S, 2), meters, and directions (B, S, 2), world, of a predicted trajectory led to the goal.

    Velocities are blended and then integrated; directions are blended directly (``TrajectoryBlend``, section 4.5).

    Args:
        position: (B, 2) roots, meters, world.
        expected: positions (B, S, 2), meters, world, and yaws (B, S), radians, that the network predicts.
        goal: positions and yaws of the goal trajectory, in the same shapes and units.
    """
    share = np.arange(1, expected[0].shape[1] + 1) / expected[0].shape[1]
    own, wanted = (np.diff(np.concatenate([position[:, None], one[0]], axis=1), axis=1) for one in (expected, goal))
    steps = own + (share**TUNING.velocity_bias)[:, None] * (wanted - own)
    looking, facing = facing_direction(expected[1]), facing_direction(goal[1])
    directions = looking + (share**TUNING.direction_bias)[:, None] * (facing - looking)
    directions /= np.maximum(np.linalg.norm(directions, axis=-1, keepdims=True), 1e-6)
    return position[:, None] + np.cumsum(steps, axis=1), directions

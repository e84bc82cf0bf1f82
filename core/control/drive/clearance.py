"""Wished velocities that walls, ledges and gaps allow."""

from typing import Final

import numpy as np

from ...motion.rotations import UP, Array, rotate, rotation_about_up
from ...scene.body_size import KNEE_HEIGHT_M
from ...terrain.walk_scene import WalkScene
from ..path.terrain_profile import MAX_STEP_DOWN_M, MAX_STEP_UP_M

LOOK_AHEAD_S: Final = 0.45
"""Time ahead in which the way must be clear."""
MIN_LOOK_AHEAD_M: Final = 0.4
BODY_HALF_WIDTH_M: Final = 0.25
TURNS_RAD: Final = tuple(np.radians((0.0, 20.0, -20.0, 40.0, -40.0, 60.0, -60.0, 80.0, -80.0)))
"""Angles from the wished direction at which a way is looked for, nearest first."""
PROBE_HEIGHTS_M: Final = (KNEE_HEIGHT_M, 1.0)
"""Heights over the ground at which walls are looked for."""


def clear_velocity(scene: WalkScene, place: Array, velocity: Array, frame: float, size: float = 1.0) -> Array:
    """Return the velocity (2), m/s, along what is in the way of a wished one; zero where there is no way.

    Args:
        scene: the scene.
        place: (3) root on the ground, meters.
        velocity: (2) wished, m/s.
        frame: frame of the drive.
        size: body's size as a share of an adult's.
    """
    speed = float(np.linalg.norm(velocity))
    if speed < 1e-6:
        return velocity
    ahead = max(speed * LOOK_AHEAD_S, MIN_LOOK_AHEAD_M * size)
    for turn in TURNS_RAD:
        turned = rotate(rotation_about_up(turn), np.append(velocity, 0.0))[:2]
        if _is_clear(scene, place, turned / speed * ahead, frame, size):
            return turned * np.cos(turn)
    return np.zeros(2)


def _is_clear(scene: WalkScene, place: Array, step: Array, frame: float, size: float) -> bool:
    """Return whether a body at a place (3) can go a step (2), meters."""
    across = np.array([step[1], -step[0]]) / np.linalg.norm(step)
    sides = np.array([-1.0, 0.0, 1.0])[:, None] * BODY_HALF_WIDTH_M * size * across
    starts = np.repeat(place[None] + np.pad(sides, ((0, 0), (0, 1))), len(PROBE_HEIGHTS_M), axis=0)
    starts = starts + np.tile(PROBE_HEIGHTS_M, len(sides))[:, None] * size * UP
    if scene.obstacles is not None and scene.obstacles.blocked(starts, starts + np.append(step, 0.0), frame).any():
        return False
    there = place + np.append(step, MAX_STEP_UP_M * size)
    rise = float(scene.ground.heights(there, frame)) - place[2]
    return -MAX_STEP_DOWN_M * size < rise < MAX_STEP_UP_M * size

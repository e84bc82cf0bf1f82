"""Obstacle avoidance of characters steered live: velocities that stay clear of obstacles, and ground heights."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.rotations import UP, Array, rotate, rotation_about_up
from ...scene.body_size import CHEST_HEIGHT_M, KNEE_HEIGHT_M, MIN_HEADROOM_M, PATH_HALF_WIDTH_M
from ...terrain.ground import Plane
from ...terrain.walk_scene import WalkScene
from ...tuning import Tuning, tuned
from ..path.terrain_profile import TUNING as TERRAIN_PROFILE_TUNING


@dataclass(frozen=True, slots=True)
class ClearanceTuning(Tuning):
    look_ahead: float = tuned(0.45, "s", 0.05, 5.0)
    """Time for which the character's way ahead must be clear at its current speed."""
    min_look_ahead: float = tuned(0.4, "m", 0.05, 3.0)
    """Least distance for which an adult's way ahead must be clear at any speed."""
    stride: float = tuned(0.25, "m", 0.05, 1.0)
    """Length, for an adult, of the consecutive parts of a straight line that are checked."""
    turns: tuple[float, ...] = tuned(
        tuple(np.radians((0.0, 20.0, -20.0, 40.0, -40.0, 60.0, -60.0, 80.0, -80.0))), "rad", -np.pi, np.pi
    )
    """Angles from the requested direction, positive to the left, to try until a direction is clear, in this order."""


TUNING: Final = ClearanceTuning()

PROBE_HEIGHTS_M: Final = (KNEE_HEIGHT_M, CHEST_HEIGHT_M)
"""Heights, meters, above the higher end of a step at which walls are searched."""


def clear_velocity(scene: WalkScene, place: Array, velocity: Array, frame: float, size: float = 1.0) -> Array:
    """Return a requested velocity (2), m/s, turned to pass obstacles; zero if no direction is clear.

    Args:
        scene: the scene.
        place: (3) root on the ground, meters, world.
        velocity: (2) requested velocity, m/s, world.
        frame: frame of the walk, by which moving ground and obstacles are placed.
        size: size of the body relative to an adult's.
    """
    speed = float(np.linalg.norm(velocity))
    if speed < 1e-6:
        return velocity
    ahead = max(speed * TUNING.look_ahead, TUNING.min_look_ahead * size)
    for turn in TUNING.turns:
        turned = rotate(rotation_about_up(turn), np.append(velocity, 0.0))[:2]
        if reached_level(scene, place, place[:2] + turned / speed * ahead, frame, size) is not None:
            return turned * np.cos(turn)
    return np.zeros(2)


def reached_level(scene: WalkScene, start: Array, place: Array, frame: float, size: float = 1.0) -> float | None:
    """Return the height of the ground at the end of a line, meters, world, if a body can walk the line.

    Return ``None`` if a wall, too high or too deep a step, or too low a ceiling is in the way.

    Args:
        scene: the scene.
        start: (3) start on the ground, meters, world.
        place: (2) end of the line, meters, world.
        frame: frame of the walk, by which moving ground and obstacles are placed.
        size: size of the body relative to an adult's.
    """
    way = place - start[:2]
    count = max(int(np.ceil(float(np.linalg.norm(way)) / (TUNING.stride * size))), 1)
    points = np.tile(start, (count + 1, 1))
    for number in range(1, count + 1):
        level, points[number, :2] = points[number - 1, 2], start[:2] + way * (number / count)
        points[number, 2] = _height(scene, points[number, :2], level, frame, size)
        rise = points[number, 2] - level
        if not -TERRAIN_PROFILE_TUNING.max_step_down * size < rise < TERRAIN_PROFILE_TUNING.max_step_up * size:
            return None
    ceilings = scene.ground.ceilings(points[1:] + UP * TERRAIN_PROFILE_TUNING.max_step_up * size, frame)
    if (ceilings - points[1:, 2] < MIN_HEADROOM_M * size).any() or _has_walls(scene, points, frame, size):
        return None
    return float(points[-1, 2])


def level_at(scene: WalkScene, place: Array, level: float, frame: float, size: float = 1.0) -> float:
    """Return the height of the ground at `place`, meters, world; `level` if no ground is within a step's height of it.

    Args:
        scene: the scene.
        place: (2) position, meters, world.
        level: height of the ground a moment before, meters.
        frame: frame of the walk, by which moving ground and obstacles are placed.
        size: size of the body relative to an adult's.
    """
    found = _height(scene, place, level, frame, size)
    return found if found > level - TERRAIN_PROFILE_TUNING.max_step_down * size else level


def levels_along(scene: WalkScene, places: Array, level: float, size: float = 1.0) -> Array:
    """Return the heights (T) of the ground, meters, world, at the positions of a walk, each within a step of the last.

    Args:
        scene: the scene.
        places: (T, 2) positions, meters, world.
        level: height of the ground before the first position, meters.
        size: size of the body relative to an adult's.
    """
    levels = np.empty(len(places))
    for frame, place in enumerate(places):
        level = levels[frame] = level_at(scene, place, level, frame, size)
    return levels


def _height(scene: WalkScene, place: Array, level: float, frame: float, size: float) -> float:
    """Return the height of the ground at a position (2), searched from a step above a level; NaN without ground."""
    return float(scene.ground.heights(np.append(place, level + TERRAIN_PROFILE_TUNING.max_step_up * size), frame))


def _has_walls(scene: WalkScene, points: Array, frame: float, size: float) -> bool:
    """Return whether any wall is between consecutive points (N, 3) of the ground."""
    scenes = [one for one in (scene.ground, scene.obstacles) if one is not None and not isinstance(one, Plane)]
    if not scenes:
        return False
    way = points[-1] - points[0]
    across = np.array([way[1], -way[0], 0.0]) / max(float(np.linalg.norm(way[:2])), 1e-9)
    sides = np.array([-1.0, 0.0, 1.0])[:, None] * PATH_HALF_WIDTH_M * size * across
    bases = np.column_stack([points[:-1, :2], np.maximum(points[1:, 2], points[:-1, 2])])
    starts = (bases[:, None, None] + sides[:, None]) + np.array(PROBE_HEIGHTS_M)[:, None] * size * UP
    steps = np.diff(points[:, :2], axis=0)
    ends = starts + np.pad(steps, ((0, 0), (0, 1)))[:, None, None]
    return any(bool(one.blocked(starts, ends, frame).any()) for one in scenes)

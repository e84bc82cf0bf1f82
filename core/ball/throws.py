"""Throws of a ball in closed form: shots through a hoop, and passes into hands."""

from typing import Final

import numpy as np

from ..errors import FootfallError
from ..motion.rotations import Array
from .free_motion import Arc, BallPhysics, direct_velocities, released_arcs

STEEPER_RAD: Final = np.radians(4.0)
"""Additional angle of a shot over the slowest one that reaches the hoop, as players shoot; close below the hoop,
at most half of the angle left to the vertical. Every shot descends at 41 degrees or more, and a basketball clears the
front of the rim from 32 degrees on (Brancazio 1981, Physics of basketball)."""
MAX_SHOT_SPEED_M_S: Final = 10.0
"""Fastest shot; a shot from the three-point line takes about 9.5 m/s."""
PASS_SPEED_M_S: Final = 8.0
"""Mean horizontal speed of a pass over :data:`PASS_DISTANCE_M` and more."""
PASS_DISTANCE_M: Final = 5.0
MIN_PASS_SPEED_M_S: Final = 4.5
"""Horizontal speed of the shortest pass; up to :data:`PASS_DISTANCE_M` the speed grows with distance."""
MAX_PASS_M: Final = 14.0
"""Farthest pass."""
NET_DROP_M: Final = 0.16
"""Depth below the rim at which the net slows the ball."""
NET_SPEEDS: Final = np.array([0.15, 0.15, 0.6])
"""Factors of a ball's velocity (x, y, z) after the net has slowed it."""


def shot_velocity(start: Array, rim: Array, physics: BallPhysics) -> Array:
    """Return the velocity (3), m/s, with which a ball must leave the hands to fall through the rim's center.

    The throw is slightly steeper than the slowest possible one, whose direction is halfway between the line to the rim
    and the vertical.

    Args:
        start: (3) the ball's center at the release, meters.
        rim: (3) center of the rim, meters.
        physics: physics of the ball.
    """
    away = rim - start
    level, rise = max(float(np.linalg.norm(away[:2])), 1e-6), float(away[2])
    slowest = 0.5 * (np.arctan2(rise, level) + 0.5 * np.pi)
    angle = slowest + min(STEEPER_RAD, 0.5 * (0.5 * np.pi - slowest))
    speed = np.sqrt(physics.gravity * level**2 / (2.0 * np.cos(angle) ** 2 * (level * np.tan(angle) - rise)))
    return speed * np.array([*(np.cos(angle) * away[:2] / level), np.sin(angle)])


def require_reachable_hoop(start: Array, rim: Array, rim_radius: float, physics: BallPhysics, scale: float) -> None:
    """Raise an error unless a ball can be thrown into a hoop.

    Args:
        start: (3) the ball's center at the release, meters.
        rim: (3) center of the rim, meters.
        rim_radius: radius of the rim, meters.
        physics: physics of the ball.
        scale: size of the body relative to an adult's; smaller bodies throw more slowly.

    Raises:
        FootfallError: the hoop is too far away, or too small.
    """
    if rim_radius < physics.radius:
        raise FootfallError(
            "The ball has a radius of {ball} cm and does not fit through the hoop, whose radius is {rim} cm: "
            "make the hoop larger",
            rim=f"{100 * rim_radius:.0f}",
            ball=f"{100 * physics.radius:.0f}",
        )
    speed = float(np.linalg.norm(shot_velocity(start, rim, physics)))
    if speed > MAX_SHOT_SPEED_M_S * np.sqrt(scale):
        raise FootfallError(
            "The hoop, {away} m away and {rise} m above the hands, is out of reach: a throw at {speed} m/s "
            "would be needed, but people reach only {most} m/s. Shoot from closer",
            away=f"{np.linalg.norm((rim - start)[:2]):.1f}",
            rise=f"{rim[2] - start[2]:.1f}",
            speed=f"{speed:.1f}",
            most=f"{MAX_SHOT_SPEED_M_S * np.sqrt(scale):.1f}",
        )


def pass_seconds(start: Array, end: Array, scale: float) -> float:
    """Return the flight time of a pass, seconds, by its horizontal distance and the size of the body.

    Args:
        start: (3) the ball's center at the release, meters.
        end: (3) place of the catch, meters.
        scale: size of the body relative to an adult's.

    Raises:
        FootfallError: the distance is too large.
    """
    level = float(np.linalg.norm((end - start)[:2]))
    if level > MAX_PASS_M * scale:
        raise FootfallError(
            "The pass is {away} m long, but people can pass over {most} m at most: pass from closer",
            away=f"{level:.1f}",
            most=f"{MAX_PASS_M * scale:.1f}",
        )
    share = min(level / (PASS_DISTANCE_M * scale), 1.0)
    speed = MIN_PASS_SPEED_M_S + share * (PASS_SPEED_M_S - MIN_PASS_SPEED_M_S)
    return max(level, 0.5 * scale) / (speed * np.sqrt(scale))


def pass_velocities(start: Array, end: Array, seconds: float, physics: BallPhysics) -> tuple[Array, Array]:
    """Return the velocities (3), m/s, at release and catch of a pass that flies from start to end, meters."""
    return direct_velocities(start, end, np.asarray(seconds), physics)


def shot_arcs(time: float, start: Array, rim: Array, until: float, physics: BallPhysics) -> list[Arc]:
    """Return the arcs of a shot: to the rim's center, and from the net, which slows the ball, to the floor.

    Args:
        time: time of the release, seconds.
        start: (3) the ball's center at the release, meters over the floor.
        rim: (3) center of the rim, meters.
        until: end of the motion, seconds.
        physics: physics of the ball.
    """
    flight = Arc(time, start, shot_velocity(start, rim, physics))
    fall = float(flight.velocity[2]) ** 2 - 2.0 * physics.gravity * (float(rim[2]) - NET_DROP_M - float(start[2]))
    net = time + (float(flight.velocity[2]) + np.sqrt(fall)) / physics.gravity
    if net >= until:
        return [flight]
    there = flight.moved(net, physics)
    return [flight, *released_arcs(net, there.position, NET_SPEEDS * there.velocity, until, physics)]

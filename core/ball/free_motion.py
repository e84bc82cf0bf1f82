"""Free motion of a ball between hands: flight, bounce on the floor, lying and rolling; all in closed form.

A bounce reverses the vertical speed, scaled by the restitution, and reduces the horizontal speed by the share that sets
a hollow ball rolling (Garwin 1969, "Kinematics of an ultraelastic rough ball"; Cross 2002, "Grip-slip behavior of a
bouncing ball").
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..motion.rotations import UP, Array
from ..motion.signals import Mask

RESTITUTION: Final = 0.83
"""Usual ratio of vertical speeds after and before a bounce, from captured dribbles."""
BOUNCE_GRIP_RATIO: Final = 0.5
"""Horizontal speed after a bounce, as a share of the speed before: 0.6 for a hollow ball without spin, less for the
backspin that hands give; about the mean of captured dribbles."""
BRACKET_STEPS: Final = 10
"""Number of equal parts of a flight that are searched for its bounce; the first possible one is taken."""
BISECTION_STEPS: Final = 18
"""Bisection steps for the time of a bounce, to a millionth of the flight."""
MAX_BOUNCES: Final = 30
"""Largest number of simulated bounces of a ball that no hand catches; one that falls from a hoop bounces 16 times."""
MIN_BOUNCE_SPEED_M_S: Final = 0.4
"""Vertical speed at the floor below which a ball rolls instead of bouncing."""


@dataclass(frozen=True, slots=True, eq=False)
class BallPhysics:
    """Gravity, size and bounciness of a ball, in the length unit of its motion.

    Attributes:
        gravity: acceleration of a falling ball, m/s^2.
        radius: radius of the ball, meters; the floor is at height 0.
        restitution: ratio of vertical speeds after and before a bounce.
    """

    gravity: float
    radius: float
    restitution: float = RESTITUTION


@dataclass(frozen=True, slots=True, eq=False)
class Arc:
    """Ballistic or rolling motion of a ball from a start time on.

    Attributes:
        start: time of the start, seconds.
        position: (3) position at the start, meters.
        velocity: (3) velocity at the start, m/s.
        rolls: whether the ball rolls on the floor instead of flying.
    """

    start: float
    position: Array
    velocity: Array
    rolls: bool = False

    def at(self, times: Array, physics: BallPhysics) -> Array:
        """Return the ball's centers (N, 3), meters, at ``times`` (N), seconds."""
        passed = (times - self.start)[:, None]
        fall = 0.0 if self.rolls else 0.5 * physics.gravity
        return self.position + passed * self.velocity - fall * passed**2 * UP

    def moved(self, time: float, physics: BallPhysics) -> "Arc":
        """Return an arc of the same motion that starts at ``time``, seconds, instead."""
        change = 0.0 if self.rolls else physics.gravity * (time - self.start)
        return Arc(time, self.at(np.array([time]), physics)[0], self.velocity - change * UP, self.rolls)


def direct_velocities(start: Array, end: Array, duration: Array, physics: BallPhysics) -> tuple[Array, Array]:
    """Return the velocities (..., 3) at the start and at the end of a flight without a bounce, m/s.

    Args:
        start: (..., 3) start, meters.
        end: (..., 3) end, meters.
        duration: (...) duration, seconds.
        physics: physics of the ball.
    """
    mean = (end - start) / duration[..., None]
    change = 0.5 * physics.gravity * duration[..., None] * UP
    return mean + change, mean - change


def bounce_times(start: Array, end: Array, duration: Array, physics: BallPhysics) -> Array:
    """Return the time (...), seconds, from the start of a flight with one bounce to the bounce.

    Of all throws that reach the end, the hardest, with the earliest bounce, is chosen, as in dribbles. Its bounce is
    bracketed on a grid and found by bisection.

    Args:
        start: (..., 3) start, meters.
        end: (..., 3) end, meters.
        duration: (...) duration, seconds.
        physics: physics of the ball.
    """
    fall, rise = np.maximum(start[..., 2] - physics.radius, 1e-3), end[..., 2] - physics.radius

    def is_too_soon(time: Array) -> Mask:
        left = duration - time
        impact = fall / np.maximum(time, 1e-9) + 0.5 * physics.gravity * time
        return (physics.restitution * impact - 0.5 * physics.gravity * left) * left > rise

    low = np.zeros(np.broadcast_shapes(fall.shape, rise.shape, duration.shape))
    high = low + duration
    for step in range(BRACKET_STEPS - 1, 0, -1):
        time = low * 0.0 + duration * (step / BRACKET_STEPS)
        high = np.where(is_too_soon(time), high, time)
    low = high - duration / BRACKET_STEPS
    for _ in range(BISECTION_STEPS):
        middle = 0.5 * (low + high)
        too_soon = is_too_soon(middle)
        low, high = np.where(too_soon, middle, low), np.where(too_soon, high, middle)
    return 0.5 * (low + high)


def bounce_velocities(start: Array, end: Array, duration: Array, physics: BallPhysics) -> tuple[Array, Array, Array]:
    """Return the velocities (..., 3), m/s, at start and end of a flight with one bounce, and its time (...), seconds.

    Args:
        start: (..., 3) start, meters.
        end: (..., 3) end, meters.
        duration: (...) duration, seconds.
        physics: physics of the ball.
    """
    time = bounce_times(start, end, duration, physics)
    left = duration - time
    impact = (start[..., 2] - physics.radius) / time + 0.5 * physics.gravity * time
    level = (end - start)[..., :2] / (time + BOUNCE_GRIP_RATIO * left)[..., None]
    first = np.concatenate([level, (physics.gravity * time - impact)[..., None]], axis=-1)
    rebound = physics.restitution * impact - physics.gravity * left
    return first, np.concatenate([BOUNCE_GRIP_RATIO * level, rebound[..., None]], axis=-1), time


def bounce_arcs(begin: float, seconds: float, first: Array, last: Array, physics: BallPhysics) -> list[Arc]:
    """Return the two arcs of a flight with one bounce.

    Args:
        begin: time of the start, seconds.
        seconds: duration, seconds.
        first: (3) start, meters.
        last: (3) end, meters.
        physics: physics of the ball.
    """
    before, after, time = bounce_velocities(first, last, np.asarray(seconds), physics)
    falling = Arc(begin, first, before)
    ground = np.append(falling.at(np.array([begin + float(time)]), physics)[0, :2], physics.radius)
    up = physics.gravity * (seconds - float(time)) + float(after[2])
    return [falling, Arc(begin + float(time), ground, np.append(after[:2], up))]


def released_arcs(time: float, position: Array, velocity: Array, until: float, physics: BallPhysics) -> list[Arc]:
    """Return the arcs of a ball that is released and not caught: it flies, bounces, and finally rolls.

    Args:
        time: time of the release, seconds.
        position: (3) position at the release, meters.
        velocity: (3) velocity at the release, m/s.
        until: end time of the motion, seconds.
        physics: physics of the ball.
    """
    arcs = [Arc(time, position, velocity)]
    while arcs[-1].start < until and len(arcs) <= MAX_BOUNCES:
        last = arcs[-1]
        height = max(float(last.position[2]) - physics.radius, 0.0)
        down = float(np.sqrt(last.velocity[2] ** 2 + 2.0 * physics.gravity * height))
        landing = last.start + (last.velocity[2] + down) / physics.gravity
        if landing >= until:
            break
        ground = last.at(np.array([landing]), physics)[0]
        up = physics.restitution * down
        after = np.append(BOUNCE_GRIP_RATIO ** (len(arcs) == 1) * last.velocity[:2], up)
        ground[2] = physics.radius
        if up < MIN_BOUNCE_SPEED_M_S:
            arcs.append(Arc(landing, ground, after * [1.0, 1.0, 0.0], rolls=True))
            break
        arcs.append(Arc(landing, ground, after))
    return arcs


def caught_arcs(time: float, position: Array, velocity: Array, since: float, physics: BallPhysics) -> list[Arc]:
    """Return the arcs up to the catch of a ball whose release is not in the clip: it flies, bounces once, and flies.

    Args:
        time: time of the catch, seconds.
        position: (3) position at the catch, meters.
        velocity: (3) velocity at the catch, m/s.
        since: start time of the motion, seconds.
        physics: physics of the ball.
    """
    height = max(float(position[2]) - physics.radius, 0.0)
    up = float(np.sqrt(velocity[2] ** 2 + 2.0 * physics.gravity * height))
    passed = (up - velocity[2]) / physics.gravity
    flight = Arc(time, position, velocity)
    if time - passed <= since:
        return [flight]
    rebound = flight.moved(time - passed, physics)
    down = np.append(velocity[:2] / BOUNCE_GRIP_RATIO, -up / physics.restitution)
    return [Arc(rebound.start, rebound.position, down), rebound]


def sample_arcs(arcs: list[Arc], times: Array, physics: BallPhysics) -> Array:
    """Return a ball's centers (N, 3), meters, at ``times`` (N), seconds; the first arc also holds before its start."""
    which = np.searchsorted([arc.start for arc in arcs[1:]], times, side="right")
    result = np.empty((len(times), 3))
    for number, arc in enumerate(arcs):
        result[which == number] = arc.at(times[which == number], physics)
    return result

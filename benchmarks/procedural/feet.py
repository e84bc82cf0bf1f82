"""Foot trajectories: rolling over heel and ball in standing, swinging between stances."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.motion.blending import smooth_step
from ...core.motion.rotations import Array, from_axis_angle, multiply, normalize, rotate, rotation_about_up
from .bodies import Sole
from .footfalls import Footfalls

Frames = NDArray[np.intp]

PUSH_POWER = 1.5
"""The heel rises with this power of time: gradually, then quickly."""
STEEPEST_PITCH = 2.5
"""Pitch, radians, if the foot kept its initial pitch rate for the whole swing."""


@dataclass(frozen=True, eq=False)
class Foot:
    """A foot over time: the foot joint (T, 3), the ball (T, 3), and world rotations (T, 4) of foot and toes from +Y."""

    ankles: Array
    balls: Array
    rotations: Array
    toes: Array


def move(footfalls: Footfalls, sole: Sole, times: Array) -> Foot:
    """Return the foot at times (T) within the plan's span."""
    style = footfalls.style
    index = np.clip(np.searchsorted(footfalls.starts, times, side="right") - 1, 0, len(footfalls.starts) - 2)
    stops, nexts = footfalls.stops[index], footfalls.starts[index + 1]
    duration = nexts - stops
    swing = np.clip((times - stops) / duration, 0.0, 1.0)
    rising = np.maximum(stops - footfalls.rises[index], 1e-9)
    rate = np.minimum(PUSH_POWER * style.push / rising * duration, STEEPEST_PITCH)
    swung = hermite(swing, np.full_like(swing, style.push), np.full_like(swing, style.strike), rate, 0.0)
    pitch = np.where(times < stops, _standing_pitch(footfalls, index, times), swung)

    turn = np.unwrap(footfalls.yaws)
    share = smooth_step(swing)
    yaws = turn[index] * (1 - share) + turn[index + 1] * share
    heading = multiply(rotation_about_up(yaws), from_axis_angle([1.0, 0.0, 0.0], footfalls.tilt))
    rotations = multiply(heading, _pitched(pitch))

    standing = np.where(times < stops, pitch, style.push)
    begin = _ball(footfalls, sole, index, standing)
    end = _ball(footfalls, sole, index + 1, np.full_like(pitch, style.strike))
    balls = begin + _swung(footfalls, end - begin, swing, duration)
    # Toes are flat during the heel's rise, and follow in the swing.
    along = np.clip(swing / 0.3, 0.0, 1.0)
    toes = multiply(heading, _pitched(np.minimum(pitch, 0.0) + np.maximum(pitch, 0.0) * along * along))
    return Foot(balls - rotate(rotations, np.array(sole.ball)), balls, rotations, toes)


def hermite(share: Array, begin: Array, end: Array, leaving: Array | float, arriving: Array | float) -> Array:
    """Return the cubic from ``begin`` to ``end`` for shares in [0, 1], with slopes per whole share."""
    square, cube = share * share, share**3
    return (
        begin * (2 * cube - 3 * square + 1)
        + end * (3 * square - 2 * cube)
        + leaving * (cube - 2 * square + share)
        + arriving * (cube - square)
    )


def _pitched(pitch: Array) -> Array:
    """Return the rotations (T, 4) that lift the heel of a foot along +Y."""
    return from_axis_angle([1.0, 0.0, 0.0], -pitch)


def _standing_pitch(footfalls: Footfalls, index: Frames, times: Array) -> Array:
    """Return the pitch (T) of a standing foot: falling flat after the strike, rising on the ball at the end."""
    style = footfalls.style
    starts, flats = footfalls.starts[index], footfalls.flats[index]
    falling = np.clip(1 - (times - starts) / np.maximum(flats - starts, 1e-9), 0.0, 1.0)
    rises, stops = footfalls.rises[index], footfalls.stops[index]
    rising = np.clip((times - rises) / np.maximum(stops - rises, 1e-9), 0.0, 1.0)
    return style.strike * falling**1.5 + style.push * rising**PUSH_POWER


def _ball(footfalls: Footfalls, sole: Sole, index: Frames, pitch: Array) -> Array:
    """Return the ball (T, 3) of a standing foot: rotating about the heel with toes up, fixed with the heel up."""
    ball, heel = np.array(sole.ball), np.array(sole.heel)
    tilted = multiply(rotation_about_up(footfalls.yaws[index]), from_axis_angle([1.0, 0.0, 0.0], footfalls.tilt))
    foot = np.array([0.0, 0.0, sole.ankle])
    on_heel = heel + rotate(_pitched(np.minimum(pitch, 0.0)), ball - heel)
    return footfalls.places[index] + rotate(tilted, foot + on_heel)


def _swung(footfalls: Footfalls, step: Array, swing: Array, duration: Array) -> Array:
    """Return the displacement (T, 3) of a swinging ball along its ``step`` (T, 3): from rest, stopped by the ground."""
    style = footfalls.style
    flat = step * [1.0, 1.0, 0.0]
    length = np.linalg.norm(flat, axis=-1)
    # A short step lands slower than its mean speed.
    forwards = np.minimum(style.landing[0] * duration, 0.6 * length)
    down = style.landing[1] * duration
    slope = np.tan(footfalls.tilt)
    arriving = np.concatenate([normalize(flat)[:, :2] * forwards[:, None], (slope * forwards - down)[:, None]], axis=1)
    moved = hermite(swing[:, None], np.zeros_like(step), step, 0.0, arriving)
    moved[:, 2] += style.lift * _bump(swing, style.early)
    return moved


def _bump(share: Array, peak: float) -> Array:
    """Return a smooth bump (T) over [0, 1] with height 1 at ``peak``, level at both ends."""
    before, after = (2.0, 2.0 * (1 - peak) / peak) if peak <= 0.5 else (2.0 * peak / (1 - peak), 2.0)
    return share**before * (1 - share) ** after / (peak**before * (1 - peak) ** after)

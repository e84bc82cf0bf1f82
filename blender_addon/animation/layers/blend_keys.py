"""Joins: new values that begin and end as the old ones do, in value and in speed.

At either end the difference to what was there fades out over some frames, as an offset on the new motion: what the new
motion does it does from the first frame on, only from another place.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.motion import rotations as rot
from ....core.motion.rotations import Array
from ..fcurve_io.rotation_modes import continuous_euler, quaternion_to_euler, rotation_values, to_quaternions

LONGEST_SPEED: Final = 12
"""Frames over which a difference in speed fades at most: over more it would lead far away first."""


@dataclass(frozen=True, slots=True, eq=False)
class Old:
    """What was there around a range: values (n) a frame before it, at its first and last frame, a frame after it."""

    before: Array
    first: Array
    last: Array
    after: Array


@dataclass(frozen=True, slots=True)
class Blend:
    """Over how many frames each end is joined; 0 where it is cut."""

    start: int
    end: int

    def within(self, frames: int) -> "Blend":
        """The blend in a range of so many frames."""
        return Blend(min(self.start, frames - 1), min(self.end, frames - 1))


def join_values(values: Array, old: Old, blend: Blend) -> Array:
    """Values (F, n) with both ends joined."""
    result = values.copy()
    for new, was, speed, frames, flip in _ends(values, old, blend):
        offset, drift = _fading(frames, len(values))
        change = offset[:, None] * (was - new[0]) + drift[:, None] * (speed - (new[1] - new[0]))
        result += change[::-1] if flip else change
    return result


def join_rotations(values: Array, mode: str, old: Old, blend: Blend) -> Array:
    """Values (F, 3 or 4) of a rotation channel in a rotation mode, with both ends joined.

    The values are continuous, beginning as near to the old ones as the mode allows. At the end they may be another way
    to say the same rotation as the old ones: see :func:`differs`.
    """
    new = to_quaternions(values, mode)
    around = Old(*(to_quaternions(part[None], mode)[0] for part in (old.before, old.first, old.last, old.after)))
    result = new.copy()
    for ours, was, speed, frames, flip in _turned_ends(new, around, blend):
        offset, drift = _fading(frames, len(values))
        apart = rot.multiply(was, rot.inverse(ours[0]))
        first = rot.log(rot.multiply(ours[1], rot.inverse(ours[0])))
        change = rot.multiply(
            rot.exp(drift[:, None] * (speed - rot.rotate(apart, first))), rot.exp(offset[:, None] * rot.log(apart))
        )
        result = rot.multiply(change[::-1] if flip else change, result)
    said = _said_like(result, mode, old.first if blend.start else old.before)
    return said * _lengths(len(values), old, blend)[:, None] if mode == "QUATERNION" else said


def differs(ours: Array, theirs: Array) -> bool:
    """Whether values (n) of one rotation are another way to say it: the other sign, or whole turns apart."""
    return bool(np.abs(ours - theirs).max() > 1e-3)


def _said_like(rotations: Array, mode: str, old: Array) -> Array:
    """Channel values of rotations (F, 4), continuous from old values (n) on."""
    if mode == "QUATERNION":
        return rot.unroll(np.concatenate([rot.normalize(old)[None], rotations]))[1:]
    if mode == "AXIS_ANGLE":
        return rotation_values(rotations, mode)
    return continuous_euler(np.concatenate([old[None], quaternion_to_euler(rotations, mode)]), mode)[1:]


def _lengths(count: int, old: Old, blend: Blend) -> Array:
    """The quaternions' lengths (F): keys by hand may have any, and a curve between two lengths bends rotations."""
    result = np.ones(count)
    for frames, row, flip in ((blend.start, old.first, False), (blend.end, old.last, True)):
        if frames:
            fading = _fading(frames, count)[0] * (np.linalg.norm(row) - 1.0)
            result += fading[::-1] if flip else fading
    return result


def _fading(frames: int, count: int) -> tuple[Array, Array]:
    """How an offset, and a speed a frame, fade over a number of frames: curves (count) that end level."""
    number = np.arange(count, dtype=np.float64)
    share = np.clip(number / frames, 0.0, 1.0)
    short = min(frames, LONGEST_SPEED)
    soon = np.clip(number / short, 0.0, 1.0)
    return (2 * share - 3) * share**2 + 1, short * soon * (1 - soon) ** 2


def _ends(values: Array, old: Old, blend: Blend) -> list[tuple[Array, Array, Array, int, bool]]:
    """Of each joined end: the values from it inwards, the old value and speed inwards, frames, whether reversed."""
    ends: list[tuple[Array, Array, Array, int, bool]] = []
    if blend.start:
        ends.append((values, old.first, old.first - old.before, blend.start, False))
    if blend.end:
        ends.append((values[::-1], old.last, old.last - old.after, blend.end, True))
    return ends


def _turned_ends(values: Array, old: Old, blend: Blend) -> list[tuple[Array, Array, Array, int, bool]]:
    """As :func:`_ends`, of quaternions, the speed being a rotation vector (3)."""
    ends: list[tuple[Array, Array, Array, int, bool]] = []
    if blend.start:
        speed = rot.log(rot.multiply(old.first, rot.inverse(old.before)))
        ends.append((values, old.first, speed, blend.start, False))
    if blend.end:
        speed = rot.log(rot.multiply(old.last, rot.inverse(old.after)))
        ends.append((values[::-1], old.last, speed, blend.end, True))
    return ends

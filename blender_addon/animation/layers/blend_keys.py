"""Joins: new values that match the old ones at both ends, in value and in speed.

At either end the difference to the old values fades out over some frames, as an offset on the new motion, which is
otherwise complete from the first frame on.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.motion import rotations as rot
from ....core.motion.rotations import Array
from ..fcurve_io.rotation_modes import continuous_euler, quaternion_to_euler, rotation_values, to_quaternions

MAX_SPEED_FADE_FRAMES: Final = 12
"""Largest number of frames over which a difference in speed fades; over more, the offset would first grow large."""


@dataclass(frozen=True, slots=True, eq=False)
class BoundaryValues:
    """Values (n) around a range: a frame before it, at its first and last frame, and a frame after it."""

    before: Array
    first: Array
    last: Array
    after: Array


@dataclass(frozen=True, slots=True)
class BlendFrames:
    """The number of frames of the blend at each end; 0 for a cut."""

    start: int
    end: int

    def clamped_to(self, frames: int) -> "BlendFrames":
        """Return the blend shortened to fit a range of ``frames`` frames."""
        return BlendFrames(min(self.start, frames - 1), min(self.end, frames - 1))


def join_values(values: Array, boundary: BoundaryValues, blend: BlendFrames) -> Array:
    """Return values (F, n) blended into the old values at both ends."""
    result = values.copy()
    for new, was, speed, frames, flip in _value_ends(values, boundary, blend):
        offset, drift = _fade_curves(frames, len(values))
        change = offset[:, None] * (was - new[0]) + drift[:, None] * (speed - (new[1] - new[0]))
        result += change[::-1] if flip else change
    return result


def join_rotations(values: Array, mode: str, boundary: BoundaryValues, blend: BlendFrames) -> Array:
    """Return values (F, 3 or 4) of a rotation channel blended into the old values at both ends.

    The values are continuous, and start as near to the old ones as the mode allows. At the end they may be another
    representation of the old rotation: see :func:`is_other_representation`.
    """
    new = to_quaternions(values, mode)
    around = BoundaryValues(
        *(
            to_quaternions(part[None], mode)[0]
            for part in (boundary.before, boundary.first, boundary.last, boundary.after)
        )
    )
    result = new.copy()
    for ours, was, speed, frames, flip in _rotation_ends(new, around, blend):
        offset, drift = _fade_curves(frames, len(values))
        apart = rot.multiply(was, rot.inverse(ours[0]))
        first = rot.log(rot.multiply(ours[1], rot.inverse(ours[0])))
        change = rot.multiply(
            rot.exp(drift[:, None] * (speed - rot.rotate(apart, first))), rot.exp(offset[:, None] * rot.log(apart))
        )
        result = rot.multiply(change[::-1] if flip else change, result)
    said = _match_representation(result, mode, boundary.first if blend.start else boundary.before)
    return said * _quaternion_lengths(len(values), boundary, blend)[:, None] if mode == "QUATERNION" else said


def is_other_representation(new: Array, old: Array) -> bool:
    """Return whether values (n) represent the same rotation differently: with the other sign, or by extra turns."""
    return bool(np.abs(new - old).max() > 1e-3)


def _match_representation(rotations: Array, mode: str, old: Array) -> Array:
    """Convert rotations (F, 4) to channel values that continue the old values (n) without a jump."""
    if mode == "QUATERNION":
        return rot.unroll(np.concatenate([rot.normalize(old)[None], rotations]))[1:]
    if mode == "AXIS_ANGLE":
        return rotation_values(rotations, mode)
    return continuous_euler(np.concatenate([old[None], quaternion_to_euler(rotations, mode)]), mode)[1:]


def _quaternion_lengths(count: int, boundary: BoundaryValues, blend: BlendFrames) -> Array:
    """Return the lengths (F) of quaternions, matched to those of the old keys at both ends.

    Keys set by hand may have any length, and a curve between two lengths bends rotations.
    """
    result = np.ones(count)
    for frames, row, flip in ((blend.start, boundary.first, False), (blend.end, boundary.last, True)):
        if frames:
            fading = _fade_curves(frames, count)[0] * (np.linalg.norm(row) - 1.0)
            result += fading[::-1] if flip else fading
    return result


def _fade_curves(frames: int, count: int) -> tuple[Array, Array]:
    """Return curves (count) with level ends that let an offset, and a speed per frame, decay."""
    number = np.arange(count, dtype=np.float64)
    share = np.clip(number / frames, 0.0, 1.0)
    short = min(frames, MAX_SPEED_FADE_FRAMES)
    soon = np.clip(number / short, 0.0, 1.0)
    return (2 * share - 3) * share**2 + 1, short * soon * (1 - soon) ** 2


def _value_ends(
    values: Array, boundary: BoundaryValues, blend: BlendFrames
) -> list[tuple[Array, Array, Array, int, bool]]:
    """Return for each joined end its values inward, old value and inward speed, frames, and whether it is reversed."""
    ends: list[tuple[Array, Array, Array, int, bool]] = []
    if blend.start:
        ends.append((values, boundary.first, boundary.first - boundary.before, blend.start, False))
    if blend.end:
        ends.append((values[::-1], boundary.last, boundary.last - boundary.after, blend.end, True))
    return ends


def _rotation_ends(
    values: Array, boundary: BoundaryValues, blend: BlendFrames
) -> list[tuple[Array, Array, Array, int, bool]]:
    """Return the same as :func:`_value_ends` for quaternions; the speed is a rotation vector (3)."""
    ends: list[tuple[Array, Array, Array, int, bool]] = []
    if blend.start:
        speed = rot.log(rot.multiply(boundary.first, rot.inverse(boundary.before)))
        ends.append((values, boundary.first, speed, blend.start, False))
    if blend.end:
        speed = rot.log(rot.multiply(boundary.last, rot.inverse(boundary.after)))
        ends.append((values[::-1], boundary.last, speed, blend.end, True))
    return ends
